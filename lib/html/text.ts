/** Safe HTML as a value, and the functions with which templates print text and scripts. */

import { findLossyPart } from "../lossy-part.ts"
import { type DeferredBlock, findBlocks, keepBlocks, markStart } from "./deferred-blocks.ts"
import { escapeHtml } from "./escape.ts"

/** Returns the deferred blocks of an `Html`. Not exported from the package. */
export let getDeferredBlocks: (html: Html) => readonly DeferredBlock[] | undefined

/** Returns the text of an `Html`, and passes its deferred blocks to the markup around it. */
let printHtml: (html: Html, into?: Map<string, DeferredBlock>) => string

/**
 * HTML that is safe to print unchanged. Made by templates, `html` and `raw`; it never changes.
 *
 * @example
 * const heading: Html = html`<h1>${"Ada & Bob"}</h1>`
 * heading.value // → "<h1>Ada &amp; Bob</h1>"
 */
export class Html {
  readonly #value: string
  readonly #blocks: readonly DeferredBlock[] | undefined

  private constructor(value: string, blocks: ReadonlyMap<string, DeferredBlock> | undefined) {
    this.#value = value
    this.#blocks = findBlocks(value, blocks)
  }

  static {
    getDeferredBlocks = (html) => html.#blocks
    printHtml = (html, into) => {
      if (html.#blocks) keepBlocks(html.#blocks, into)
      return html.#value
    }
  }

  /**
   * Marks a string as safe HTML. Programs call `raw`.
   *
   * @param blocks the deferred blocks whose marks the string may contain. Default: those that were printed just before.
   */
  static trust(value: string, blocks?: ReadonlyMap<string, DeferredBlock>): Html {
    return new Html(value, blocks)
  }

  /** The HTML as text. Deferred blocks appear in it as comments, which are replaced only in the answer with a page. */
  get value(): string {
    return printHtml(this)
  }

  toString(): string {
    return printHtml(this)
  }

  toJSON(): string {
    return printHtml(this)
  }
}

/**
 * A value that can be printed as text. Arrays print their items; null, undefined and false print nothing.
 *
 * @example
 * const items: Printable = [html`<li>tea</li>`, html`<li>milk</li>`]
 * html`<ul>${items}</ul>`.value // → "<ul><li>tea</li><li>milk</li></ul>"
 */
export type Printable = Html | string | number | bigint | null | undefined | false | readonly Printable[]
/**
 * A value that a title or a text area can print. Markup is not allowed, because it would be shown as text.
 *
 * @example const title: PlainText = ["Shop", " – ", "Cart"]
 */
export type PlainText = string | number | bigint | null | undefined | false | readonly PlainText[]
/** The type `T`, or `never` if JSON cannot represent it: a `Map` or a `Set`, for example, would be printed as `{}`. */
type JSONSafe<T> = T extends
  | PromiseLike<unknown>
  | ((...args: never[]) => unknown)
  | symbol
  | bigint
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  ? never
  : T

/**
 * Marks a string as safe HTML. Never pass text that a user could have written.
 *
 * @example html`<p>${raw("<b>bold</b>")}</p>`.value // → "<p><b>bold</b></p>"
 */
export function raw(html: string): Html {
  return Html.trust(html)
}

/** Returns markup of a compiled template. */
export function $fwRaw(html: string, blocks?: ReadonlyMap<string, DeferredBlock>): Html {
  return Html.trust(html, blocks)
}

export const isPromise = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"

/**
 * Returns the error for a value that cannot be printed. It is rare, because the types of templates refuse such values.
 */
export function createUnprintableError(value: unknown, where: string): TypeError {
  if (typeof value === "object" && value !== null && "then" in value)
    return new TypeError(`A promise cannot be printed ${where}: write {await …} in the template.`)
  if (value instanceof Html) return new TypeError(`Markup cannot be printed ${where}, only text can.`)
  const excerpt = typeof value === "object" ? (value?.constructor?.name ?? "object") : String(value).slice(0, 40)
  return new TypeError(
    `${typeof value === "object" ? `An object (${excerpt})` : `"${excerpt}"`} cannot be printed ${where}.`,
  )
}

/** Prints text in a compiled template. */
export function $fwText(value: Printable, into?: Map<string, DeferredBlock>): string {
  if (typeof value === "string") return escapeHtml(value)
  if (value instanceof Html) return printHtml(value, into)
  if (Array.isArray(value)) {
    let text = ""
    for (const item of value as readonly Printable[]) text += $fwText(item, into)
    return text
  }
  return printScalar(value, "in text")
}

/** Prints the text of a title or text area. */
export function $fwPlain(value: PlainText): string {
  if (typeof value === "string") return escapeHtml(value)
  if (Array.isArray(value)) return (value as readonly PlainText[]).map($fwPlain).join("")
  return printScalar(value, "in a title or text area")
}

export function printScalar(value: unknown, where: string): string {
  if (value === null || value === undefined || value === false) return ""
  if (typeof value === "number" || typeof value === "bigint") return String(value)
  if (typeof value === "string") return escapeHtml(value)
  throw createUnprintableError(value, where)
}

/**
 * Adds a newline at the start of a `pre` or a `textarea`, because HTML parsers drop the first one. A deferred block may
 * begin with one.
 */
export function $fwNewline(text: string): string {
  const first = text.charCodeAt(0)
  const isDeferred = text.startsWith(markStart)
  return first === 10 || first === 13 || isDeferred ? `\n${text}` : text
}

/** Characters that could end a script, a string, a template literal or a regular expression around JSON. */
const scriptCharacters = /[&<>'`$/\u2028\u2029]/g

/**
 * Checks that JSON represents a value without loss. @throws TypeError for values that would become null or an empty
 * object.
 */
function checkLossless(value: unknown, text: string): void {
  const lossy = findLossyPart(value, text)
  if (!lossy) return
  const { description, position, json, replacement } = lossy
  throw new TypeError(
    `${description.replace(/^a/, "A")}${position} cannot be printed in a script, where it would be ${json}: print ${replacement}.`,
  )
}

/** Returns a value as JSON that means the same at every place in a script, and cannot end the script or a string in it. */
export function $fwJson<T>(value: JSONSafe<T>): string {
  const uncheckedValue: unknown = value
  const text = uncheckedValue === undefined ? "null" : JSON.stringify(uncheckedValue)
  if (text === undefined || isPromise(uncheckedValue)) throw createUnprintableError(uncheckedValue, "in a script")
  checkLossless(uncheckedValue, text)
  return text.replace(scriptCharacters, (mark) =>
    mark === "/" ? "\\/" : `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

/** Returns a value as JavaScript. That is JSON, except for a key `__proto__`, which would set the prototype. */
export function $fwScript<T>(value: JSONSafe<T>): string {
  return $fwJson<T>(value).replace(/([{,])"__proto__":/g, '$1["__proto__"]:')
}
