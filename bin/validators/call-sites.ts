/** The positions of calls as plain data, for a process that runs the program and recognizes calls in stacks. */

import { toPosition } from "../../lib/scan/tokens.ts"
import type { Position } from "../../template/sourcemap.ts"
import { originalPosition } from "../../template/sourcemap.ts"
import { readInlineMap } from "../project/rewrite.ts"
import { type CallProblem, listProblems } from "./prepare-validators.ts"
import type { FileCalls, PreparedCall } from "./read-calls.ts"

/** A call and its position. Lines count from 1, columns from 0. */
export interface CallSite {
  readonly start: Position
  readonly name: Position
  readonly end: Position
  /** True for the payload of a job file, which is not a call. */
  readonly isPayload: boolean
  /** The name of the validator; null if there is none. */
  readonly validator: string | null
  /** Why the call fails. Undefined for a call that runs without a check, for which there is only a warning. */
  readonly error?: CallProblem
}

/** Returns the name of a file in source maps. For a compiled template, it is that of the template. */
export function toSourceName({ file, text }: FileCalls): string {
  return readInlineMap(text, file) ? file.slice(0, -".ts".length) : file
}

/** Returns the calls of a file, with positions in the file that source maps name. */
export function toCallSites(found: FileCalls): CallSite[] {
  const map = readInlineMap(found.text, found.file)
  const toOriginal = (at: Position) => (map && originalPosition(map, at)) ?? at
  return found.calls.map((call) => toCallSite(call, found, toOriginal))
}

function toCallSite(call: PreparedCall, found: FileCalls, toOriginal: (at: Position) => Position): CallSite {
  const at = (offset: number) => {
    const { line, column } = toPosition(found.text, offset)
    return toOriginal({ line, column: column - 1 })
  }
  const error = listProblems([{ ...found, calls: [call], notices: [] }], false).find(({ isError }) => isError)
  return {
    start: at(call.start),
    name: at(call.name),
    end: at(call.end),
    isPayload: call.method === "Job",
    validator: call.validator?.name ?? null,
    ...(error && { error }),
  }
}

/** Returns the call at a position: the call whose method name is there, otherwise the innermost call around it. */
export function findSite(sites: readonly CallSite[], at: Position): CallSite | undefined {
  const calls = sites.filter(({ isPayload }) => !isPayload)
  const namedCall = calls.find(({ name }) => name.line === at.line && name.column === at.column)
  if (namedCall) return namedCall
  const around = calls.filter(({ start, end }) => !isBefore(at, start) && isBefore(at, end))
  return around.sort((a, b) => (isBefore(a.start, b.start) ? 1 : -1))[0]
}

function isBefore(a: Position, b: Position): boolean {
  return a.line < b.line || (a.line === b.line && a.column < b.column)
}
