/**
 * The grammar that header fields share (RFC 9110 §5.6): blanks, tokens, quoted strings, lists, parameters, entity tags
 * and dates. fw reads and writes all headers with these functions.
 */

/** Returns a header by its name in lower case; `""` if it is missing. */
export type ReadHeader = (name: string) => string

/** Removes spaces and tabs at both ends. In a header, no other white space counts as blank (RFC 9110 §5.6.3). */
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

/** A token (RFC 9110 §5.6.2). */
const tokenPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

/** Returns true for a token, such as a method, a header name, a subprotocol or a cookie name. */
export function isToken(value: unknown): value is string {
  return typeof value === "string" && tokenPattern.test(value)
}

/**
 * Splits a list at its commas (RFC 9110 §5.6.1), except commas in quoted strings. Empty elements are left out.
 */
export function listElements(value: string): string[] {
  return splitUnquoted(value, ",").filter((element) => element !== "")
}

/**
 * Splits text at a separator that is not in a quoted string, and removes the blanks around each piece. It reads from
 * the end, because proxies append to lists. So a quote without an end, which a client may have written at the
 * beginning, does not change how the appended elements are read.
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

/** Returns true if a character is escaped: an odd number of backslashes is before it. */
function isEscaped(value: string, at: number): boolean {
  let before = at - 1
  while (value[before] === "\\") before--
  return (at - before) % 2 === 0
}

/** Returns true if a list, such as `Connection` or `Vary`, contains an element. Case does not matter. */
export function hasElement(list: string, element: string): boolean {
  return list !== "" && listElements(list).some((member) => member.toLowerCase() === element)
}

/**
 * Adds names to the value of `Vary`, unless it has them already in any case (RFC 9110 §12.5.5). `*` stands for all
 * names.
 *
 * @param names names, separated by commas.
 */
export function addToVary(vary: string, names: string): string {
  const namesByKey = new Map<string, string>()
  for (const name of [...listElements(vary), ...listElements(names)]) {
    const key = name.toLowerCase()
    if (!namesByKey.has(key)) namesByKey.set(key, name)
  }
  return namesByKey.has("*") ? "*" : [...namesByKey.values()].join(", ")
}

/** A directive of `Cache-Control` (RFC 9111 §5.2). */
export interface CacheDirective {
  /** The name in lower case. */
  readonly name: string
  /** The argument without quotes; undefined if there is none. */
  readonly argument: string | undefined
  /** The whole directive as it was written. */
  readonly text: string
}

/** Reads the directives of `Cache-Control`, and of headers that have the same form for one kind of cache (RFC 9213). */
export function parseCacheDirectives(value: string): CacheDirective[] {
  return listElements(value).map((text) => {
    const [name, argument] = splitAtEquals(text)
    return { name: name.toLowerCase(), argument: argument && unquoteText(argument), text }
  })
}

/**
 * Returns the pairs of a `Cookie` header, or the cookie and the attributes of a `Set-Cookie` (RFC 6265bis §5.6, §5.7).
 * Quotes have no meaning in them. A piece without `=`, such as `Secure`, has no value.
 */
export function parseCookiePairs(header: string): (readonly [name: string, value: string | undefined])[] {
  return header.split(";").map(splitAtEquals)
}

/**
 * Splits `name=value` at the first equals sign, and removes the blanks around both parts. Without an equals sign, the
 * value is undefined.
 */
function splitAtEquals(piece: string): readonly [name: string, value: string | undefined] {
  const equals = piece.indexOf("=")
  return equals < 0
    ? [trimBlanks(piece), undefined]
    : [trimBlanks(piece.slice(0, equals)), trimBlanks(piece.slice(equals + 1))]
}

/**
 * Returns the directives of a policy, such as `Content-Security-Policy` (CSP §2.2.1). Semicolons separate them. Quotes
 * have no meaning.
 */
export function splitPolicyDirectives(policy: string): string[] {
  return policy
    .split(";")
    .map(trimBlanks)
    .filter((directive) => directive !== "")
}

