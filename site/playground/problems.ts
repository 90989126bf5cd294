/** Turns errors of a program into problems, with the position in its files and the lines around it. */
import { originalPositionFor, sourceContentFor, TraceMap } from "@jridgewell/trace-mapping"
import type { FwError } from "fw"
import { formatCodeFrame } from "../../template/code-frame.ts"
import type { Files, Problem } from "./messages.ts"

/** The files of a program and its bundle, in which the position of an error is found. */
export interface Sources {
  readonly files: Files
  /** The address of the bundle, as stacks of errors contain it. */
  readonly url: string
  /** The source map of the bundle, as JSON. */
  readonly map: string
}

/** Returns the problem for a value that a program threw. */
export function toProblem(error: unknown, sources: Sources): Problem {
  if (!(error instanceof Error)) return { message: String(error) }
  const { fix, at } = error as Partial<FwError>
  return { message: error.message, fix, ...addFrame(at ?? findPlace(error.stack ?? "", sources) ?? {}, sources.files) }
}

/** Adds the lines around a position. */
export function addFrame({ file, line, column }: Partial<Problem>, files: Files): Partial<Problem> {
  const text = file === undefined ? undefined : files[file]
  if (text === undefined || line === undefined) return file === undefined ? {} : { file }
  return { file, line, column, frame: formatCodeFrame(text, { line, column }) }
}

/** Returns the first position in a stack that is in a file of the program. */
function findPlace(stack: string, { url, map, files }: Sources): Partial<Problem> | undefined {
  const trace = new TraceMap(map)
  for (const [, line, column] of stack.matchAll(new RegExp(`${url}:(\\d+):(\\d+)`, "g"))) {
    const found = originalPositionFor(trace, { line: Number(line), column: Number(column) - 1 })
    const text = found.source && sourceContentFor(trace, found.source)
    // In the map of a compiled template, the source has only a name without a folder. So its file is found by its text.
    const file = Object.keys(files).find((name) => files[name] === text)
    if (file !== undefined) return { file, line: found.line ?? 1, column: (found.column ?? 0) + 1 }
  }
  return undefined
}
