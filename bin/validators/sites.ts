/** The places of calls as plain data, for a process that runs the program and finds its calls by their stacks. */

import { positionOf } from "../../lib/scan/tokens.ts"
import type { Position } from "../../lib/template/sourcemap.ts"
import { originalPosition } from "../../lib/template/sourcemap.ts"
import { inlineMapOf } from "../project/rewrite.ts"
import { type CallProblem, problemsOf } from "./prepare.ts"
import type { FileCalls, PreparedCall } from "./read.ts"

/** A call. Lines count from 1, columns from 0. */
export interface CallSite {
  readonly start: Position
  readonly name: Position
  readonly end: Position
  /** The name of its validator; null if there is none. */
  readonly validator: string | null
  /** The reason why it fails; undefined for a call that runs unchecked, which is a warning. */
  readonly error?: CallProblem
}

/** Returns the calls of each file, by its name in source maps: relative to the project, and that of the template. */
export function sitesOf(files: readonly FileCalls[]): Record<string, readonly CallSite[]> {
  return Object.fromEntries(
    files.map((found) => {
      const map = inlineMapOf(found.text, found.file)
      const name = map ? found.file.slice(0, -".ts".length) : found.file
      return [
        name,
        found.calls.map((call) => siteOf(call, found, (at) => (map && originalPosition(map, at)) ?? at)),
      ]
    }),
  )
}

function siteOf(call: PreparedCall, found: FileCalls, original: (at: Position) => Position): CallSite {
  const at = (offset: number) => {
    const { line, column } = positionOf(found.text, offset)
    return original({ line, column: column - 1 })
  }
  const error = problemsOf([{ ...found, calls: [call], notices: [] }], false).find(({ isError }) => isError)
  return {
    start: at(call.start),
    name: at(call.name),
    end: at(call.end),
    validator: call.validator?.name ?? null,
    ...(error && { error }),
  }
}

/** Returns the call at a position: the one whose name is there, or else the innermost around it. */
export function siteAt(sites: readonly CallSite[], at: Position): CallSite | undefined {
  const named = sites.find(({ name }) => name.line === at.line && name.column === at.column)
  if (named) return named
  const around = sites.filter(({ start, end }) => !isBefore(at, start) && isBefore(at, end))
  return around.sort((a, b) => (isBefore(a.start, b.start) ? 1 : -1))[0]
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column)
}
