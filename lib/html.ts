/** Safe HTML, escaped for the place it stands in: what compiled templates import as `fw/html`, and `html` for route files. */
import { type AttributeKind, attributeKind, attributeName } from "./template/attributes.ts"
import {
  filterHtmx,
  filterLocal,
  filterPaint,
  filterSrcset,
  filterStyle,
  filterUrl,
  literalFilters,
} from "./template/filters.ts"
import { placesOf } from "./template/literal.ts"
import { type ElementName, elementNames } from "./template/named-elements.ts"

/** HTML that is safe to print as it is. It is made by templates, by `html` and by `raw`, and never changes. */
export class Html {
  readonly #value: string

  private constructor(value: string) {
    this.#value = value
  }

  /** Takes a string for safe HTML; `raw` is the public name of this. */
  static trust(value: string): Html {
    return new Html(value)
  }

  /** The HTML. */
  get value(): string {
    return this.#value
  }

  toString(): string {
    return this.#value
  }

  toJSON(): string {
    return this.#value
  }
}

/** What text can print: arrays print their items, and null, undefined and false print nothing. */
export type Printable = Html | string | number | bigint | null | undefined | false | readonly Printable[]
/** What a title or a text area can print: markup would be shown there, not read. */
export type PlainText = string | number | bigint | null | undefined | false | readonly PlainText[]
/** The value of an attribute: true prints the bare name; false, null and undefined print none. */
export type AttributeValue = string | number | bigint | boolean | null | undefined
/** The value of `class`: names and arrays of names; falsy values print nothing. */
export type ClassValue = string | false | 0 | null | undefined | readonly ClassValue[]
/** The value of `style`: properties by their CSS or camel-cased names; falsy values but 0 print nothing. */
export type StyleValue =
  | Readonly<Record<string, string | number | false | null | undefined>>
  | false
  | null
  | undefined
/** The value of attributes that hold JSON, such as `hx-vals`. */
export type JsonObject = object | false | null | undefined
type NoPromise<T> = T extends PromiseLike<unknown> | ((...args: never[]) => unknown) | symbol | bigint
  ? never
  : T

/** Takes a string for safe HTML. Whatever a user could have written must never reach it. */
export function raw(html: string): Html {
  return Html.trust(html)
}

const special = /["&'<>]/

/** Escapes a string for text and for quoted attribute values. */
export function escapeHtml(text: string): string {
  // Short strings are scanned faster by hand, long ones by the regular expression engine.
  if (text.length > 20) {
    const at = text.search(special)
    return at < 0 ? text : escapeFrom(text, at)
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 63 && (code === 34 || code === 38 || code === 39 || code === 60 || code === 62)) {
      return escapeFrom(text, at)
    }
  }
  return text
}

const entities: Record<number, string> = { 34: "&quot;", 38: "&amp;", 39: "&#39;", 60: "&lt;", 62: "&gt;" }

function escapeFrom(text: string, first: number): string {
  let escaped = ""
  let last = 0
  for (let at = first; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const entity = code < 63 ? entities[code] : undefined
    if (entity === undefined) continue
    escaped += last === at ? entity : text.slice(last, at) + entity
    last = at + 1
  }
  return last === text.length ? escaped : escaped + text.slice(last)
}

const isPromise = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"

/** The error for a value that cannot be printed, which types normally keep away. */
function unprintable(value: unknown, where: string): TypeError {
  if (typeof value === "object" && value !== null && "then" in value)
    return new TypeError(`A promise cannot be printed ${where}: write {await …} in the template.`)
  if (value instanceof Html) return new TypeError(`Markup cannot be printed ${where}, only text can.`)
  const what = typeof value === "object" ? (value?.constructor?.name ?? "object") : String(value).slice(0, 40)
  return new TypeError(
    `${typeof value === "object" ? `An object (${what})` : `"${what}"`} cannot be printed ${where}.`,
  )
}

