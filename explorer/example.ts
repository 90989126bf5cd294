/** Creates an example value for a schema. */

import type { Api, Schema } from "./document.ts"
import { matchesSchema } from "./find-mismatches.ts"
import { mergeAllOf } from "./merge-all-of.ts"

/** Maximum depth of nested schemas that have names. Without it, types that refer to each other would fill the page. */
const maxDepth = 3
/** Maximum number of named schemas in one example. */
const maxNamedSchemas = 30

/** What was already used of the limits of an example. */
interface ExampleContext {
  /** The schemas around the current one, outermost first. */
  readonly outerSchemas: readonly Schema[]
  /** The number of {@link outerSchemas} that have names. */
  readonly depth: number
  /** The number of schemas with names that may still be filled in. All parts of an example share it. */
  readonly budget: { left: number }
}

/**
 * Returns a value that matches a schema, if possible the example of the schema itself. A schema inside of itself and
 * values at a great depth are left out, and lists of them are empty.
 */
export function createExample(api: Api, schema: Schema | undefined): unknown {
  const value = createValue(api, schema, { outerSchemas: [], depth: 0, budget: { left: maxNamedSchemas } })
  return value === undefined ? null : value
}

/** Returns an example, or undefined if it is left out. */
function createValue(api: Api, schema: Schema | undefined, progress: ExampleContext): unknown {
  if (!schema || typeof schema !== "object") return null
  const resolvedSchema = api.resolve<Schema>(schema)
  const depth = progress.depth + (schema.$ref ? 1 : 0)
  const { outerSchemas, budget } = progress
  if (outerSchemas.includes(resolvedSchema) || depth > maxDepth || resolvedSchema.not !== undefined) return undefined
  if (schema.$ref) {
    if (budget.left === 0) return undefined
    budget.left -= 1
  }
  const inside = { outerSchemas: [...outerSchemas, resolvedSchema], depth, budget }
  const definedExamples = [
    resolvedSchema.example,
    resolvedSchema.examples?.[0],
    resolvedSchema.default,
    resolvedSchema.const,
    resolvedSchema.enum?.[0],
  ]
  const found = definedExamples.find((value) => value !== undefined)
  if (found !== undefined) return found
  const either = resolvedSchema.oneOf ?? resolvedSchema.anyOf
  if (either) return createFirstExample(api, either, inside)
  const type =
    typeof resolvedSchema.type === "string" ? resolvedSchema.type : resolvedSchema.type?.find((name) => name !== "null")
  if (
    resolvedSchema.properties ||
    (resolvedSchema.allOf && Object.keys(mergeAllOf(api, resolvedSchema).properties).length > 0)
  )
    return createObjectExample(api, resolvedSchema, inside)
  if (resolvedSchema.allOf) return createAllOfExample(api, resolvedSchema, inside)
  if (type === "array" || resolvedSchema.prefixItems) return createListExample(api, resolvedSchema, inside)
  if (type === "string") return createTextExample(api, resolvedSchema)
  const usual = scalarExamples[`${type} ${resolvedSchema.format ?? ""}`] ?? scalarExamples[`${type} `] ?? null
  return typeof usual === "number" ? findNearestNumber(usual, resolvedSchema, type === "integer" || usual === 1) : usual
}

/**
 * Returns an example for `allOf`: the first example of one of the schemas that matches all of them. Texts made from
 * patterns are tried too.
 */
function createAllOfExample(api: Api, { allOf = [], ...own }: Schema, inside: ExampleContext): unknown {
  const all = [...(Object.keys(own).length > 0 ? [own as Schema] : []), ...allOf]
  const parts = all.map((part) => api.resolve<Schema>(part))
  const patterns = parts.flatMap(({ pattern }) => (typeof pattern === "string" ? [createTextForPattern(pattern)] : []))
  const values = parts.map((part) => createValue(api, part, inside))
  if (patterns.length > 0) values.push(patterns.join(""))
  const fitting = values.find((value) => value !== undefined && matchesSchema(api, { ...own, allOf }, value))
  return fitting ?? values[0] ?? {}
}

