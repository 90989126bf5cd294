/** The client's address: that of the socket, or the one that trusted proxies report. */

import type { Exchange } from "../exchange.ts"
import { fault } from "../fault.ts"
import { listElements, readParameters } from "./header-grammar.ts"

/** A range of addresses, as the bits of its prefix. */
export interface AddressRange {
  readonly bytes: readonly number[]
  readonly bits: number
}

/**
 * Parses CIDR ranges such as `10.0.0.0/8` or `::1`.
 *
 * @throws FwError `trusted_proxies` for an invalid one.
 */
export function parseRanges(ranges: readonly string[]): AddressRange[] {
  return ranges.map((text) => {
    const range = parseRange(text)
    if (!range) throw fault("trusted_proxies", [text])
    return range
  })
}

/**
 * Parses an address or a CIDR range; null if it is neither. A range of IPv4-mapped addresses becomes one of
 * IPv4.
 */
export function parseRange(text: unknown): AddressRange | null {
  const [address, prefix, more] = String(text).split("/")
  const bytes = parseAddress(address ?? "")
  const most = bytes ? bytes.length * 8 : 0
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
  if (!bytes || more !== undefined || bits < 0 || bits > most) return null
  const plain = unmappedBytes(bytes)
  if (plain === bytes || bits < 96) return { bytes, bits }
  return { bytes: plain, bits: bits - 96 }
}

/**
 * Returns the four bytes of an IPv4-mapped address (RFC 4291 §2.5.5.2), in any notation; others as they are.
 */
function unmappedBytes(bytes: number[]): number[] {
  const isMapped = bytes.length === 16 && bytes.slice(0, 12).every((byte, i) => byte === (i < 10 ? 0 : 0xff))
  return isMapped ? bytes.slice(12) : bytes
}

/** Returns true if a text is an IP address. */
export function isAddress(text: string): boolean {
  return parseAddress(withoutZone(text)) !== null
}

/** Returns an address without the zone of a link-local one (RFC 4007 §11). */
export function withoutZone(address: string): string {
  return address.includes("%") ? address.slice(0, address.indexOf("%")) : address
}

/** Returns IPv4-mapped IPv6 as IPv4, without a zone; anything else as it is. */
export function unmapped(address: string): string {
  const plain = withoutZone(address)
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(plain) ? plain.slice(7) : plain
}

/**
 * Returns the address of the client. Forwarded addresses count from right to left as long as the hop before
 * them is trusted, so an address written by the client itself is never trusted.
 *
 * @param forwarded `X-Forwarded-For`, otherwise the `for` parameters of `Forwarded` (RFC 7239 §5.2), left to
 * right.
 */
export function clientAddress(
  socket: string,
  forwarded: readonly string[],
  trusted: readonly AddressRange[],
): string {
  let address = unmapped(socket)
  for (let i = forwarded.length - 1; i >= 0 && isTrusted(address, trusted); i--) {
    const next = unmapped(withoutPort(forwarded[i] as string))
    // A hop that is not an address (RFC 7239 allows "unknown" and "_hidden") ends the trusted part.
    if (!parseAddress(next)) break
    address = next
  }
  return address
}

/** Returns the client's address from an exchange and the headers of trusted proxies. */
export function forwardedClient(exchange: Exchange, trusted: readonly AddressRange[]): string {
  const { address } = exchange
  if (trusted.length === 0) return unmapped(address)
  return clientAddress(
    address,
    forwardedAddresses((name) => exchange.header(name)),
    trusted,
  )
}

/**
 * Returns scheme and host that the client requested: those of the connection, with the scheme that a trusted
 * proxy reports.
 */
export function forwardedOrigin(exchange: Exchange, trusted: readonly AddressRange[]): string {
  const { origin, address } = exchange
  if (trusted.length === 0 || !isTrusted(unmapped(address), trusted)) return origin
  const scheme = forwardedScheme((name) => exchange.header(name))
  return scheme === "" ? origin : new URL(origin.replace(/^\w+/, scheme)).origin
}

/** Returns the forwarded addresses of a request, left to right. */
export function forwardedAddresses(header: (name: string) => string): string[] {
  const list = header("x-forwarded-for")
  if (list) return listElements(list)
  return listElements(header("forwarded")).map((hop) => readParameters(hop).get("for") ?? "")
}

function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d+)?$/.exec(text)
  if (bracketed) return bracketed[1] as string
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.indexOf(":")) : text
}

/**
 * Returns the client's scheme as reported by a trusted proxy: the first of `X-Forwarded-Proto`, otherwise of
 * `Forwarded`; `""` without both.
 */
export function forwardedScheme(header: (name: string) => string): string {
  const [first] = listElements(header("x-forwarded-proto"))
  const reported = () => listElements(header("forwarded")).map((hop) => readParameters(hop).get("proto"))
  const scheme = (first ?? reported().find((proto) => proto !== undefined) ?? "").toLowerCase()
  return scheme === "http" || scheme === "https" ? scheme : ""
}

/**
 * Returns the network of an address, for counting. An IPv6 client has at least a /64 (RFC 6177), so the 64
 * bits after it do not distinguish clients. An IPv4 address and other text stays as it is.
 */
export function networkOf(address: string): string {
  const bytes = address.includes(":") ? parseAddress(address) : null
  if (!bytes) return address
  const groups = [0, 2, 4, 6].map((i) =>
    (((bytes[i] as number) << 8) | (bytes[i + 1] as number)).toString(16),
  )
  return `${groups.join(":")}::/64`
}

/** Returns true if an address is in one of the ranges. */
export function isTrusted(address: string, ranges: readonly AddressRange[]): boolean {
  const parsed = parseAddress(withoutZone(address))
  if (!parsed) return false
  const bytes = unmappedBytes(parsed)
  return ranges.some(
    (range) => range.bytes.length === bytes.length && samePrefix(range.bytes, bytes, range.bits),
  )
}

function samePrefix(a: readonly number[], b: readonly number[], bits: number): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 0xff : (0xff << (8 - (bits - bit))) & 0xff
    const i = bit >> 3
    if (((a[i] as number) & mask) !== ((b[i] as number) & mask)) return false
  }
  return true
}

/** Returns the bytes of an address, 4 or 16; null for other text. */
function parseAddress(text: string): number[] | null {
  if (!text.includes(":")) return parseIPv4(text)
  const halves = text.split("::")
  if (halves.length > 2) return null
  const head = parseGroups(halves[0] as string)
  const tail = halves.length === 2 ? parseGroups(halves[1] as string) : []
  if (!head || !tail) return null
  const missing = 16 - head.length - tail.length
  if (halves.length === 2 ? missing < 2 : missing !== 0) return null
  return [...head, ...new Array<number>(missing).fill(0), ...tail]
}

function parseGroups(text: string): number[] | null {
  if (text === "") return []
  const groups = text.split(":")
  const bytes: number[] = []
  for (const [index, group] of groups.entries()) {
    if (group.includes(".") && index === groups.length - 1) {
      const four = parseIPv4(group)
      if (!four) return null
      bytes.push(...four)
    } else if (/^[0-9a-f]{1,4}$/i.test(group)) {
      const value = Number.parseInt(group, 16)
      bytes.push(value >> 8, value & 0xff)
    } else return null
  }
  return bytes
}

function parseIPv4(text: string): number[] | null {
  const parts = text.split(".")
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256))
    return null
  return parts.map(Number)
}
