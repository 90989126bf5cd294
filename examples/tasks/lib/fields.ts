/** A small validator. It implements Standard Schema, as zod and valibot do, so `c.bind()` accepts it. */
import type { Issue, StandardSchema } from "fw"

interface Rule<Absent> {
  /** Value of a missing field. Without it, a missing field is an issue. */
  readonly absent?: Absent
}

interface TextRule<Absent> extends Rule<Absent> {
  readonly min?: number
  readonly max: number
  /** True to allow line breaks. */
  readonly multiline?: boolean
}

/** Reads the fields of an object one by one and collects all issues. With issues, the value is not used. */
export class Fields {
  readonly issues: Issue[] = []
  readonly #input: Record<string, unknown>
  readonly #readNames = new Set<string>()

  constructor(input: object) {
    this.#input = { ...input }
  }

  /** Reads a text, without spaces at its ends. */
  text<Absent = never>(
    name: string,
    { min = 0, max, multiline = false, ...rule }: TextRule<Absent>,
  ): string | Absent {
    return this.#field(name, rule, "", (value) => {
      const text = typeof value === "string" ? value.trim() : null
      if (text === null) return { issue: "must be a string" }
      if (text.length < min || text.length > max) return { issue: `must have ${min} to ${max} characters` }
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters.
      const control = multiline ? /[\x00-\x08\x0b-\x1f\x7f]/ : /[\x00-\x1f\x7f]/
      return control.test(text.replaceAll("\r\n", "\n"))
        ? { issue: "must not contain control characters" }
        : { value: text }
    })
  }

  /** Reads a day such as `2026-03-31`. Null, or the empty text of a form, means no day. */
  day<Absent = never>(name: string, rule: Rule<Absent> = {}): string | null | Absent {
    return this.#field<string | null, Absent>(name, rule, null, (value) => {
      if (value === null || value === "") return { value: null }
      return isDay(value) ? { value } : { issue: "must be a day such as 2026-03-31" }
    })
  }

  flag<Absent = never>(name: string, rule: Rule<Absent> = {}): boolean | Absent {
    return this.#field(name, rule, false, (value) =>
      typeof value === "boolean" ? { value } : { issue: "must be true or false" },
    )
  }

  choice<const Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
    return this.#field<Choice, never>(name, {}, choices[0], (value) => {
      const choice = choices.find((item) => item === value)
      return choice === undefined ? { issue: `must be one of ${choices.join(", ")}` } : { value: choice }
    })
  }

  /** Adds an issue for each field that was not read, because its name may be misspelled. */
  refuseUnknown(): void {
    for (const name of Object.keys(this.#input)) {
      if (!this.#readNames.has(name)) this.issues.push({ message: "is unknown", path: [name] })
    }
  }

  #field<Value, Absent>(
    name: string,
    rule: Rule<Absent>,
    /** Returned with an issue. */
    placeholder: Value,
    read: (value: unknown) => { readonly value: Value } | { readonly issue: string },
  ): Value | Absent {
    this.#readNames.add(name)
    const field = this.#input[name]
    if (field === undefined && "absent" in rule) return rule.absent as Absent
    const result = field === undefined ? { issue: "is missing" } : read(field)
    if ("value" in result) return result.value
    this.issues.push({ message: result.issue, path: [name] })
    return placeholder
  }
}

function isDay(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(value)
  // Date.parse reads the 31st of February as the 3rd of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

/** A schema whose values differ from what clients send: `Input` is the type that the OpenAPI document shows. */
export interface Schema<Output, Input> extends StandardSchema<Output> {
  readonly "~standard": StandardSchema<Output>["~standard"] & {
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** Returns a schema for an object that has only the fields that a function reads. */
export function createSchema<Output, Input = Output>(
  read: (fields: Fields) => Output,
): Schema<Output, Input> {
  return {
    "~standard": {
      version: 1,
      vendor: "tasks",
      validate(input) {
        if (typeof input !== "object" || input === null || Array.isArray(input)) {
          return { issues: [{ message: "must be an object" }] }
        }
        const fields = new Fields(input)
        const value = read(fields)
        fields.refuseUnknown()
        return fields.issues.length > 0 ? { issues: fields.issues } : { value }
      },
    },
  }
}
