/**
 * The grammar that header fields share (RFC 9110 §5.6): blanks, tokens, quoted strings, lists, parameters, entity tags
 * and dates. Every header that fw reads or writes is read or written with these functions.
 */

/** Removes SP and HTAB at both ends. No other white space is a blank in a header (RFC 9110 §5.6.3). */
export function trimBlanks(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isBlank(text.charCodeAt(start))) start++
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x09
}

/** RFC 9110 §5.6.2. */
const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Returns true for a token: a method, a header name, a subprotocol, a cookie name. */
export function isToken(value: unknown): value is string {
  return typeof value === "string" && tokenPattern.test(value)
}

/**
 * Splits a list at its commas (RFC 9110 §5.6.1). A comma in a quoted string separates nothing, and empty elements are
 * dropped.
 */
export function listElements(value: string): string[] {
  return splitUnquoted(value, ",").filter((element) => element !== "")
}

/**
 * Splits at a separator that stands outside of quoted strings, and removes the blanks around each piece. It reads from
 * the end: proxies append to a list, so what a client wrote at its beginning, such as a quote without an end, does not
 * change how the appended elements are read.
 */
function splitUnquoted(value: string, separator: "," | ";"): string[] {
  if (!value.includes(separator)) return [trimBlanks(value)]
  const pieces: string[] = []
  let end = value.length
  let isQuoted = false
  for (let at = value.length - 1; at >= 0; at--) {
    const character = value[at]
    if (character === '"') {
      if (!isQuoted) isQuoted = true
      else if (!isEscaped(value, at)) isQuoted = false
    } else if (character === separator && !isQuoted) {
      pieces.push(trimBlanks(value.slice(at + 1, end)))
      end = at
    }
  }
  pieces.push(trimBlanks(value.slice(0, end)))
  return pieces.reverse()
}

/** Returns true if an odd number of backslashes stands before a character. */
function isEscaped(value: string, at: number): boolean {
  let before = at - 1
  while (value[before] === "\\") before--
  return (at - before) % 2 === 0
}

/** Returns true if a list, such as `Connection` or `Vary`, has an element. Upper and lower case are the same. */
export function hasElement(list: string, element: string): boolean {
  return list !== "" && listElements(list).some((given) => given.toLowerCase() === element)
}

/**
 * Adds names to a `Vary` header, each once, whatever its case (RFC 9110 §12.5.5). `*` stands for all names.
 *
 * @param names a list too.
 */
export function addToVary(vary: string, names: string): string {
  const all = new Map<string, string>()
  for (const name of [...listElements(vary), ...listElements(names)]) {
    const key = name.toLowerCase()
    if (!all.has(key)) all.set(key, name)
  }
  return all.has("*") ? "*" : [...all.values()].join(", ")
}

/** A directive of `Cache-Control` (RFC 9111 §5.2). */
export interface CacheDirective {
  /** In lower case. */
  readonly name: string
  /** Without quotes; undefined if there is none. */
  readonly argument: string | undefined
  /** As it was written. */
  readonly text: string
}

/** Reads the directives of `Cache-Control`, and of the headers that tell one kind of cache the same (RFC 9213). */
export function parseCacheDirectives(value: string): CacheDirective[] {
  return listElements(value).map((text) => {
    const [name, argument] = splitAtEquals(text)
    return { name: name.toLowerCase(), argument: argument && unquoteText(argument), text }
  })
}

/**
 * Returns the pairs of a `Cookie` header, or the cookie and the attributes of a `Set-Cookie` (RFC 6265bis §5.6, §5.7).
 * A quote means nothing there. A piece without `=`, such as `Secure`, has no value.
 */
export function parseCookiePairs(header: string): (readonly [name: string, value: string | undefined])[] {
  return header.split(";").map(splitAtEquals)
}

/** Splits `name=value` at the first equals sign, and removes the blanks around both. Without one there is no value. */
function splitAtEquals(piece: string): readonly [name: string, value: string | undefined] {
  const equals = piece.indexOf("=")
  return equals < 0
    ? [trimBlanks(piece), undefined]
    : [trimBlanks(piece.slice(0, equals)), trimBlanks(piece.slice(equals + 1))]
}

/**
 * Returns the directives of a policy, such as `Content-Security-Policy` (CSP §2.2.1): semicolons separate them, and a quote
 * means nothing there.
 */
export function splitPolicyDirectives(policy: string): string[] {
  return policy
    .split(";")
    .map(trimBlanks)
    .filter((directive) => directive !== "")
}

/** An element of a header with its parameters: `text/html; charset=utf-8`. */
export interface ParameterizedValue {
  /** What stands before the first semicolon. */
  readonly value: string
  /** By name in lower case. Of a repeated name the first counts. Quoted strings are without their quotes. */
  readonly parameters: ReadonlyMap<string, string>
}

