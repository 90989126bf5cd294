/** Reads the lines of a stack. */
import { fileURLToPath } from "node:url"

/** A line of a stack with a place. */
export interface StackFrame {
  /** The function; undefined for code outside of functions. */
  readonly name: string | undefined
  /** The path of a file, or another name that the code has, such as `node:fs`. */
  readonly file: string
  /** Counted from 1, as `column`. */
  readonly line: number
  readonly column: number
}

/** `at name (path:1:2)` or `at path:1:2`; a path may contain spaces and, in a route's group, parentheses. */
const frameLinePattern = /^\s+at (?:(.*?) \()?(?:async )?(.+?):(\d+):(\d+)\)?$/

/** Reads a line of a stack; undefined for one without a place. */
export function parseStackLine(text: string): StackFrame | undefined {
  const [, name, path, line, column] = frameLinePattern.exec(text) ?? []
  return path === undefined ? undefined : { name, file: toFilePath(path), line: Number(line), column: Number(column) }
}

/** Returns the path of a module's file. A stack may contain it as a path or as a URL. */
export function toFilePath(name: string): string {
  return name.startsWith("file:") ? fileURLToPath(name) : name
}
