/** Creates an example value for a schema. */
import { fits } from "./check.ts"
import type { Api, Schema } from "./document.ts"
import { merged } from "./merged.ts"

/** Deepest nesting of named schemas. Entities that refer to each other would fill the page otherwise. */
const deepest = 3
/** Most named schemas in one example. */
const mostNamed = 30

/** Limits of one example. */
interface Progress {
  /** Schemas around the current one, outermost first. */
  readonly above: readonly Schema[]
  /** Number of named schemas among them. */
  readonly depth: number
  /** Named schemas that may still be filled in, counted for the whole example. */
  readonly budget: { left: number }
}

/**
 * Returns a value that matches a schema: the schema's own example if it has one. A schema inside itself and
 * values that are too deep are left out; lists there are empty.
 */
export function exampleOf(api: Api, schema: Schema | undefined): unknown {
  const value = exampleValue(api, schema, { above: [], depth: 0, budget: { left: mostNamed } })
  return value === undefined ? null : value
}

/** Returns an example, or undefined if it is left out. */
function exampleValue(api: Api, schema: Schema | undefined, progress: Progress): unknown {
  if (!schema || typeof schema !== "object") return null
  const whole = api.resolve<Schema>(schema)
  const depth = progress.depth + (schema.$ref ? 1 : 0)
  const { above, budget } = progress
  if (above.includes(whole) || depth > deepest || whole.not !== undefined) return undefined
  if (schema.$ref) {
    if (budget.left === 0) return undefined
    budget.left -= 1
  }
  const inside = { above: [...above, whole], depth, budget }
  const given = [whole.example, whole.examples?.[0], whole.default, whole.const, whole.enum?.[0]]
  const found = given.find((value) => value !== undefined)
  if (found !== undefined) return found
  const either = whole.oneOf ?? whole.anyOf
  if (either) return firstOf(api, either, inside)
  const type = typeof whole.type === "string" ? whole.type : whole.type?.find((name) => name !== "null")
  if (whole.properties || (whole.allOf && Object.keys(merged(api, whole).properties).length > 0))
    return exampleObject(api, whole, inside)
  if (whole.allOf) return exampleOfAll(api, whole, inside)
  if (type === "array" || whole.prefixItems) return exampleList(api, whole, inside)
  if (type === "string") return exampleText(api, whole)
  const usual = scalars[`${type} ${whole.format ?? ""}`] ?? scalars[`${type} `] ?? null
  return typeof usual === "number" ? numberNear(usual, whole, type === "integer" || usual === 1) : usual
}

/** Returns the first example of a part that fits all parts: texts of their patterns, too. */
function exampleOfAll(api: Api, { allOf = [], ...own }: Schema, inside: Progress): unknown {
  const all = [...(Object.keys(own).length > 0 ? [own as Schema] : []), ...allOf]
  const parts = all.map((part) => api.resolve<Schema>(part))
  const patterns = parts.flatMap(({ pattern }) => (typeof pattern === "string" ? [textLike(pattern)] : []))
  const values = parts.map((part) => exampleValue(api, part, inside))
  if (patterns.length > 0) values.push(patterns.join(""))
  const fitting = values.find((value) => value !== undefined && fits(api, { ...own, allOf }, value))
  return fitting ?? values[0] ?? {}
}

function exampleList(api: Api, whole: Schema, inside: Progress): unknown[] {
  const { prefixItems, items, contains, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = whole
  const most = Number(maxItems)
  const again = Array.from({ length: Math.max(1, Number(whole.minContains ?? 1)) }, () => contains)
  const wanted = [...(prefixItems ?? [items]), ...again].filter((one) => typeof one === "object") as Schema[]
  const made = wanted.map((one) => exampleValue(api, one, inside)).filter((value) => value !== undefined)
  const filler = typeof items === "object" ? exampleValue(api, items, inside) : undefined
  while (made.length < Number(minItems) && filler !== undefined) made.push(filler)
  return made.slice(0, most)
}

/** Returns a text with the format, pattern and length of a schema, if one of some simple ones has them. */
function exampleText(api: Api, whole: Schema): string {
  const { pattern, format, minLength = 0, maxLength = Number.POSITIVE_INFINITY } = whole
  const like = typeof pattern === "string" ? [textLike(pattern)] : []
  const texts = [scalars[`string ${format ?? ""}`], scalars["string "], ...like, "1", "a", "A", ""].map(
    String,
  )
  const sized = texts.map((text) => text.padEnd(Number(minLength), text || "a").slice(0, Number(maxLength)))
  return [...texts, ...sized].find((text) => fits(api, whole, text)) ?? (texts[0] as string)
}

/** Returns a text for a pattern without choices: its own characters, and the shortest of each class that templates have. */
function textLike(pattern: string): string {
  return pattern
    .replace(/^\^|\$$/g, "")
    .replace(/\[\\s\\S\]\*/g, "")
    .replace(/-\?\\d\+(?:\(\?:\\\.\\d\+\)\?)?(?:\(\?:\[eE\]\[\+-\]\?\\d\+\)\?)?/g, "1")
    .replace(/\\d(?:\{\d+,?\d*\}|\+)?/g, "1")
    .replace(/\[([a-zA-Z\d])[^\]]*\](?:\{\d+,?\d*\}|[+*])?/g, "$1")
    .replace(/\\(.)/g, "$1")
}

/** Returns the number nearest to the usual one that the limits of a schema allow. */
function numberNear(usual: number, schema: Schema, isWhole: boolean): number {
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
  const near = Math.min(Math.max(usual, low), high)
  if (step === 0) return near
  const above = Math.ceil(near / step) * step
  return above <= high ? above : Math.floor(near / step) * step
}

/** Returns the example of the first alternative that has one. */
function firstOf(api: Api, either: readonly Schema[], inside: Progress): unknown {
  const worthy = either.filter((one) => one.type !== "null")
  for (const one of worthy.length > 0 ? worthy : either) {
    const value = exampleValue(api, one, inside)
    if (value !== undefined) return value
  }
  // What is too deep may be null.
  return worthy.length < either.length ? null : undefined
}

function exampleObject(api: Api, whole: Schema, inside: Progress): unknown {
  const { properties } = merged(api, whole)
  const entries = Object.entries(properties).filter(([, one]) => !api.resolve<Schema>(one).readOnly)
  const values = entries.map(([name, one]) => [name, exampleValue(api, one, inside)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

const scalars: Readonly<Record<string, unknown>> = {
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
