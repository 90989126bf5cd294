/**
 * Prints attributes in compiled templates. Each function appends to a text, because V8 then makes no text for the attribute
 * itself, and takes `open`: the name with a space before it and `="` after it.
 */

import { noteURL } from "../dev-notes.ts"
import { checkMetaName } from "../template/meta.ts"
import { type AttributeKind, attributeKind, attributeName } from "./attributes.ts"
import { filterStyle, filters, isBlocked, isRelative } from "./filters.ts"
import { escapeHtml, isPromise, scalar, unprintable } from "./text.ts"

declare const FW_DEV_ERRORS: boolean

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
export type StyleValue =
  | Readonly<Record<string, string | number | false | null | undefined>>
  | false
  | null
  | undefined
/** The value of attributes that are JSON, such as `hx-vals`. @example const values: JSONObject = { page: 2 } */
export type JSONObject = object | false | null | undefined
/**
 * The value of `hx-config`. It has no `action`, which would be an unchecked URL: use `hx-get` and similar
 * attributes.
 *
 * @example const config: ConfigObject<{ timeout: number }> = { timeout: 5000 }
 */
export type ConfigObject<T extends object> = (T & { readonly action?: never }) | false | null | undefined

/** Appends an attribute to `text`, as all functions below. */
export function $fwAttribute(text: string, open: string, value: AttributeValue): string {
  if (typeof value === "string") return `${text}${open}${escapeHtml(value)}"`
  if (typeof value === "number") return `${text}${open}${value}"`
  return text + rareAttribute(open, value)
}

/** Returns an attribute whose value is neither text nor a number. It is apart, so that V8 inlines the common cases. */
function rareAttribute(open: string, value: AttributeValue): string {
  if (value === true) return open.slice(0, -2)
  if (value === false || value === null || value === undefined) return ""
  return `${open}${scalar(value, `in the attribute${open.slice(0, -2)}`)}"`
}

/** Prints an attribute whose value is "true" or "false", such as `aria-hidden`. */
export function $fwBoolean(text: string, open: string, value: AttributeValue): string {
  return $fwAttribute(text, open, typeof value === "boolean" ? String(value) : value)
}

/** The property under which `fw dev` listens for blocked values; in production it is not set. */
const listener: unique symbol = Symbol.for("fw.blocked")

/** Reports a blocked value of an attribute to `fw dev`. */
export function reportBlocked(attribute: string, value: string): void {
  const scope = globalThis as { [listener]?: (attribute: string, value: string) => void }
  scope[listener]?.(attribute, value)
}

/** Returns true for a `URL`, the only object that is printed as its text. */
export function isURL(value: unknown): value is URLObject {
  return value instanceof URL
}

type Filter = keyof typeof filters

const filtered = (kind: Filter) => {
  const filter = filters[kind]
  return (text: string, open: string, value: URLValue): string => {
    const given = typeof value === "object" && isURL(value) ? value.href : value
    if (typeof given !== "string") return $fwAttribute(text, open, given as AttributeValue)
    const safe = filter(given)
    if (safe !== given && isBlocked(safe)) reportBlocked(open.slice(1, -2), given)
    if (typeof FW_DEV_ERRORS === "undefined" || FW_DEV_ERRORS) noteURL(given)
    return `${text}${open}${escapeHtml(safe)}"`
  }
}

/** Returns a function that prints filtered text. `URL` objects are only for URLs. */
const filteredText = (kind: Filter) =>
  filtered(kind) as (text: string, open: string, value: AttributeValue) => string

/** Returns true for a relative URL that needs no filter: the filters of `url` and `link` allow it too. */
const isSafe = (value: URLValue): value is string => typeof value === "string" && isRelative(value)

/** Prints a relative URL. V8 inlines it with the functions below, which therefore are functions of the module. */
function relative(text: string, open: string, value: string): string {
  if (typeof FW_DEV_ERRORS === "undefined" || FW_DEV_ERRORS) noteURL(value)
  return `${text}${open}${escapeHtml(value)}"`
}

const otherURL = filtered("url")
/** Prints a URL. */
export function $fwUrl(text: string, open: string, value: URLValue): string {
  return isSafe(value) ? relative(text, open, value) : otherURL(text, open, value)
}
const otherLink = filtered("link")
/** Prints the URL of a link, which may have a scheme that the project allows. */
export function $fwLink(text: string, open: string, value: URLValue): string {
  return isSafe(value) ? relative(text, open, value) : otherLink(text, open, value)
}
/** Prints the URL of an image, which may be image data. */
export const $fwImage = filtered("image")
/** Prints the URL of audio or video, which may be data of that kind. */
export const $fwMedia = filtered("media")
/** Prints the source of a quotation, which may be the name of a book or a paper. */
export const $fwCite = filtered("cite")
/** Prints a URL that code is loaded from: only the page's own origin. */
export const $fwLocal = filtered("local")
/** Prints a list of images. */
export const $fwSrcset = filteredText("srcset")
/** Prints text for htmx, the text of its confirmation question, and its flags. */
export const $fwHtmx = filteredText("htmx")
export const $fwProse = filteredText("prose")
const flagText = filteredText("flag")
export const $fwFlag = (text: string, open: string, value: AttributeValue): string =>
  flagText(text, open, typeof value === "boolean" ? String(value) : value)
