/**
 * Reads and compares the addresses of clients and proxies. All addresses are read here, so that they have one spelling.
 */

import type { RangeProblem } from "../messages/address-ranges.ts"
import { trimBlanks } from "./header-grammar.ts"

/** Stands for a client on a Unix socket, which has no IP address. */
export const unixPeer = "unix"

/** A range of addresses, as the first bits of its addresses. The range for Unix sockets has no bytes. */
export interface AddressRange {
  readonly bytes: readonly number[]
  readonly bits: number
}

const unixRange: AddressRange = { bytes: [], bits: 0 }

/**
 * Returns an address in a single spelling: IPv4 in decimal numbers, IPv6 as in RFC 5952, and IPv4 in IPv6 as IPv4 (RFC
 * 4291 §2.5.5.2). Port, brackets, zone and blanks are removed. Returns `""` for other text, because a client may have
 * written it.
 */
export function readAddress(text: string): string {
  const bytes = parseAddressBytes(removePort(trimBlanks(text)))
  return bytes ? writeAddress(bytes) : ""
}

/**
 * Returns the address of the other end of a connection as {@link readAddress} does, or `unix`. Use it only for a
 * connection: in a header, `unix` is not an address.
 */
export function readPeer(text: string): string {
  return text === unixPeer ? unixPeer : readAddress(text)
}

/** Returns the bytes of an address: 4, 16, or none for a Unix socket. Null for other text. */
function parsePeerBytes(address: string): readonly number[] | null {
  return address === unixPeer ? unixRange.bytes : parseAddressBytes(address)
}

/** Returns the bytes of an address without a port; null for other text. */
function parseAddressBytes(text: string): number[] | null {
  const zone = text.indexOf("%")
  const bytes = parseAddress(zone < 0 ? text : text.slice(0, zone))
  // Only IPv6 addresses have zones (RFC 4007 §11).
  if (!bytes || (zone >= 0 && (bytes.length === 4 || zone === text.length - 1))) return null
  return unmapIPv4(bytes)
}

/** A port. A proxy may send a word in its place, to hide the port (RFC 7239 §6.2). */
const portPattern = /^:(?:\d{1,5}|_[\w.-]+)$/

/** Removes a port, and the brackets that separate it from an IPv6 address (RFC 3986 §3.2.2). */
function removePort(text: string): string {
  if (text.startsWith("[")) {
    const end = text.indexOf("]")
    const inner = text.slice(1, Math.max(end, 1))
    const rest = text.slice(end + 1)
    return inner.includes(":") && (rest === "" || portPattern.test(rest)) ? inner : ""
  }
  const colon = text.indexOf(":")
  return colon > 0 && text.lastIndexOf(".", colon) > 0 && portPattern.test(text.slice(colon))
    ? text.slice(0, colon)
    : text
}

function writeAddress(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join(".")
  const groups = toGroups(bytes)
  const [start, length] = findLongestZeros(groups)
  if (length < 2) return formatGroups(groups)
  return `${formatGroups(groups.slice(0, start))}::${formatGroups(groups.slice(start + length))}`
}

function toGroups(bytes: readonly number[]): number[] {
  return Array.from({ length: bytes.length / 2 }, (_, i) =>
    bytes.slice(2 * i, 2 * i + 2).reduce((high, low) => high * 256 + low),
  )
}

function formatGroups(groups: readonly number[]): string {
  return groups.map((group) => group.toString(16)).join(":")
}

/** Finds the longest run of zeros; of several with the same length, the first. `::` replaces it (RFC 5952 §4.2.3). */
function findLongestZeros(groups: readonly number[]): [start: number, length: number] {
  let longest: [start: number, length: number] = [0, 0]
  for (let start = 0; start < groups.length; start++) {
    let end = start
    while (groups[end] === 0) end++
    if (end - start > longest[1]) longest = [start, end - start]
    if (end > start) start = end
  }
  return longest
}

/**
 * Returns the network of an address, to count clients. An IPv6 client has at least a /64 (RFC 6177), so the last 64
 * bits do not tell clients apart. IPv4 addresses and other text are returned unchanged.
 */
export function toNetwork(address: string): string {
  const bytes = address.includes(":") ? parseAddressBytes(address) : null
  return bytes?.length === 16 ? `${formatGroups(toGroups(bytes.slice(0, 8)))}::/64` : address
}

