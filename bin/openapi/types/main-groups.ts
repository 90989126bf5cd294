/** The apps and groups of the main file: what they add to the routes that are registered in them. */
import type { DocumentInfo, Facts, TypeData } from "../../../lib/openapi/model.ts"
import type { CalledFunctions } from "./called-functions.ts"
import { namesOf } from "./calls.ts"
import type { FactFinder } from "./facts.ts"

/** The surroundings of a call: its group's pattern and middleware. */
export interface Group {
  readonly prefix: string
  readonly middleware: Facts[]
  /** Responses to errors. */
  readonly errors: TypeData[]
  /** Their media types. */
  readonly medias: Set<string>
  /** Their statuses, by that of the error. */
  readonly statuses: Map<number, readonly number[]>
  /** Those of a 400 with issues. */
  issues?: readonly number[]
  /** Options of the document. */
  readonly info: { -readonly [Key in keyof DocumentInfo]: DocumentInfo[Key] }
  /** True for the app itself, whose middleware is global. */
  readonly top?: true
  /** True for an app that is not the one of the program, and is mounted nowhere that is known. */
  readonly apart?: true
}

/** Returns a group without middleware. */
export function emptyGroup(prefix: string): Group {
  return { prefix, middleware: [], errors: [], medias: new Set(), statuses: new Map(), info: {} }
}

/** Returns the group of an app. One besides that of the program has its own middleware and answers to errors. */
export function groupOf(
  name: string,
  { apps, exported, mounted }: CalledFunctions,
  top: Group,
  finder: FactFinder,
): Group {
  if (exported === undefined || !apps.has(exported) || name === exported) return top
  const place = mounted.get(name)
  const [prefix] = (place && namesOf(place, finder.program)) ?? []
  return prefix === undefined ? { ...emptyGroup(""), apart: true } : emptyGroup(prefix)
}