/** Prints text in a compiled template. */
export function $fwText(value: Printable): string {
  if (typeof value === "string") return escapeHtml(value)
  if (value instanceof Html) return value.value
  if (Array.isArray(value)) {
    let text = ""
    for (const item of value as readonly Printable[]) text += $fwText(item)
    return text
  }
  return scalar(value, "in text")
}

/** Prints the text of a title or text area. */
export function $fwPlain(value: PlainText): string {
  if (typeof value === "string") return escapeHtml(value)
  if (Array.isArray(value)) return (value as readonly PlainText[]).map($fwPlain).join("")
  return scalar(value, "in a title or text area")
}

function scalar(value: unknown, where: string): string {
  if (value === null || value === undefined || value === false) return ""
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  if (typeof value === "string") return escapeHtml(value)
  throw unprintable(value, where)
}

/** Keeps a first newline of a `pre` or `textarea`, which the HTML parser would drop. */
export function $fwNewline(text: string): string {
  const first = text.charCodeAt(0)
  return first === 10 || first === 13 ? `\n${text}` : text
}

/** What `<{tag}>` takes: a union of literal names from the list. `any` would say nothing of the name. */
type NameOf<T> = 0 extends 1 & T ? never : [T] extends [ElementName] ? T : ElementName

/** The name of an element, where that is an expression. */
export function $fwTag<const T>(name: NameOf<T>): string {
  const given: unknown = name
  if ((elementNames as readonly unknown[]).includes(given)) return given as ElementName
  const text = typeof given === "string" ? `"${given.slice(0, 40)}"` : typeof given
  throw new TypeError(
    `The name of an element cannot be ${text}. It is one of these: ${elementNames.join(", ")}.`,
  )
}

