/**
 * Prints attributes in compiled templates. Each function appends to a text, together with the literal text on both sides of the value,
 * because V8 joins a text of fewer pieces faster.
 */

import { checkMetaName } from "../template/meta.ts"
import {
  $fwBoolean,
  $fwCite,
  $fwClass,
  $fwConfig,
  $fwFlag,
  $fwHtmx,
  $fwImage,
  $fwJsonAttribute,
  $fwLink,
  $fwLocal,
  $fwMedia,
  $fwPaint,
  $fwProse,
  $fwSrcset,
  $fwStyle,
  $fwUrl,
  type AttributeValue,
} from "./attribute-values.ts"
import { type AttributeKind, attributeKind, attributeName } from "./attributes.ts"
import { escapeHtml } from "./escape.ts"
import { scalar } from "./text.ts"

/**
 * Appends an attribute to `text`.
 *
 * @param open the literal text before the value, as far as `="`.
 * @param at the index in `open` of the space before the attribute's name.
 * @param close the literal text after the value, from the quotation mark on; "" if `$fwNext` appends that with the next attribute.
 */
export function $fwAttribute(text: string, open: string, value: AttributeValue, at = 0, close = '"'): string {
  if (typeof value === "string") return text + open + escapeHtml(value) + close
  if (typeof value === "number") return text + open + value + close
  return rareAttribute(text, open, value, at, close)
}

/**
 * Appends an attribute after one without its last quotation mark.
 *
 * @param open begins with this mark.
 * @param before the value of the attribute before. If nothing was printed for it, no mark is missing.
 */
export function $fwNext(
  text: string,
  open: string,
  value: AttributeValue,
  before: unknown,
  at = 1,
  close = '"',
): string {
  if (typeof before === "string" || typeof before === "number" || typeof before === "bigint") {
    if (typeof value === "string") return text + open + escapeHtml(value) + close
    if (typeof value === "number") return text + open + value + close
    return rareAttribute(text, open, value, at, close)
  }
  return $fwAttribute(text, open.slice(1), value, at - 1, close)
}

/** Appends an attribute whose value is neither text nor a number. It is apart, so that V8 inlines the common cases. */
function rareAttribute(text: string, open: string, value: AttributeValue, at: number, close: string): string {
  const after = close.slice(1)
  if (value === true) return text + open.slice(0, -2) + after
  if (value === false || value === null || value === undefined) return text + open.slice(0, at) + after
  return text + open + scalar(value, `in the attribute${open.slice(at, -2)}`) + close
}

type Convert = (value: never, name: string) => AttributeValue
const converters: Readonly<Record<Exclude<AttributeKind, "code">, Convert>> = {
  plain: (value) => value,
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
    // Each function checks its value at run time too, because spread values may have any type.
    if (!written.includes(key)) text = $fwAttribute(text, ` ${name}="`, converters[kind](value as never, key))
  }
  return text
}
