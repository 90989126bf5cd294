/**
 * Makes what attributes print from the values that they take: filtered URLs, names of classes, declarations, JSON. Each function gets
 * the name of the attribute, for its messages.
 */
import { devHooks } from "../dev/hooks.ts"
import { filterStyle, filters, isBlocked, isRelative } from "./filters.ts"
import { createUnprintableError, isPromise } from "./text.ts"

/**
 * The value of an attribute: true prints only the name; false, null and undefined print nothing.
 *
 * @example const disabled: AttributeValue = true // prints the bare name
 */
export type AttributeValue = string | number | bigint | boolean | null | undefined
/**
 * A `URL`, described by its members, because a project without the types of the DOM or of Node does not have
 * that type.
 *
 * @example const url: URLObject = new URL("https://shop.example/")
 */
export interface URLObject {
  readonly href: string
  readonly searchParams: object
}
/** The value of an attribute that is a URL. @example const link: URLValue = "/users/7" */
export type URLValue = AttributeValue | URLObject
/**
 * The value of `class`: names and arrays of names; falsy values print nothing.
 *
 * @example
 * const isActive = false
 * const names: ClassValue = ["card", isActive && "active"]
 */
export type ClassValue = string | false | 0 | null | undefined | readonly ClassValue[]
/**
 * The value of `style`: properties by their CSS or camel-cased names; falsy values but 0 print nothing.
 *
 * @example const style: StyleValue = { color: "red", "--gap": "4px" }
 */
export type StyleValue = Readonly<Record<string, string | number | false | null | undefined>> | false | null | undefined
/** The value of attributes that are JSON, such as `hx-vals`. @example const values: JSONObject = { page: 2 } */
export type JSONObject = object | false | null | undefined
/**
 * The value of `hx-config`. It has no `action`, which would be an unchecked URL: use `hx-get` and similar
 * attributes.
 *
 * @example const config: ConfigObject<{ timeout: number }> = { timeout: 5000 }
 */
export type ConfigObject<T extends object> = (T & { readonly action?: never }) | false | null | undefined

/** Returns the value of an attribute that prints "true" and "false", such as `aria-hidden`. */
export function $fwBoolean(value: AttributeValue, _name: string): AttributeValue {
  return typeof value === "boolean" ? String(value) : value
}

/** Reports a blocked value of an attribute to `fw dev`. */
export function reportBlocked(attribute: string, value: string): void {
  devHooks()?.onBlocked?.(attribute, value)
}

/** Passes a URL of an attribute to `fw dev`, and returns it. */
export function noteURL(url: string): string {
  devHooks()?.onURL?.(url)
  return url
}

/** Returns true for a `URL`, the only object that is printed as its text. */
export function isURL(value: unknown): value is URLObject {
  return value instanceof URL
}

type FilterKind = keyof typeof filters

const createFilter = (kind: FilterKind) => {
  const filter = filters[kind]
  return (value: URLValue, name: string): AttributeValue => {
    const given = typeof value === "object" && isURL(value) ? value.href : value
    // A value that no attribute takes is refused when it is printed.
    if (typeof given !== "string") return given as AttributeValue
    const safe = filter(given)
    if (safe !== given && isBlocked(safe)) reportBlocked(name, given)
    noteURL(given)
    return safe
  }
}

/** Returns a function that filters text. `URL` objects are only for URLs. */
const createTextFilter = (kind: FilterKind) =>
  createFilter(kind) as (value: AttributeValue, name: string) => AttributeValue

/** Returns true for a relative URL that needs no filter: the filters of `url` and `link` allow it too. */
const isSafeURL = (value: URLValue): value is string => typeof value === "string" && isRelative(value)

const filterOtherURL = createFilter("url")
/** Filters a URL. */
export function $fwUrl(value: URLValue, name: string): AttributeValue {
  return isSafeURL(value) ? noteURL(value) : filterOtherURL(value, name)
}
const filterOtherLink = createFilter("link")
/** Filters the URL of a link, which may have a scheme that the project allows. */
export function $fwLink(value: URLValue, name: string): AttributeValue {
  return isSafeURL(value) ? noteURL(value) : filterOtherLink(value, name)
}
/** Filters the URL of an image, which may be image data. */
export const $fwImage = createFilter("image")
/** Filters the URL of audio or video, which may be data of that kind. */
export const $fwMedia = createFilter("media")
/** Filters the source of a quotation, which may be the name of a book or a paper. */
export const $fwCite = createFilter("cite")
/** Filters a URL that code is loaded from: only the page's own origin. */
export const $fwLocal = createFilter("local")
/** Filters a list of images. */
export const $fwSrcset = createTextFilter("srcset")
/** Filters text for htmx, the text of its confirmation question, and its flags. */
export const $fwHtmx = createTextFilter("htmx")
export const $fwProse = createTextFilter("prose")
const filterFlag = createTextFilter("flag")
export const $fwFlag = (value: AttributeValue, name: string): AttributeValue =>
  filterFlag(typeof value === "boolean" ? String(value) : value, name)
/** Filters a paint value of SVG. */
export const $fwPaint = createTextFilter("paint")

function joinClassNames(value: ClassValue): string {
  if (typeof value === "string") return value
  if (!value) return ""
  if (!Array.isArray(value)) throw createUnprintableError(value, "in the attribute class")
  let names = ""
  for (const item of value as readonly ClassValue[]) {
    const more = typeof item === "string" ? item : joinClassNames(item)
    if (more !== "") names = names === "" ? more : `${names} ${more}`
  }
  return names
}

/** Returns the names of `class`; undefined without one. */
export function $fwClass(value: ClassValue, _name: string): string | undefined {
  return joinClassNames(value) || undefined
}

/** Returns the declarations of `style`; undefined without one. */
export function $fwStyle(value: StyleValue, _name: string): string | undefined {
  if (value === false || value === null || value === undefined) return undefined
  if (typeof value !== "object") throw createUnprintableError(value, "in the attribute style, which takes an object")
  return filterStyle(value, (name, given) => reportBlocked(`style ${name}`, given)) || undefined
}

/**
 * Returns the JSON of an object. Strings are refused, because htmx runs one that begins with
 * `js:`.
 */
export function $fwJsonAttribute(value: JSONObject, name: string): string | undefined {
  if (value === false || value === null || value === undefined) return undefined
  const isObject = typeof value === "object" && !Array.isArray(value) && !isPromise(value)
  const json = isObject ? JSON.stringify(value) : undefined
  if (!json?.startsWith("{")) throw createUnprintableError(value, `in the attribute ${name}, which takes an object`)
  return json
}

/**
 * Returns the JSON of `hx-config`, which htmx merges into its request. `action` is refused at any depth, because it is the
 * URL. With `hx-config:append`, htmx removes the braces and reads the rest by quotes, so strings must not
 * contain quotes.
 */
export function $fwConfig<T extends object>(value: ConfigObject<T>, name: string): string | undefined {
  if (value === false || value === null || value === undefined) return undefined
  const config: unknown = JSON.parse(JSON.stringify(value) ?? "null", function (this: unknown, key, inner: unknown) {
    if (key !== "action") return inner
    reportBlocked(name, `action: ${String(inner)}`)
    return undefined
  })
  const isObject = typeof config === "object" && config !== null && !Array.isArray(config) && !isPromise(value)
  if (!isObject) throw createUnprintableError(value, `in the attribute ${name}, which takes an object`)
  return JSON.stringify(config).replace(/\\(.)/g, (pair, mark) => (mark === '"' ? "\\u0022" : pair))
}
