/** Reads the lines of a stack. */
import { fileURLToPath } from "node:url"

/** A line of a stack with a place. */
export interface Frame {
  /** The function; undefined for code outside of functions. */
  readonly name: string | undefined
  /** The path of a file, or what else the code has as its name, such as `node:fs`. */
  readonly file: string
  /** Counted from 1, as `column`. */
  readonly line: number
  readonly column: number
}

/** `at name (path:1:2)` or `at path:1:2`; a path may contain spaces and, in a route's group, parentheses. */
const frameLine = /^\s+at (?:(.*?) \()?(?:async )?(.+?):(\d+):(\d+)\)?$/

/** Reads a line of a stack; undefined for one without a place. */
export function parseStackLine(text: string): Frame | undefined {
  const [, name, path, line, column] = frameLine.exec(text) ?? []
  return path === undefined
    ? undefined
    : { name, file: filePath(path), line: Number(line), column: Number(column) }
}

/** Returns the path of a module's file, which a stack has as a path or as a URL. */
export function filePath(name: string): string {
  return name.startsWith("file:") ? fileURLToPath(name) : name
}