/** Reads an element and its parameters (RFC 9110 §5.6.6). What is not `name=value` is not a parameter. */
export function readParameterized(element: string): ParameterizedValue {
  const [value = "", ...rest] = splitUnquoted(element, ";")
  return { value, parameters: parseParameters(rest) }
}

/** Reads a list of parameters that belong to no value, such as an element of `Forwarded` (RFC 7239 §4). */
export function readParameters(element: string): ReadonlyMap<string, string> {
  return parseParameters(splitUnquoted(element, ";"))
}

function parseParameters(pieces: readonly string[]): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const piece of pieces) {
    const [written, value] = splitAtEquals(piece)
    const name = written.toLowerCase()
    if (value !== undefined && isToken(name) && !parameters.has(name)) parameters.set(name, unquoteText(value))
  }
  return parameters
}

/**
 * Reads the Content-Disposition of a form's part (RFC 7578 §4.2, RFC 2183 §2). In its quoted strings a backslash escapes
 * only a quote and a backslash: browsers write the other ones of a file's name as they are, and escape a quote and a line
 * break as `%22`, `%0D` and `%0A` (HTML standard, "multipart/form-data encoding algorithm").
 *
 * @returns the type in lower case and the parameters; null if a quoted string is malformed.
 */
export function readDisposition(header: string): ParameterizedValue | null {
  const [type = ""] = header.split(";", 1)
  const parameters = new Map<string, string>()
  let at = type.length
  while (at < header.length) {
    const next = header.indexOf(";", at + 1)
    const piece = header.slice(at + 1, next < 0 ? header.length : next)
    const equals = piece.indexOf("=")
    const name = trimBlanks(piece.slice(0, Math.max(equals, 0))).toLowerCase()
    const start = skipBlanks(header, at + 1 + equals + 1)
    if (isToken(name) && header[start] === '"') {
      const string = readQuotedString(header, start + 1)
      if (string === null) return null
      at = string.end
      if (!parameters.has(name)) parameters.set(name, unescapeName(string.text))
    } else {
      at += 1 + piece.length
      if (isToken(name) && !parameters.has(name))
        parameters.set(name, unescapeName(trimBlanks(piece.slice(equals + 1))))
    }
  }
  return { value: trimBlanks(type).toLowerCase(), parameters }
}

/**
 * Reads a quoted string up to the semicolon or the end after it. If its quotes do not fit together with escapes, a
 * backslash is a part of the name: browsers write `"C:\photos\"`.
 */