/** An element of a header with its parameters: `text/html; charset=utf-8`. */
export interface ParameterizedValue {
  /** The text before the first semicolon. */
  readonly value: string
  /**
   * The parameters by name in lower case. If a name is repeated, the first one counts. Quoted strings are without
   * quotes.
   */
  readonly parameters: ReadonlyMap<string, string>
}

/** Reads an element and its parameters (RFC 9110 §5.6.6). Pieces that are not `name=value` are ignored. */
export function readParameterized(element: string): ParameterizedValue {
  const [value = "", ...rest] = splitUnquoted(element, ";")
  return { value, parameters: parseParameters(rest) }
}

/** Reads a list of parameters without a value before them, such as an element of `Forwarded` (RFC 7239 §4). */
export function readParameters(element: string): ReadonlyMap<string, string> {
  return parseParameters(splitUnquoted(element, ";"))
}

function parseParameters(pieces: readonly string[]): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const piece of pieces) {
    const [parameterName, value] = splitAtEquals(piece)
    const name = parameterName.toLowerCase()
    if (value !== undefined && isToken(name) && !parameters.has(name)) parameters.set(name, unquoteText(value))
  }
  return parameters
}

/**
 * Reads the Content-Disposition of a form's part (RFC 7578 §4.2, RFC 2183 §2). In its quoted strings, a backslash
 * escapes only quotes and backslashes. Browsers write other backslashes in a file's name as they are. They write quotes
 * and line breaks as `%22`, `%0D` and `%0A` (HTML standard, "multipart/form-data encoding algorithm").
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
 * Reads a quoted string, up to the semicolon or the end after it. If it has no valid end with backslashes as escapes,
 * they are part of the name: browsers write `"C:\photos\"`.
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
 * Returns a parameter that may have a charset, as in `filename*=utf-8''na%C3%AFve.txt` (RFC 8187 §3.2), or be split, as
 * in `filename*0` (RFC 2231 §3). If that form is malformed, the plain parameter is used. If there is no plain one, the
 * malformed text is returned as it was written.
 */
export function findExtendedParameter(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  const plainValue = parameters.get(name)
  const extendedValue = parameters.get(`${name}*`) ?? joinPieces(parameters, name)
  if (extendedValue === undefined) return plainValue
  const decodedValue = decodeExtended(extendedValue)
  return decodedValue || (plainValue ?? decodedValue ?? extendedValue)
}

/** Joins the pieces of a split parameter to one value with a charset; undefined if there are none. */
function joinPieces(parameters: ReadonlyMap<string, string>, name: string): string | undefined {
  let joinedValue = parameters.has(`${name}*0`) ? "utf-8''" : ""
  for (let count = 0; ; count++) {
    const piece = parameters.get(`${name}*${count}*`) ?? parameters.get(`${name}*${count}`)?.replaceAll("%", "%25")
    if (piece === undefined) return count === 0 ? undefined : joinedValue
    joinedValue += piece
  }
}

