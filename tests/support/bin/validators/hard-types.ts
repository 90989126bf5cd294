/**
 * Creates random TypeScript types that are hard to check: nested unions, generics, recursion, patterns and
 * constraints.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text
import { random } from "../../random.ts"

const scalars = [
  "string",
  "number",
  "boolean",
  "null",
  "Date",
  "bigint",
  '"a"',
  '"b" | "c"',
  "1 | 2 | 3",
  "true",
  "Color",
  "Level",
  "ID",
  "`x-${string}`",
  "`${number}px`",
  "`${string}-${string}`",
  "unknown",
  "`a${number}b${string}`",
]
const tags: Readonly<Record<string, readonly string[]>> = {
  string: [
    "@minLength 1",
    "@minLength 2 @maxLength 5",
    "@pattern ^[a-z]*$",
    "@format email",
    "@format uuid",
    "@format date-time",
    "@format ipv4",
    "@format ipv6",
    "@format uri",
    "@format date",
  ],
  number: ["@minimum 0", "@exclusiveMinimum 0 @maximum 10", "@multipleOf 5", "@multipleOf 0.01", "@format int32"],
  list: ["@minItems 1", "@maxItems 2"],
}
const keys = ["id", "name", "kind", "value", "items", "a-b", "toString", "constructor", "length", "é", "__proto_", "0"]

/**
 * Returns declarations and the names of the declared types. @param count number of named types in addition to the
 * fixed ones.
 */
export function hardTypes(count: number, seed: number): { readonly shared: string; readonly types: readonly string[] } {
  const { below, pick } = random(seed)
  const names: string[] = []

  const scalar = () => pick(scalars)
  const type = (depth: number): string => {
    if (depth <= 0) return scalar()
    switch (below(14)) {
      case 0:
      case 1:
        return object(depth - 1)
      case 2:
        return `(${type(depth - 1)})[]`
      case 3:
        return `(${type(depth - 1)}) | (${type(depth - 1)})`
      case 4:
        return `(${type(depth - 1)}) | null`
      case 5:
        return union(depth - 1)
      case 6:
        return `[${type(depth - 1)}, (${type(depth - 1)})?, ...(${scalar()})[]]`
      case 7:
        return `Record<string, ${type(depth - 1)}>`
      case 8:
        return `{ [k: \`x-\${string}\`]: ${type(depth - 1)}; id: ${scalar()} }`
      case 9:
        return `Page<${type(depth - 1)}>`
      case 10:
        return `Partial<${object(depth - 1)}>`
      case 11:
        return `${object(depth - 1)} & { extra${below(3)}?: ${scalar()} }`
      case 12:
        return names.length > 0 ? pick(names) : scalar()
      default:
        return scalar()
    }
  }
  const property = (key: string, depth: number) => {
    const own = pick([type(depth), "string", "number", "string[]", type(depth)])
    const list = own === "string" || own === "number" ? tags[own] : own.endsWith("[]") ? tags.list : undefined
    const comment = list && below(2) === 0 ? `/** ${pick(list)} */ ` : ""
    return `${comment}${JSON.stringify(key)}${below(3) === 0 ? "?" : ""}: ${own}`
  }
  const object = (depth: number) => {
    const own = keys.filter(() => below(4) === 0)
    return `{ ${own.map((key) => property(key, depth)).join("; ")} }`
  }
  const union = (depth: number) => {
    const tag = pick(["kind", "type"])
    const members = ["a", "b", "c"].slice(0, 2 + below(2))
    return members.map((value) => `({ ${tag}: "${value}"; data: ${type(depth)}; rest?: ${type(depth)} })`).join(" | ")
  }

  const declarations: string[] = []
  for (let i = 0; i < count; i++) {
    const name = `T${i}`
    const self = below(3)
    const next = self === 0 ? `; next?: ${name}` : self === 1 ? `; items: ${name}[]` : ""
    const isAlias = below(3) === 0
    if (isAlias) declarations.push(`export type ${name} = ${type(3)}`)
    else declarations.push(`export interface ${name} { ${property("first", 2)}; ${property("second", 3)}${next} }`)
    names.push(name)
  }
  const fixed = `
export enum Color { Red = "red", Blue = "blue" }
export enum Level { Low, High = 5 }
export type ID = string & { readonly __brand: "ID" }
export interface Page<T> { items: T[]; next?: string; total: number }
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
export type Expr = { op: "and" | "or"; args: Expr[] } | { op: "not"; arg: Expr } | { value: number | string }
export type Loose = { left?: Loose; value: number } | { left?: Loose; value: string; more?: Loose }
export type Xor = { a: string; b?: never } | { b: number; a?: never }
`
  return {
    shared: fixed + declarations.join("\n"),
    types: [...names, "Json", "Expr", "Loose", "Xor", "Page<Page<Date>>"],
  }
}