function createListExample(api: Api, schema: Schema, inside: ExampleContext): unknown[] {
  const { prefixItems, items, contains, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema
  const maxCount = Number(maxItems)
  const containsSchemas = Array.from({ length: Math.max(1, Number(schema.minContains ?? 1)) }, () => contains)
  const itemSchemas = [...(prefixItems ?? [items]), ...containsSchemas].filter(
    (one) => typeof one === "object",
  ) as Schema[]
  const examples = itemSchemas.map((one) => createValue(api, one, inside)).filter((value) => value !== undefined)
  const filler = typeof items === "object" ? createValue(api, items, inside) : undefined
  while (examples.length < Number(minItems) && filler !== undefined) examples.push(filler)
  return examples.slice(0, maxCount)
}

/** Returns a text that fits the format, the pattern and the length of a schema, if one of a few simple texts does. */
function createTextExample(api: Api, schema: Schema): string {
  const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema
  const like = typeof pattern === "string" ? [createTextForPattern(pattern)] : []
  const texts = [scalarExamples[`string ${format ?? ""}`], scalarExamples["string "], ...like, "1", "a", "A", ""].map(
    String,
  )
  const sized = texts.map((text) => text.padEnd(Number(minLength), text || "a").slice(0, Number(maxLength)))
  return [...texts, ...sized].find((text) => matchesSchema(api, schema, text)) ?? (texts[0] as string)
}

/** Returns a text for a simple pattern: its literal characters, and one character for each class. */
function createTextForPattern(pattern: string): string {
  return pattern
    .replace(/^\^|\$$/g, "")
    .replace(/\[\\s\\S\]\*/g, "")
    .replace(/-\?\\d\+(?:\(\?:\\\.\\d\+\)\?)?(?:\(\?:\[eE\]\[\+-\]\?\\d\+\)\?)?/g, "1")
    .replace(/\\d(?:\{\d+,?\d*\}|\+)?/g, "1")
    .replace(/\[([a-zA-Z\d])[^\]]*\](?:\{\d+,?\d*\}|[+*])?/g, "$1")
    .replace(/\\(.)/g, "$1")
}

/** Returns the number that a schema allows and that is nearest to a usual one. */
function findNearestNumber(usual: number, schema: Schema, isWhole: boolean): number {
  const limit = (name: string, other: number) => (typeof schema[name] === "number" ? schema[name] : other)
  const step = limit("multipleOf", isWhole ? 1 : 0)
  const low = Math.max(
    limit("minimum", Number.NEGATIVE_INFINITY),
    limit("exclusiveMinimum", Number.NEGATIVE_INFINITY) + (step || 0.5),
  )
  const high = Math.min(
    limit("maximum", Number.POSITIVE_INFINITY),
    limit("exclusiveMaximum", Number.POSITIVE_INFINITY) - (step || 0.5),
  )
  const nearest = Math.min(Math.max(usual, low), high)
  if (step === 0) return nearest
  const above = Math.ceil(nearest / step) * step
  return above <= high ? above : Math.floor(nearest / step) * step
}

/** Returns the example of the first alternative that has one. */
function createFirstExample(api: Api, either: readonly Schema[], inside: ExampleContext): unknown {
  const nonNullSchemas = either.filter((one) => one.type !== "null")
  for (const one of nonNullSchemas.length > 0 ? nonNullSchemas : either) {
    const value = createValue(api, one, inside)
    if (value !== undefined) return value
  }
  // Null stands for a value that is left out because of its depth.
  return nonNullSchemas.length < either.length ? null : undefined
}

function createObjectExample(api: Api, schema: Schema, inside: ExampleContext): unknown {
  const { properties } = mergeAllOf(api, schema)
  const entries = Object.entries(properties).filter(([, one]) => !api.resolve<Schema>(one).readOnly)
  const values = entries.map(([name, one]) => [name, createValue(api, one, inside)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

const scalarExamples: Readonly<Record<string, unknown>> = {
  "string ": "text",
  "string date-time": "2026-01-31T12:00:00.000Z",
  "string date": "2026-01-31",
  "string time": "12:00:00Z",
  "string duration": "P1D",
  "string email": "name@example.com",
  "string hostname": "example.com",
  "string ipv4": "192.0.2.1",
  "string ipv6": "2001:db8::1",
  "string byte": "aGVsbG8=",
  "string uuid": "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  "string uri": "https://example.com/",
  "integer ": 1,
  "number ": 1.5,
  "number int32": 1,
  "number int64": 1,
  "boolean ": true,
  "object ": {},
}