/** Returns true if the host of a URL is this machine. Browsers trust such hosts without TLS. */
export function isLocalHost(hostname: string): boolean {
  return /^(?:(?:.*\.)?localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname)
}

/** Returns true if an address, as {@link readAddress} returns it, is in one of the ranges. */
export function isInRanges(address: string, ranges: readonly AddressRange[]): boolean {
  if (ranges.length === 0) return false
  const bytes = parsePeerBytes(address)
  return (
    bytes !== null &&
    ranges.some((range) => range.bytes.length === bytes.length && hasSamePrefix(range.bytes, bytes, range.bits))
  )
}

function hasSamePrefix(a: readonly number[], b: readonly number[], bits: number): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 0xff : (0xff << (8 - (bits - bit))) & 0xff
    const i = bit >> 3
    if (((a[i] as number) & mask) !== ((b[i] as number) & mask)) return false
  }
  return true
}

/**
 * Parses an address, a CIDR range (RFC 4632 §3.1) such as `10.0.0.0/8`, or `unix`. Bits after the prefix are ignored. A
 * range of IPv4 addresses in IPv6 becomes an IPv4 range. For other text, returns what is wrong, because a range that
 * means nothing could be a missing protection.
 */
export function parseRange(text: unknown): AddressRange | RangeProblem {
  if (typeof text !== "string") return "kind"
  if (trimBlanks(text) === "") return "empty"
  if (/\s/.test(text)) return "blank"
  if (text.includes(",")) return "list"
  if (text === unixPeer) return unixRange
  const [address = "", prefix, extraPart] = text.split("/")
  const addressBytes = parseAddress(address)
  if (!addressBytes) return findAddressProblem(address)
  if (extraPart !== undefined || (prefix !== undefined && !/^\d+$/.test(prefix))) return "prefix"
  if (prefix !== undefined && /^0\d/.test(prefix)) return "zero"
  const maxBits = addressBytes.length * 8
  const bits = prefix === undefined ? maxBits : Number(prefix)
  if (bits > maxBits) return maxBits === 32 ? "bits4" : "bits6"
  return createRange(addressBytes, bits)
}

function createRange(addressBytes: number[], bits: number): AddressRange | RangeProblem {
  const bytes = unmapIPv4(addressBytes)
  const isMapped = bytes !== addressBytes
  if (isMapped && bits < 96) return "mapped"
  const prefixBits = isMapped ? bits - 96 : bits
  // With the prefix /0, any address would mean all addresses. That must not happen by mistake.
  if (prefixBits === 0 && bytes.some((byte) => byte !== 0)) return "all"
  return { bytes, bits: prefixBits }
}

function findAddressProblem(address: string): RangeProblem {
  if (address.includes("%")) return parseAddressBytes(address) ? "zone" : "name"
  if (address.startsWith("[") || readAddress(address) !== "") return "port"
  return parseIPv4(address.replace(/(?<=^|\.)0+(?=\d)/g, "")) ? "zero" : "name"
}

/**
 * Returns the four bytes of an IPv4-mapped address (RFC 4291 §2.5.5.2). Other addresses are returned unchanged.
 */
function unmapIPv4(bytes: number[]): number[] {
  const isMapped = bytes.length === 16 && bytes.slice(0, 12).every((byte, i) => byte === (i < 10 ? 0 : 0xff))
  return isMapped ? bytes.slice(12) : bytes
}

/** Returns the 4 or 16 bytes of an address; null for other text. */
function parseAddress(text: string): number[] | null {
  if (!text.includes(":")) return parseIPv4(text)
  const halves = text.split("::")
  if (halves.length > 2) return null
  const tail = parseGroups(halves.at(-1) as string)
  // An IPv4 address can only be at the end of an IPv6 address (RFC 4291 §2.2).
  const isSplit = halves.length === 2
  if (isSplit && halves[0]?.includes(".")) return null
  const head = isSplit ? parseGroups(halves[0] as string) : []
  if (!head || !tail) return null
  const missingBytes = 16 - head.length - tail.length
  if (isSplit ? missingBytes < 2 : missingBytes !== 0) return null
  return [...head, ...new Array<number>(missingBytes).fill(0), ...tail]
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
  if (parts.length !== 4 || !parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)) return null
  return parts.map(Number)
}
