/** Messages about ranges of addresses that are not valid. Several options take such ranges. */
import { formatValue } from "../text.ts"
import type { Message } from "./message.ts"

/** The reason why a text is not a range of addresses. */
export type RangeProblem =
  | "kind"
  | "empty"
  | "blank"
  | "list"
  | "port"
  | "zone"
  | "zero"
  | "prefix"
  | "bits4"
  | "bits6"
  | "mapped"
  | "all"
  | "name"

const rangeExamples =
  'Write addresses or CIDR ranges: "10.0.0.0/8", "127.0.0.1", "::1". The peers on a Unix socket are "unix".'

const rangeProblems: Readonly<Record<RangeProblem, readonly [reason: string, fix: string]>> = {
  kind: ["", rangeExamples],
  empty: [": it is empty", "Leave it out. Check that the environment variable is set."],
  blank: [": it contains white space", 'Write it without: "10.0.0.0/8".'],
  list: [": it contains several", 'Write a list of texts: ["10.0.0.0/8", "::1"].'],
  port: [": it has a port or brackets", 'Write only the address: "203.0.113.7" or "2001:db8::1".'],
  zone: [": it has a zone", 'Zones do not count. Write it without: "fe80::/10".'],
  zero: [
    ": it has a number with a leading zero",
    'Some programs read such a number as octal. Write it without: "10.0.0.1", "10.0.0.0/8".',
  ],
  prefix: [
    ": what follows the slash is not a number of bits",
    'Write "10.0.0.0/8" for the netmask 255.0.0.0, and "10.0.0.0/24" for 255.255.255.0.',
  ],
  bits4: [": an IPv4 address has only 32 bits", 'Write "10.0.0.0/8", for example.'],
  bits6: [": an IPv6 address has only 128 bits", 'Write "2001:db8::/32", for example.'],
  mapped: [": the prefix of an IPv4 address in IPv6 has 96 bits or more", 'Write it as IPv4, such as "10.0.0.0/8".'],
  all: [": with a prefix of 0 bits, it means every address", 'If you mean that, write "0.0.0.0/0" or "::/0".'],
  name: ["", rangeExamples],
}

/** Returns the message about a range. @param where the beginning of the message: `trustedProxies contains`. */
export function writeRangeMessage(where: string, value: unknown, problem: RangeProblem): Message {
  const [reason, fix] = rangeProblems[problem]
  const text = formatValue(value)
  return [`${where} ${text}, which is not an address range${reason}`, fix]
}
