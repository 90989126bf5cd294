/** A small validator. It follows Standard Schema, as zod and valibot do, so `c.bind()` takes it as it takes theirs. */
import type { Issue, StandardSchema } from "fw"

/** What a field is when it is left out; without it, leaving it out is an issue. */
interface Rule<Absent> {
  readonly absent?: Absent
}

interface TextRule<Absent> extends Rule<Absent> {
  readonly min?: number
  readonly max: number
  /** Line breaks are allowed. */
  readonly lines?: boolean
}

/** Reads the fields of an object one by one. What is wrong is noted, all of it, and the value does not matter then. */
export class Fields {
  readonly issues: Issue[] = []
  readonly #given: Record<string, unknown>
  readonly #read = new Set<string>()

  constructor(given: object) {
    this.#given = { ...given }
  }

  /** A text, without the blanks around it. */
  text<Absent = never>(
    name: string,
    { min = 0, max, lines = false, ...rule }: TextRule<Absent>,
  ): string | Absent {
    return this.#field(name, rule, "", (value) => {
      const text = typeof value === "string" ? value.trim() : null
      if (text === null) return { wrong: "is a text" }
      if (text.length < min || text.length > max) return { wrong: `has ${min} to ${max} characters` }
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
      const control = lines ? /[\x00-\x08\x0b-\x1f\x7f]/ : /[\x00-\x1f\x7f]/
      return control.test(text.replaceAll("\r\n", "\n"))
        ? { wrong: "has control characters" }
        : { value: text }
    })
  }

  /** A day such as `2026-03-31`. An empty text, which is what a form sends, is none. */
  day<Absent = never>(name: string, rule: Rule<Absent> = {}): string | null | Absent {
    return this.#field<string | null, Absent>(name, rule, null, (value) => {
      if (value === null || value === "") return { value: null }
      return isDay(value) ? { value } : { wrong: "is a day such as 2026-03-31" }
    })
  }

  flag<Absent = never>(name: string, rule: Rule<Absent> = {}): boolean | Absent {
    return this.#field(name, rule, false, (value) =>
      typeof value === "boolean" ? { value } : { wrong: "is true or false" },
    )
  }

  choice<const Choice extends string>(name: string, choices: readonly [Choice, ...Choice[]]): Choice {
    return this.#field<Choice, never>(name, {}, choices[0], (value) => {
      const choice = choices.find((known) => known === value)
      return choice === undefined ? { wrong: `is one of ${choices.join(", ")}` } : { value: choice }
    })
  }

  /** Notes the fields that nobody asked for: most are misspelled. */
  refuseOthers(): void {
    for (const name of Object.keys(this.#given)) {
      if (!this.#read.has(name)) this.issues.push({ message: "is no field of this", path: [name] })
    }
  }

  #field<Value, Absent>(
    name: string,
    rule: Rule<Absent>,
    stand: Value,
    read: (value: unknown) => { readonly value: Value } | { readonly wrong: string },
  ): Value | Absent {
    this.#read.add(name)
    const given = this.#given[name]
    if (given === undefined && "absent" in rule) return rule.absent as Absent
    const result = given === undefined ? { wrong: "is missing" } : read(given)
    if ("value" in result) return result.value
    this.issues.push({ message: result.wrong, path: [name] })
    return stand
  }
}

function isDay(value: unknown): value is string {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const time = Date.parse(value)
  // Date.parse takes the 31st of February for the 3rd of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(value)
}

/** A schema for an object with the fields that a function reads, and no others. */
export function schema<Output>(read: (fields: Fields) => Output): StandardSchema<Output> {
  return {
    "~standard": {
      version: 1,
      vendor: "tasks",
      validate(given) {
        if (typeof given !== "object" || given === null || Array.isArray(given)) {
          return { issues: [{ message: "is an object" }] }
        }
        const fields = new Fields(given)
        const value = read(fields)
        fields.refuseOthers()
        return fields.issues.length > 0 ? { issues: fields.issues } : { value }
      },
    },
  }
}