function readQuotedString(header: string, start: number): { text: string; end: number } | null {
  let quote = start
  while (quote < header.length && header[quote] !== '"')
    quote += header[quote] === "\\" && /["\\]/.test(header[quote + 1] ?? "") ? 2 : 1
  let end = skipBlanks(header, quote + 1)
  if (quote < header.length && isEndOfParameter(header, end))
    return { text: header.slice(start, quote).replace(/\\(["\\])/g, "$1"), end }
  quote = header.indexOf('"', start)
  end = skipBlanks(header, quote + 1)
  return quote >= 0 && isEndOfParameter(header, end) ? { text: header.slice(start, quote), end } : null
}

function isEndOfParameter(header: string, at: number): boolean {
  return at >= header.length || header[at] === ";"
}

function skipBlanks(text: string, from: number): number {
  let at = from
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

function unescapeName(text: string): string {
  return text.replace(/%(?:0A|0D|22)/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

/**
 * Returns a parameter that may be written with a charset, as in `filename*=utf-8''na%C3%AFve.txt` (RFC 8187 §3.2), or in
 * pieces, as in `filename*0` (RFC 2231 §3). The plain parameter counts if the other one is malformed, and the malformed
 * one as it was written if there is no plain one.
 */
export function findExtendedParameter(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  const plain = parameters.get(name)
  const extended = parameters.get(`${name}*`) ?? joinPieces(parameters, name)
  if (extended === undefined) return plain
  const decoded = decodeExtended(extended)
  return decoded || (plain ?? decoded ?? extended)
}

/** Returns the pieces of a parameter as one value with a charset; undefined without any. */
function joinPieces(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  let joined = parameters.has(`${name}*0`) ? "utf-8''" : ""
  for (let count = 0; ; count++) {
    const piece = parameters.get(`${name}*${count}*`) ?? parameters.get(`${name}*${count}`)?.replaceAll("%", "%25")
    if (piece === undefined) return count === 0 ? undefined : joined
    joined += piece
  }
}

/** Decodes `charset'language'text`; undefined if it is malformed or has another charset than RFC 8187 names. */
function decodeExtended(value: string): string | undefined {
  const [, charset = "", text = ""] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? []
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined
  if (charset.toLowerCase() === "iso-8859-1")
    return text.replace(/%(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  // Clients write the label `utf8`, too, which the Encoding standard knows.
  if (!/^utf-?8$/i.test(charset)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Returns the text of a quoted string (RFC 9110 §5.6.4); other text as it is. */
export function unquoteText(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text
  const inner = text.slice(1, -1)
  return inner.includes("\\") ? inner.replace(/\\(.)/gs, "$1") : inner
}

/** Writes a quoted string (RFC 9110 §5.6.4). */
export function quoteText(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`
}

/** Returns the media type of a Content-Type, in lower case and without its parameters. */
export function parseMediaType(contentType: string): string {
  const semicolon = contentType.indexOf(";")
  return trimBlanks(semicolon < 0 ? contentType : contentType.slice(0, semicolon)).toLowerCase()
}

/** Returns true if a Content-Type is `application/json` or ends in `+json` (RFC 6839 §3.1). */
export function isJSONType(contentType: string): boolean {
  const type = parseMediaType(contentType)
  return type === "application/json" || (type.startsWith("application/") && type.endsWith("+json"))
}

/**
 * Parses the weights of a list such as `br, gzip;q=0.5`, by name in lower case (RFC 9110 §12.4.2). The default weight
 * is 1. A malformed one is 0, because the client may not have meant it.
 */
export function readWeights(header: string): Map<string, number> {
  const weights = new Map<string, number>()
  for (const element of listElements(header)) {
    const { value, parameters } = readParameterized(element)
    weights.set(value.toLowerCase(), parseWeight(parameters.get("q") ?? "1"))
  }
  return weights
}

function parseWeight(text: string): number {
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0
}

/**
 * Returns the entity tags of a list such as `If-None-Match` (RFC 9110 §8.8.3), each with its quotes and `W/`, which has
 * to be a capital. A backslash in a tag escapes nothing. Other elements are left out: text around a tag could mean
 * anything.
 */
export function parseEntityTags(list: string): string[] {
  const tags = list.matchAll(/(?:^|,)[ \t]*((?:W\/)?"[^"]*")[ \t]*(?=,|$)/g)
  return Array.from(tags, ([, tag]) => tag as string)
}

const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

/** The three formats of a date (RFC 9110 §5.6.7): IMF-fixdate, RFC 850 and asctime. */
const dateFormats = [
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/,
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/,
]

/** Returns the number of bytes that a `Content-Length` states (RFC 9110 §8.6); null for what is not digits. */
export function readLength(header: string): number | null {
  return /^\d{1,15}$/.test(header) ? Number(header) : null
}

/**
 * Parses an HTTP date to milliseconds; NaN for anything else, also for a day that its month does not have.
 *
 * @param now milliseconds; a year of two digits is in the past if it were more than 50 years ahead of it.
 */
export function readDate(text: string, now = Date.now()): number {
  for (const format of dateFormats) {
    const { day, month = "", year = "", time = "" } = format.exec(text)?.groups ?? {}
    if (day === undefined) continue
    const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number)
    // 60 is a leap second, which no Date has.
    if (hour > 23 || minute > 59 || second > 60) return Number.NaN
    return toStartOfDay(toFullYear(year, now), monthNames.indexOf(month), Number(day)) + toDayMs(hour, minute, second)
  }
  return Number.NaN
}

/** Returns midnight in milliseconds; NaN for a day that its month does not have. */
function toStartOfDay(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.getUTCDate() === day && date.getUTCMonth() === month ? date.getTime() : Number.NaN
}

function toDayMs(hour: number, minute: number, second: number): number {
  return ((hour * 60 + minute) * 60 + second) * 1000
}

/** What separates the parts of a cookie's date. */
const datePartSeparator = /[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/

/**
 * Parses the date of a cookie's `Expires` as browsers do (RFC 6265bis §5.6.1): a time, a day, a month and a year in any
 * order, always in UTC. Returns milliseconds; NaN for anything else, such as `0` and a date of ISO 8601.
 */
export function readCookieDate(text: string): number {
  let [time, day, month, year]: (number | undefined)[] = []
  for (const part of text.split(datePartSeparator)) {
    const [, hour, minute, second] = /^(\d\d?):(\d\d?):(\d\d?)(?!\d)/.exec(part) ?? []
    const [, two] = /^(\d\d?)(?!\d)/.exec(part) ?? []
    const [, four] = /^(\d{2,4})(?!\d)/.exec(part) ?? []
    const monthIndex = monthNames.findIndex((name) => part.slice(0, 3).toLowerCase() === name.toLowerCase())
    if (time === undefined && second !== undefined) {
      if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN
      time = toDayMs(Number(hour), Number(minute), Number(second))
    } else if (day === undefined && two !== undefined) day = Number(two)
    else if (month === undefined && monthIndex >= 0) month = monthIndex
    else if (year === undefined && four !== undefined) year = Number(four)
  }
  if (time === undefined || day === undefined || month === undefined || year === undefined) return Number.NaN
  const full = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
  return full < 1601 ? Number.NaN : toStartOfDay(full, month, day) + time
}

function toFullYear(year: string, now: number): number {
  if (year.length === 4) return Number(year)
  const current = new Date(now).getUTCFullYear()
  const full = Math.floor(current / 100) * 100 + Number(year)
  return full > current + 50 ? full - 100 : full
}