/** Decodes `charset'language'text`. Returns undefined if it is malformed or not in UTF-8. */
function decodeExtended(value: string): string | undefined {
  const [, charset = "", text = ""] = /^([^']*)'[^']*'(.*)$/s.exec(value) ?? []
  if (/%(?![0-9a-f]{2})/i.test(text)) return undefined
  if (charset.toLowerCase() === "iso-8859-1")
    return text.replace(/%(..)/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  // Some clients write `utf8`, which the Encoding standard accepts too.
  if (!/^utf-?8$/i.test(charset)) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Returns the text of a quoted string (RFC 9110 §5.6.4). Other text is returned unchanged. */
export function unquoteText(text: string): string {
  if (text.length < 2 || !text.startsWith('"') || !text.endsWith('"')) return text
  const inner = text.slice(1, -1)
  return inner.includes("\\") ? inner.replace(/\\(.)/gs, "$1") : inner
}

/** Writes a quoted string (RFC 9110 §5.6.4). */
export function quoteText(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`
}

/** Returns the media type of a Content-Type, in lower case and without parameters. */
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
 * is 1. A malformed weight counts as 0, because the client may not want that element.
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
 * Returns the entity tags of a list such as `If-None-Match` (RFC 9110 §8.8.3), with their quotes and `W/`. The `W` must
 * be a capital, and a backslash in a tag is not an escape. Other elements are left out, because text around a tag could
 * mean anything.
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

/** Returns the number of bytes in a `Content-Length` (RFC 9110 §8.6); null if it is not a number. */
export function readLength(header: string): number | null {
  return /^\d{1,15}$/.test(header) ? Number(header) : null
}

/**
 * Parses an HTTP date to milliseconds since 1970. Returns NaN for anything else, including days that a month does not
 * have.
 *
 * @param now the time in milliseconds. A year with two digits is in the past century if it would be more than 50 years
 * ahead.
 */
export function readDate(text: string, now = Date.now()): number {
  for (const format of dateFormats) {
    const { day, month = "", year = "", time = "" } = format.exec(text)?.groups ?? {}
    if (day === undefined) continue
    const [hour = 0, minute = 0, second = 0] = time.split(":").map(Number)
    // 60 is a leap second, which a Date cannot represent.
    if (hour > 23 || minute > 59 || second > 60) return Number.NaN
    return toStartOfDay(toFullYear(year, now), monthNames.indexOf(month), Number(day)) + toDayMs(hour, minute, second)
  }
  return Number.NaN
}

/** Returns midnight of a day in milliseconds since 1970. Returns NaN for a day that the month does not have. */
function toStartOfDay(year: number, month: number, day: number): number {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date.getUTCDate() === day && date.getUTCMonth() === month ? date.getTime() : Number.NaN
}

function toDayMs(hour: number, minute: number, second: number): number {
  return ((hour * 60 + minute) * 60 + second) * 1000
}

/** The characters between the parts of a date in a cookie. */
const datePartSeparator = /[\t\x20-\x2f\x3b-\x40\x5b-\x60\x7b-\x7e]+/

/**
 * Parses the date in a cookie's `Expires` as browsers do (RFC 6265bis §5.6.1): a time, a day, a month and a year in any
 * order, always in UTC. Returns milliseconds since 1970. Returns NaN for anything else, such as `0` and a date of ISO
 * 8601.
 */
export function readCookieDate(text: string): number {
  let [time, day, month, year]: (number | undefined)[] = []
  for (const part of text.split(datePartSeparator)) {
    const [, hour, minute, second] = /^(\d\d?):(\d\d?):(\d\d?)(?!\d)/.exec(part) ?? []
    const [, dayText] = /^(\d\d?)(?!\d)/.exec(part) ?? []
    const [, yearText] = /^(\d{2,4})(?!\d)/.exec(part) ?? []
    const monthIndex = monthNames.findIndex((name) => part.slice(0, 3).toLowerCase() === name.toLowerCase())
    if (time === undefined && second !== undefined) {
      if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN
      time = toDayMs(Number(hour), Number(minute), Number(second))
    } else if (day === undefined && dayText !== undefined) day = Number(dayText)
    else if (month === undefined && monthIndex >= 0) month = monthIndex
    else if (year === undefined && yearText !== undefined) year = Number(yearText)
  }
  if (time === undefined || day === undefined || month === undefined || year === undefined) return Number.NaN
  const fullYear = year < 70 ? year + 2000 : year < 100 ? year + 1900 : year
  return fullYear < 1601 ? Number.NaN : toStartOfDay(fullYear, month, day) + time
}

function toFullYear(year: string, now: number): number {
  if (year.length === 4) return Number(year)
  const currentYear = new Date(now).getUTCFullYear()
  const fullYear = Math.floor(currentYear / 100) * 100 + Number(year)
  return fullYear > currentYear + 50 ? fullYear - 100 : fullYear
}
