/** Reads email addresses. An accepted address cannot end its header or begin another address. */
import { mailFault } from "./fault.ts"

/**
 * An email address with a name.
 *
 * @example
 * const ada: MailAddress = { name: "Ada, of the shop", address: "ada@shop.example" }
 */
export interface MailAddress {
  readonly name: string
  readonly address: string
}

/**
 * An email address in one of the forms that a program can write: `ada@shop.example`, `Ada <ada@shop.example>`, or an
 * object.
 *
 * @example const to: MailRecipient = { name: "Ada", address: "ada@shop.example" }
 */
export type MailRecipient = string | { readonly name?: string; readonly address: string }

/**
 * An address as in RFC 5322 §3.4.1, without quotes and comments, but also with letters that are not ASCII (RFC 6531).
 */
const addressPattern = /^[^\s\p{C}"(),:;<>@[\\\]]{1,64}@[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)*$/u
/** Maximum length of an address (RFC 5321 §4.5.3.1.3). */
const maxAddressLength = 254

/** Returns true for a text that can be in a header: it has no line break and no other control character. */
export function isHeaderLine(text: unknown): text is string {
  return typeof text === "string" && !/\p{Cc}/u.test(text)
}

/** Reads an address. @param place its position for messages, such as `to[1]`. @throws FwError `mail`. */
export function readAddress(value: unknown, place: string): MailAddress {
  const { name = "", address } =
    typeof value === "string" ? splitNameAndAddress(value) : (Object(value) as Partial<MailAddress>)
  const isValid = typeof address === "string" && address.length <= maxAddressLength && addressPattern.test(address)
  if (!isValid || !isHeaderLine(name)) throw mailFault("mail.address", [place])
  return { name, address }
}

/** Reads one address or a list of them. @throws FwError `mail`. */
export function readAddresses(value: unknown, place: string): readonly MailAddress[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value.map((one, i) => readAddress(one, `${place}[${i}]`)) : [readAddress(value, place)]
}

/** Splits `Ada <ada@shop.example>` into the name, which may be in quotes, and the address. */
function splitNameAndAddress(text: string): Partial<MailAddress> {
  const [, name = "", address = text] = /^([^<]*)<([^<]*)>$/.exec(text) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, "$1"), address }
}
