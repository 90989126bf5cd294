/** Parses the lines of a stack. */
import { fileURLToPath } from "node:url"

/** A line of a stack that has a position. */
export interface StackFrame {
  /** Name of the function; undefined for code outside of functions. */
  readonly name: string | undefined
  /** Path of the file, or another name of the code, such as `node:fs`. */
  readonly file: string
  /** Line number from 1. The column counts from 1 too. */
  readonly line: number
  readonly column: number
}

/** Matches `at name (path:1:2)` or `at path:1:2`. A path may contain spaces and, for a route group, parentheses. */
const frameLinePattern = /^\s+at (?:(.*?) \()?(?:async )?(.+?):(\d+):(\d+)\)?$/

/** Parses a line of a stack; returns undefined if the line has no position. */
export function parseStackLine(text: string): StackFrame | undefined {
  const [, name, path, line, column] = frameLinePattern.exec(text) ?? []
  return path === undefined ? undefined : { name, file: toFilePath(path), line: Number(line), column: Number(column) }
}

/** Returns the path of a module's file. A stack contains it as a path or as a file URL. */
export function toFilePath(name: string): string {
  return name.startsWith("file:") ? fileURLToPath(name) : name
}