/** What could end a script, a string, a template literal or a regular expression around JSON. */
const inScript = /[&<>'`$/\u2028\u2029]/g

/** Prints a value as JSON that means the same in every place of a script, and ends none of them. */
export function $fwJson<T>(value: NoPromise<T>): string {
  const given: unknown = value
  const text = given === undefined ? "null" : JSON.stringify(given)
  if (text === undefined || isPromise(given)) throw unprintable(given, "in a script")
  return text.replace(inScript, (mark) =>
    mark === "/" ? "\\/" : `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

/** Prints a value into JavaScript: as JSON, but a key `__proto__` would set the prototype there. */
export function $fwScript<T>(value: NoPromise<T>): string {
  return $fwJson<T>(value).replace(/([{,])"__proto__":/g, '$1["__proto__"]:')
}

/** Prints an attribute; `open` is its name with a blank before and `="` after it, as for all that follow. */
export function $fwAttribute(open: string, value: AttributeValue): string {
  if (typeof value === "string") return `${open}${escapeHtml(value)}"`
  if (typeof value === "number") return `${open}${value}"`
  if (value === true) return open.slice(0, -2)
  if (value === false || value === null || value === undefined) return ""
  return `${open}${scalar(value, `in the attribute${open.slice(0, -2)}`)}"`
}

/** Prints an attribute whose truth is spelled out, such as `aria-hidden`. */
export function $fwBoolean(open: string, value: AttributeValue): string {
  return $fwAttribute(open, typeof value === "boolean" ? String(value) : value)
}

/** Prints an attribute that holds a URL. */
export function $fwUrl(open: string, value: AttributeValue): string {
  return typeof value === "string"
    ? `${open}${escapeHtml(filterUrl(value, false))}"`
    : $fwAttribute(open, value)
}

const filtered =
  (filter: (text: string) => string) =>
  (open: string, value: AttributeValue): string =>
    $fwAttribute(open, typeof value === "string" ? filter(value) : value)

/** Prints the URL of an image, which may be image data. */
export const $fwImage = filtered((url) => filterUrl(url, true))
/** Prints a list of images. */
export const $fwSrcset = filtered(filterSrcset)
/** Prints a URL that code is loaded from: one of the page's own origin. */
export const $fwLocal = filtered(filterLocal)
/** Prints text for htmx, and paint of SVG. */
export const $fwHtmx = filtered(filterHtmx)
export const $fwPaint = filtered(filterPaint)

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

/** Prints `class`; without a name there is no attribute. */
export function $fwClass(open: string, value: ClassValue): string {
  const names = classNames(value)
  return names === "" ? "" : `${open}${escapeHtml(names)}"`
}

/** Prints `style`; without a declaration there is no attribute. */
export function $fwStyle(open: string, value: StyleValue): string {
  if (value === false || value === null || value === undefined) return ""
  if (typeof value !== "object") throw unprintable(value, "in the attribute style, which takes an object")
  const style = filterStyle(value)
  return style === "" ? "" : `${open}${escapeHtml(style)}"`
}

/** Prints an attribute that holds a JSON object. htmx runs a string that begins with `js:`, so none is taken. */
export function $fwJsonAttribute(open: string, value: JsonObject): string {
  if (value === false || value === null || value === undefined) return ""
  const isObject = typeof value === "object" && !Array.isArray(value) && !isPromise(value)
  const text = isObject ? JSON.stringify(value) : undefined
  if (!text?.startsWith("{"))
    throw unprintable(value, `in the attribute${open.slice(0, -2)}, which takes an object`)
  return `${open}${escapeHtml(text)}"`
}

type AnyHelper = (open: string, value: never) => string
const helpers: Readonly<Record<Exclude<AttributeKind, "code">, AnyHelper>> = {
  plain: $fwAttribute,
  boolean: $fwBoolean,
  url: $fwUrl,
  image: $fwImage,
  srcset: $fwSrcset,
  local: $fwLocal,
  htmx: $fwHtmx,
  paint: $fwPaint,
  class: $fwClass,
  style: $fwStyle,
  json: $fwJsonAttribute,
}

/** Prints the attributes of objects by the same table; later objects win over earlier, written attributes over all. */
export function $fwSpread(
  element: string,
  objects: readonly (object | false | null | undefined)[],
  written: readonly string[],
): string {
  const values = new Map<string, { name: string; value: unknown }>()
  for (const object of objects) {
    for (const [name, value] of Object.entries(object || {})) values.set(name.toLowerCase(), { name, value })
  }
  const isPresent = (key: string): boolean => values.has(key) || written.includes(key)
  let text = ""
  for (const [key, { name, value }] of values) {
    const kind = attributeKind(element, key)
    const isRefresh =
      (key === "content" || key === "http-equiv") && isPresent("content") && isPresent("http-equiv")
    if (!attributeName.test(name) || kind === "code" || isRefresh) {
      throw new TypeError(
        `The attribute "${name}" cannot be spread: it is no valid name, or is evaluated as code.`,
      )
    }
    // Each helper checks its value at run time as well: what is spread may have any type.
    if (!written.includes(key)) text += helpers[kind](` ${name}="`, value as never)
  }
  return text
}

const plainPlace = "in an attribute, a title or a text area"

/**
 * Safe HTML from a literal, for route files: `` html`<p class="${name}">${text}</p>` ``.
 *
 * Values are escaped in text, in titles and text areas, and in quoted attribute values; URL attributes
 * are filtered as in templates. It refuses, with an error, values at any other place: in a tag outside
 * quotes, in comments, scripts and styles, and in attributes that are evaluated (`on…`, `style`,
 * `srcset`, `srcdoc`, `hx-vals` and the like). A literal must be whole: it ends in text, outside of tags.
 * It knows nothing of `class` arrays, conditional attributes or JSON; those are for templates.
 */
export function html(strings: TemplateStringsArray, ...values: readonly Printable[]): Html {
  const places = placesOf(strings)
  let text = strings[0] ?? ""
  for (let index = 0; index < values.length; index++) {
    const value = values[index]
    const place = places[index]
    if (place === "text") text += $fwText(value)
    else if (place === "plain") text += scalar(value, plainPlace)
    else
      text += escapeHtml(
        literalFilters[place ?? "url"](typeof value === "string" ? value : scalar(value, plainPlace)),
      )
    text += strings[index + 1] ?? ""
  }
  return Html.trust(text)
}
