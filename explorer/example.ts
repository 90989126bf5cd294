/** Creates an example value for a schema. */
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
  if (above.includes(whole) || depth > deepest) return undefined
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
  if (whole.properties || whole.allOf) return exampleObject(api, whole, inside)
  const type = typeof whole.type === "string" ? whole.type : whole.type?.find((name) => name !== "null")
  if (type === "array" || whole.prefixItems) {
    const items = [...(whole.prefixItems ?? [whole.items]), whole.contains].filter((one) => one !== undefined)
    return items.map((one) => exampleValue(api, one, inside)).filter((value) => value !== undefined)
  }
  const usual = scalars[`${type} ${whole.format ?? ""}`] ?? scalars[`${type} `] ?? null
  return typeof usual === "number" ? numberNear(usual, whole, type === "integer") : usual
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
  return undefined
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
  "string email": "name@example.com",
  "string uuid": "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  "string uri": "https://example.com/",
  "integer ": 1,
  "number ": 1.5,
  "boolean ": true,
  "object ": {},
}
