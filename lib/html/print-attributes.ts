/** Prints attributes in compiled templates. */

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
import { type AttributeKind, attributeNamePattern, getAttributeKind } from "./attributes.ts"
import { checkMetaName } from "./meta.ts"
import { printScalar } from "./text.ts"

/**
 * Returns an attribute as text: only its name for true, and nothing for false and null.
 *
 * @param open the text before the value: a space, the name, and `="`.
 */
export function $fwAttribute(open: string, value: AttributeValue): string {
  if (value === true) return open.slice(0, -2)
  if (value === false || value === null || value === undefined) return ""
  return `${open}${printScalar(value, `in the attribute${open.slice(0, -2)}`)}"`
}

type ConvertValue = (value: never, name: string) => AttributeValue
const converters: Readonly<Record<Exclude<AttributeKind, "code">, ConvertValue>> = {
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
 * Prints the attributes of objects with the escaping that written attributes have. Later objects override earlier ones,
 * and written attributes override all of them.
 */
export function $fwSpread(
  element: string,
  objects: readonly (object | false | null | undefined)[],
  writtenNames: readonly string[],
): string {
  const values = new Map<string, { name: string; value: unknown }>()
  for (const object of objects) {
    for (const [name, value] of Object.entries(object || {})) values.set(name.toLowerCase(), { name, value })
  }
  const rel = writtenNames.includes("rel") ? undefined : values.get("rel")?.value
  const isPresent = (key: string): boolean => values.has(key) || writtenNames.includes(key)
  if (element === "meta" && !writtenNames.includes("name")) checkMetaName(values.get("name")?.value)
  let text = ""
  for (const [key, { name, value }] of values) {
    const kind = getAttributeKind(element, key, typeof rel === "string" ? rel : "")
    const isRefresh = (key === "content" || key === "http-equiv") && isPresent("content") && isPresent("http-equiv")
    if (!attributeNamePattern.test(name) || kind === "code" || isRefresh) {
      throw new TypeError(
        `The attribute "${name}" cannot be spread: it is not a valid name, or it is evaluated as code.`,
      )
    }
    // Spread values may have any type, so each function checks its value at run time too.
    if (!writtenNames.includes(key)) text += $fwAttribute(` ${name}="`, converters[kind](value as never, key))
  }
  return text
}
