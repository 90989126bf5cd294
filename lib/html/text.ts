/** Safe HTML as a value, and functions that print text and scripts in compiled templates. */

import { findLossyPart } from "../lossy-part.ts"
import { type DeferredBlock, findBlocks, keepBlocks, markStart } from "./deferred-blocks.ts"
import { escapeHtml } from "./escape.ts"

/** Returns the deferred blocks of markup. Not exported from the package. */
export let getDeferredBlocks: (html: Html) => readonly DeferredBlock[] | undefined

/** Returns the text of markup, and keeps its deferred blocks for the markup around it. */
let printHtml: (html: Html, into?: Map<string, DeferredBlock>) => string

/**
 * HTML that is safe to print unchanged. Templates, `html` and `raw` create it; it is immutable.
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
   * Marks a string as safe HTML; `raw` is the public name of this.
   *
   * @param blocks the deferred blocks that it may contain. Default: those that were printed just now.
   */
  static trust(value: string, blocks?: ReadonlyMap<string, DeferredBlock>): Html {
    return new Html(value, blocks)
  }

  /** The HTML. Deferred blocks in it are comments, which only a page replaces. */
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
 * A value that text can print: arrays print their items, and null, undefined and false print nothing.
 *
 * @example
 * const items: Printable = [html`<li>tea</li>`, html`<li>milk</li>`]
 * html`<ul>${items}</ul>`.value // → "<ul><li>tea</li><li>milk</li></ul>"
 */
export type Printable = Html | string | number | bigint | null | undefined | false | readonly Printable[]
/**
 * A value that a title or a text area can print. Markup would be shown there as text.
 *
 * @example const title: PlainText = ["Shop", " – ", "Cart"]
 */
export type PlainText = string | number | bigint | null | undefined | false | readonly PlainText[]
/** A value that JSON represents without loss. `Map` and `Set` would be printed as `{}`. */
type NoPromise<T> = T extends
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

/** Makes markup in a compiled template. */
export function $fwRaw(html: string, blocks?: ReadonlyMap<string, DeferredBlock>): Html {
  return Html.trust(html, blocks)
}

export const isPromise = (value: unknown): boolean =>
  typeof value === "object" && value !== null && "then" in value && typeof value.then === "function"

/** Returns the error for a value that cannot be printed, which types normally prevent. */
export function createUnprintableError(value: unknown, where: string): TypeError {
  if (typeof value === "object" && value !== null && "then" in value)
    return new TypeError(`A promise cannot be printed ${where}: write {await …} in the template.`)
  if (value instanceof Html) return new TypeError(`Markup cannot be printed ${where}, only text can.`)
  const what = typeof value === "object" ? (value?.constructor?.name ?? "object") : String(value).slice(0, 40)
  return new TypeError(`${typeof value === "object" ? `An object (${what})` : `"${what}"`} cannot be printed ${where}.`)
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

/** Keeps a first newline of a `pre` or `textarea`, which the HTML parser would drop; also that of a deferred block. */
export function $fwNewline(text: string): string {
  const first = text.charCodeAt(0)
  const isDeferred = text.startsWith(markStart)
  return first === 10 || first === 13 || isDeferred ? `\n${text}` : text
}

/** Characters that could end a script, a string, a template literal or a regular expression around JSON. */
const scriptCharacters = /[&<>'`$/\u2028\u2029]/g

/** Throws for values that would print as null or as an empty object. */
function checkLossless(value: unknown, text: string): void {
  const lossy = findLossyPart(value, text)
  if (!lossy) return
  const { what, at, becomes, instead } = lossy
  throw new TypeError(
    `${what.replace(/^a/, "A")}${at} cannot be printed in a script, where it would be ${becomes}: print ${instead}.`,
  )
}

/** Returns a value as JSON that has the same meaning in every place of a script, and cannot end any. */
export function $fwJson<T>(value: NoPromise<T>): string {
  const given: unknown = value
  const text = given === undefined ? "null" : JSON.stringify(given)
  if (text === undefined || isPromise(given)) throw createUnprintableError(given, "in a script")
  checkLossless(given, text)
  return text.replace(scriptCharacters, (mark) =>
    mark === "/" ? "\\/" : `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )
}

/** Prints a value into JavaScript: as JSON, except that a key `__proto__` would set the prototype there. */
export function $fwScript<T>(value: NoPromise<T>): string {
  return $fwJson<T>(value).replace(/([{,])"__proto__":/g, '$1["__proto__"]:')
}
