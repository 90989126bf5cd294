/**
 * Turns values into the text of attributes: filtered URLs, class names, style declarations, JSON. Each function gets
 * the name of the attribute for its messages.
 */
import { getDevHooks } from "../dev/hooks.ts"
import { filterStyle, filters, isBlocked, isRelative } from "./filters.ts"
import { createUnprintableError, isPromise } from "./text.ts"

/**
 * The value of an attribute: true prints only the name; false, null and undefined print nothing.
 *
 * @example const disabled: AttributeValue = true // prints the bare name
 */
export type AttributeValue = string | number | bigint | boolean | null | undefined
/**
 * A `URL`, described by its members. A project that has neither the types of the DOM nor those of Node does not know
 * the class.
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
 * The value of `class`: names, and arrays of names. Falsy values print nothing.
 *
 * @example
 * const isActive = false
 * const names: ClassValue = ["card", isActive && "active"]
 */
export type ClassValue = string | false | 0 | null | undefined | readonly ClassValue[]
/**
 * The value of `style`: values by the name of a property, in CSS or in camel case. Falsy values except 0 print nothing.
 *
 * @example const style: StyleValue = { color: "red", "--gap": "4px" }
 */
export type StyleValue = Readonly<Record<string, string | number | false | null | undefined>> | false | null | undefined
/** The value of attributes that are JSON, such as `hx-vals`. @example const values: JSONObject = { page: 2 } */
export type JSONObject = object | false | null | undefined
/**
 * The value of `hx-config`. It must not have `action`, which would be a URL that nothing checks: use `hx-get` and
 * similar attributes.
 *
 * @example const config: ConfigObject<{ timeout: number }> = { timeout: 5000 }
 */
export type ConfigObject<T extends object> = (T & { readonly action?: never }) | false | null | undefined

/** Returns the value of an attribute that is "true" or "false" as text, such as `aria-hidden`. */
export function $fwBoolean(value: AttributeValue, _name: string): AttributeValue {
  return typeof value === "boolean" ? String(value) : value
}

/** Tells `fw dev` that the value of an attribute was blocked. */
export function reportBlocked(attribute: string, value: string): void {
  getDevHooks()?.onBlocked?.(attribute, value)
}

/** Passes a URL of an attribute to `fw dev`, and returns it. */
export function reportURL(url: string): string {
  getDevHooks()?.onURL?.(url)
  return url
}

/** Returns true for a `URL`. No other object is printed as text. */
export function isURL(value: unknown): value is URLObject {
  return value instanceof URL
}

type FilterKind = keyof typeof filters

const createFilter = (kind: FilterKind) => {
  const filter = filters[kind]
  return (value: URLValue, name: string): AttributeValue => {
    const urlOrValue = typeof value === "object" && isURL(value) ? value.href : value
    // Printing refuses the other types that no attribute accepts.
    if (typeof urlOrValue !== "string") return urlOrValue as AttributeValue
    const safe = filter(urlOrValue)
    if (safe !== urlOrValue && isBlocked(safe)) reportBlocked(name, urlOrValue)
    reportURL(urlOrValue)
    return safe
  }
}

/** Returns a function that filters text. It does not accept `URL` objects. */
const createTextFilter = (kind: FilterKind) =>
  createFilter(kind) as (value: AttributeValue, name: string) => AttributeValue

/** Returns true for a relative URL. The filters `url` and `link` would return it unchanged. */
const isSafeURL = (value: URLValue): value is string => typeof value === "string" && isRelative(value)

const filterURLValue = createFilter("url")
/** Filters the URL of an attribute that has no filter of its own below. */
export function $fwUrl(value: URLValue, name: string): AttributeValue {
  return isSafeURL(value) ? reportURL(value) : filterURLValue(value, name)
}
const filterLinkValue = createFilter("link")
/** Filters the URL of a link. The project may allow further schemes for links. */
export function $fwLink(value: URLValue, name: string): AttributeValue {
  return isSafeURL(value) ? reportURL(value) : filterLinkValue(value, name)
}
/** Filters the URL of an image. Allows `data:` URLs of images. */
export const $fwImage = createFilter("image")
/** Filters the URL of audio or video. Allows `data:` URLs of audio and video. */
export const $fwMedia = createFilter("media")
/** Filters the source of a quotation. Allows `urn:` and `doi:`, which name books and papers. */
export const $fwCite = createFilter("cite")
/** Filters a URL that code is loaded from. Allows only the page's own origin. */
export const $fwLocal = createFilter("local")
/** Filters the list of images in `srcset`. */
export const $fwSrcset = createTextFilter("srcset")
/** Filters text that htmx reads. */
export const $fwHtmx = createTextFilter("htmx")
/** Filters the question of `hx-confirm`. */
export const $fwProse = createTextFilter("prose")
const filterFlag = createTextFilter("flag")
/** Filters an attribute of htmx that is only "true" or "false". */
export const $fwFlag = (value: AttributeValue, name: string): AttributeValue =>
  filterFlag(typeof value === "boolean" ? String(value) : value, name)
/** Filters a value such as `fill` in SVG, which browsers read as CSS. */
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

/** Returns the text of `class`; undefined if there are no names. */
export function $fwClass(value: ClassValue, _name: string): string | undefined {
  return joinClassNames(value) || undefined
}

/** Returns the text of `style`; undefined if there are no declarations. */
export function $fwStyle(value: StyleValue, _name: string): string | undefined {
  if (value === false || value === null || value === undefined) return undefined
  if (typeof value !== "object") throw createUnprintableError(value, "in the attribute style, which takes an object")
  return filterStyle(value, (name, given) => reportBlocked(`style ${name}`, given)) || undefined
}

/**
 * Returns the JSON of an object. Strings are refused, because htmx runs a string that begins with `js:`.
 */
export function $fwJsonAttribute(value: JSONObject, name: string): string | undefined {
  if (value === false || value === null || value === undefined) return undefined
  const isObject = typeof value === "object" && !Array.isArray(value) && !isPromise(value)
  const json = isObject ? JSON.stringify(value) : undefined
  if (!json?.startsWith("{")) throw createUnprintableError(value, `in the attribute ${name}, which takes an object`)
  return json
}

/**
 * Returns the JSON of `hx-config`, which htmx merges into its request. `action` is refused at any depth, because htmx
 * sends the request to it. With `hx-config:append`, htmx removes the braces and splits the rest at quotes, so strings
 * must not contain quotes.
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
