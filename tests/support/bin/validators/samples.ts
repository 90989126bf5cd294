/** Creates random values for types of requests, most of them valid, and changes values at random. */
import { readLimits } from "../../../../bin/openapi/document/constraints.ts"
import type { NamedType, PropertyData, TypeData } from "../../../../bin/openapi/document/model.ts"
import { indexByID, resolveType } from "../../../../bin/openapi/document/type-parts.ts"
import type { random } from "../../random.ts"

type Random = ReturnType<typeof random>

const texts = [
  "",
  "a",
  "abc",
  "x-1",
  "0",
  "-1",
  "12",
  "1.5",
  "true",
  "null",
  "😀",
  "a b",
  "é",
  "A",
  "toString",
  "a@b.example",
  "2020-01-01",
  "2024-02-29T12:00:00Z",
  "2023-02-29T12:00:00Z",
  "2020-12-31T23:59:60Z",
  "2020-12-31T22:59:60Z",
  "https://example.org/a?b#c",
  "1.2.3.4",
  "::1",
  "123e4567-e89b-12d3-a456-426614174000",
  "P1D",
  "10:00:00Z",
  "\n",
  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
]
const numbers = [0, 1, -1, 2, 5, 10, 1.5, -0.5, 100, 0.07, 12.29, 1e21, 2 ** 31, -(2 ** 31), 2 ** 53, 1e-7]
/** Values that a mutation puts at any position, whatever the type there. */
const junk: readonly unknown[] = [
  null,
  true,
  false,
  [],
  {},
  [null],
  [[]],
  { a: 1 },
  { toString: 1 },
  ...numbers,
  ...texts,
]

const formats: Readonly<Record<string, readonly string[]>> = {
  "date-time": ["2020-01-01T00:00:00Z", "2024-02-29T23:59:59.123+05:30", "2020-02-30T00:00:00Z"],
  date: ["2020-01-31", "2023-02-29"],
  time: ["10:11:12Z", "24:00:00Z"],
  duration: ["P1Y2M3DT4H5M6S", "P"],
  email: ["ada@example.org", "ada@example"],
  hostname: ["example.org", "-a"],
  ipv4: ["10.0.0.1", "256.1.1.1"],
  ipv6: ["::1", "1:2:3:4:5:6:7:8", ":::"],
  uri: ["https://example.org/x", "mailto:a@example.org", "no uri"],
  uuid: ["123e4567-e89b-12d3-a456-426614174000", "123"],
  byte: ["YQ==", "Y"],
}

/** Creates values of types. */
export class Samples {
  readonly #types: ReadonlyMap<string, TypeData>
  readonly #random: Random

  constructor(named: readonly NamedType[], random: Random) {
    this.#types = indexByID(named)
    this.#random = random
  }

