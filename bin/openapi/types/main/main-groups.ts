/** The apps and groups of the main file, and what they add to their routes. */
import type { DocumentInfo, Facts, TypeData } from "../../document/model.ts"
import type { CalledFunctions } from "../calls/called-functions.ts"
import { readArgumentNames } from "../calls/context-calls.ts"
import type { FactFinder } from "../calls/fact-finder.ts"

/** What a group adds to its routes: the prefix, middleware and answers to errors. */
export interface Group {
  readonly prefix: string
  readonly middleware: Facts[]
  /** The types of its answers to errors. */
  readonly errors: TypeData[]
  /** The media types of its answers to errors. */
  readonly medias: Set<string>
  /** The statuses of its answers to errors, by the status of the error. */
  readonly statuses: Map<number, readonly number[]>
  /** The statuses of the answers to a 400 with issues. */
  issueStatuses?: readonly number[]
  /** The options of `app.openapi()`. */
  readonly info: { -readonly [Key in keyof DocumentInfo]: DocumentInfo[Key] }
  /** True for the app itself, whose middleware is global. */
  readonly isTop?: true
  /** True for another app that is not mounted, as far as is known. */
  readonly isUnmounted?: true
}

/** Returns a group without middleware. */
export function createGroup(prefix: string): Group {
  return { prefix, middleware: [], errors: [], medias: new Set(), statuses: new Map(), info: {} }
}

/** Returns the group of an app. An app other than the program's has its own middleware and answers to errors. */
export function createAppGroup(
  name: string,
  { appNames, defaultExport, mountPrefixes }: CalledFunctions,
  top: Group,
  finder: FactFinder,
): Group {
  if (defaultExport === undefined || !appNames.has(defaultExport) || name === defaultExport) return top
  const prefixNode = mountPrefixes.get(name)
  const [prefix] = (prefixNode && readArgumentNames(prefixNode, finder.program)) ?? []
  return prefix === undefined ? { ...createGroup(""), isUnmounted: true } : createGroup(prefix)
}
