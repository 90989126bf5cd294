/** The apps and groups of the main file: what they add to the routes that are registered in them. */
import type { DocumentInfo, Facts, TypeData } from "../../document/model.ts"
import type { CalledFunctions } from "../calls/called-functions.ts"
import { readArgumentNames } from "../calls/context-calls.ts"
import type { FactFinder } from "../calls/fact-finder.ts"

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
export function createGroup(prefix: string): Group {
  return { prefix, middleware: [], errors: [], medias: new Set(), statuses: new Map(), info: {} }
}

/** Returns the group of an app. One besides that of the program has its own middleware and answers to errors. */
export function createAppGroup(
  name: string,
  { appNames, defaultExport, mountPrefixes }: CalledFunctions,
  top: Group,
  finder: FactFinder,
): Group {
  if (defaultExport === undefined || !appNames.has(defaultExport) || name === defaultExport) return top
  const place = mountPrefixes.get(name)
  const [prefix] = (place && readArgumentNames(place, finder.program)) ?? []
  return prefix === undefined ? { ...createGroup(""), apart: true } : createGroup(prefix)
}