/** Prints a paint value of SVG. */
export const $fwPaint = filteredText("paint")

function classNames(value: ClassValue): string {
  if (typeof value === "string") return value
  if (!value) return ""
  if (!Array.isArray(value)) throw unprintable(value, "in the attribute class")
  let names = ""
  for (const item of value as readonly ClassValue[]) {
    const more = typeof item === "string" ? item : classNames(item)
    if (more !== "") names = names === "" ? more : `${names} ${more}`
  }
  return names
}

/** Prints `class`; nothing without a name. */
export function $fwClass(text: string, open: string, value: ClassValue): string {
  const names = classNames(value)
  return names === "" ? text : `${text}${open}${escapeHtml(names)}"`
}

/** Prints `style`; nothing without a declaration. */
export function $fwStyle(text: string, open: string, value: StyleValue): string {
  if (value === false || value === null || value === undefined) return text
  if (typeof value !== "object") throw unprintable(value, "in the attribute style, which takes an object")
  const style = filterStyle(value, (name, given) => reportBlocked(`style ${name}`, given))
  return style === "" ? text : `${text}${open}${escapeHtml(style)}"`
}

/**
 * Prints an attribute that is a JSON object. Strings are refused, because htmx runs one that begins with
 * `js:`.
 */
export function $fwJsonAttribute(text: string, open: string, value: JSONObject): string {
  if (value === false || value === null || value === undefined) return text
  const isObject = typeof value === "object" && !Array.isArray(value) && !isPromise(value)
  const json = isObject ? JSON.stringify(value) : undefined
  if (!json?.startsWith("{"))
    throw unprintable(value, `in the attribute${open.slice(0, -2)}, which takes an object`)
  return `${text}${open}${escapeHtml(json)}"`
}

/**
 * Prints `hx-config`, which htmx merges into its request. `action` is refused at any depth, because it is the
 * URL. With `hx-config:append`, htmx removes the braces and reads the rest by quotes, so strings must not
 * contain quotes.
 */
export function $fwConfig<T extends object>(text: string, open: string, value: ConfigObject<T>): string {
  if (value === false || value === null || value === undefined) return text
  const config: unknown = JSON.parse(
    JSON.stringify(value) ?? "null",
    function (this: unknown, key, inner: unknown) {
      if (key !== "action") return inner
      reportBlocked(open.slice(1, -2), `action: ${String(inner)}`)
      return undefined
    },
  )
  const isObject =
    typeof config === "object" && config !== null && !Array.isArray(config) && !isPromise(value)
  if (!isObject) throw unprintable(value, `in the attribute${open.slice(0, -2)}, which takes an object`)
  const json = JSON.stringify(config).replace(/\\(.)/g, (pair, mark) => (mark === '"' ? "\\u0022" : pair))
  return `${text}${open}${escapeHtml(json)}"`
}

type AnyHelper = (text: string, open: string, value: never) => string
const helpers: Readonly<Record<Exclude<AttributeKind, "code">, AnyHelper>> = {
  plain: $fwAttribute,
  boolean: $fwBoolean,
  url: $fwUrl,
  link: $fwLink,
  image: $fwImage,
  media: $fwMedia,
  cite: $fwCite,
  srcset: $fwSrcset,
  local: $fwLocal,
  htmx: $fwHtmx,
  prose: $fwProse,
  flag: $fwFlag,
  paint: $fwPaint,
  class: $fwClass,
  style: $fwStyle,
  json: $fwJsonAttribute,
  config: $fwConfig,
}

/**
 * Prints the attributes of objects by the same table. Later objects override earlier ones, and written
 * attributes override all.
 */
export function $fwSpread(
  element: string,
  objects: readonly (object | false | null | undefined)[],
  written: readonly string[],
): string {
  const values = new Map<string, { name: string; value: unknown }>()
  for (const object of objects) {
    for (const [name, value] of Object.entries(object || {})) values.set(name.toLowerCase(), { name, value })
  }
  const rel = written.includes("rel") ? undefined : values.get("rel")?.value
  const isPresent = (key: string): boolean => values.has(key) || written.includes(key)
  if (element === "meta" && !written.includes("name")) checkMetaName(values.get("name")?.value)
  let text = ""
  for (const [key, { name, value }] of values) {
    const kind = attributeKind(element, key, typeof rel === "string" ? rel : "")
    const isRefresh =
      (key === "content" || key === "http-equiv") && isPresent("content") && isPresent("http-equiv")
    if (!attributeName.test(name) || kind === "code" || isRefresh) {
      throw new TypeError(
        `The attribute "${name}" cannot be spread: it is not a valid name, or it is evaluated as code.`,
      )
    }
    // Each helper checks its value at run time too, because spread values may have any type.
    if (!written.includes(key)) text = helpers[kind](text, ` ${name}="`, value as never)
  }
  return text
}