  /** Returns a value that usually matches a type. Recursive types end at some depth. */
  of(type: TypeData, depth = 0): unknown {
    const { pick, below } = this.#random
    const plain = resolveType(type, this.#types)
    switch (plain.kind) {
      case "any":
        return pick(junk)
      case "null":
        return null
      case "number":
        return pick(numbers)
      case "integer":
        return pick([0, 1, -5])
      case "boolean":
        return below(2) === 0
      case "literal":
        return plain.value
      case "date":
        return pick(formats["date-time"] as readonly string[])
      case "integer-text":
        return pick(["0", "12", "-5", "007"])
      case "string":
        return this.#text(plain)
      case "array":
        return Array.from({ length: depth > 6 ? 0 : below(4) }, () => this.of(plain.items, depth + 1))
      case "union": {
        const members =
          depth > 6 ? plain.members.filter((one) => resolveType(one, this.#types).kind !== "object") : plain.members
        return this.of(pick(members.length > 0 ? members : plain.members), depth + 1)
      }
      case "tuple":
        return this.#tuple(plain, depth)
      case "object":
        return this.#object(plain, depth)
      default:
        return null
    }
  }

  #text({ format, template }: Extract<TypeData, { kind: "string" }>): string {
    const { pick } = this.#random
    if (format) return pick(formats[format] ?? texts)
    if (!template) return pick(texts)
    const any = { string: texts, number: ["0", "-1.5", "10"], integer: ["7", "-3"] }
    return template.map((part) => ("text" in part ? part.text : pick(any[part.any]))).join("")
  }

  #tuple({ items, rest, tail = [] }: Extract<TypeData, { kind: "tuple" }>, depth: number): unknown[] {
    const { below } = this.#random
    const least = items.filter(({ optional }) => !optional).length
    const count = rest ? items.length : least + below(items.length - least + 1)
    const made = items.slice(0, count).map(({ type }) => this.of(type, depth + 1))
    if (rest) made.push(...Array.from({ length: below(3) }, () => this.of(rest, depth + 1)))
    return [...made, ...tail.map((type) => this.of(type, depth + 1))]
  }

  #object({ properties, values, patterns = [] }: Extract<TypeData, { kind: "object" }>, depth: number): object {
    const { below, pick } = this.#random
    const entries: [string, unknown][] = []
    for (const property of properties) {
      const leaveOut = property.optional && (depth > 4 || below(2) === 0)
      if (!leaveOut && property.type.kind !== "never") entries.push([property.name, this.#property(property, depth)])
    }
    if (values)
      for (let i = below(3); i > 0; i--)
        entries.push([pick(["k1", "k2", "-", "5", "toString"]), this.of(values, depth + 1)])
    for (const { template, type } of patterns)
      if (template && below(2) === 0) entries.push([this.#text({ kind: "string", template }), this.of(type, depth + 1)])
    return Object.fromEntries(entries)
  }

  #property({ type, comment }: PropertyData, depth: number): unknown {
    const { pick, below } = this.#random
    const {
      minimum,
      maximum,
      multipleOf,
      minLength = 0,
      maxLength,
      format,
      minItems = 0,
      exclusiveMinimum,
      exclusiveMaximum,
    } = readLimits(comment)
    const value = this.of(type, depth + 1)
    if (below(4) === 0) return value
    if (typeof value === "number") {
      const limits = [minimum, maximum, exclusiveMinimum, exclusiveMaximum].flatMap((limit) =>
        limit === undefined ? [] : [limit, limit + 1, limit - 1],
      )
      const all = multipleOf ? [multipleOf * 3, multipleOf * 7] : limits
      return all.length > 0 ? pick(all) : value
    }
    if (typeof value === "string" && format) return pick(formats[format] ?? texts)
    if (typeof value === "string" && (minLength > 0 || maxLength !== undefined)) {
      const length = pick([minLength, minLength + 1, maxLength ?? minLength, (maxLength ?? minLength) + 1])
      return pick(["a", "😀"]).repeat(length)
    }
    if (Array.isArray(value) && value.length > 0) while (value.length < minItems) value.push(value[0])
    return value
  }

  /** Returns a copy of a value with one change somewhere. */
  mutated(value: unknown): unknown {
    const { below, pick } = this.#random
    const copy = structuredClone(value)
    if (typeof copy !== "object" || copy === null || below(8) === 0) return pick(junk)
    let at = copy as Record<string, unknown>
    for (;;) {
      const keys = Object.keys(at)
      if (keys.length === 0) {
        if (Array.isArray(at)) at.push(pick(junk))
        else at[pick(["extra", "x-1", "kind", "1"])] = pick(junk)
        return copy
      }
      const key = pick(keys)
      const inner = at[key]
      if (typeof inner === "object" && inner !== null && below(3) > 0) {
        at = inner as Record<string, unknown>
        continue
      }
      const change = below(4)
      if (change === 0 && !Array.isArray(at)) delete at[key]
      else if (change === 1 && !Array.isArray(at)) at[pick(["extra", "x-1", "kind", "1"])] = pick(junk)
      else if (change === 2 && Array.isArray(at)) at.splice(Number(key), 1)
      else at[key] = pick(junk)
      return copy
    }
  }
}
