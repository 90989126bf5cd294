/** The canonical spelling of a connection's address. */

/** Returns an address without the zone of a link-local one (RFC 4007 §11). */
export function withoutZone(address: string): string {
  return address.includes("%") ? address.slice(0, address.indexOf("%")) : address
}

/** Returns IPv4-mapped IPv6 as IPv4, without a zone; anything else as it is. */
export function unmapped(address: string): string {
  const plain = withoutZone(address)
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(plain) ? plain.slice(7) : plain
}
