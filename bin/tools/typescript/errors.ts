/** Returns the errors that TypeScript finds in the files of a program. */
import { readFileSync } from "node:fs"
import type * as Sync from "typescript/unstable/sync"
import { findLineStarts, locate } from "../../../lib/scan/position.ts"

/** A message of the checker with its position. */
export interface LineError {
  /** Line number from 1, as is the column. */
  readonly line: number
  readonly column: number
  readonly message: string
}

/** An error with its file and code. */
export interface ProgramError extends LineError {
  /** Path relative to the project. */
  readonly file: string
  /** The code of TypeScript, such as 2322. */
  readonly code: number
}

/** Returns the syntax errors of a project's files, including its declaration files. */
export function findSyntaxErrors(program: Sync.Program): Sync.Diagnostic[] {
  const foreignPath = /(?:^|\/)(?:node_modules|\.fw)\//
  return program.getSyntacticDiagnostics().filter(({ fileName = "" }) => !foreignPath.test(fileName))
}

/** Functions for the paths of a program. */
interface ProgramPaths {
  /** Returns true for the configuration that fw writes. */
  readonly isConfig: (path: string) => boolean
  /** Returns the text of a file that is not on the disk. */
  readonly text: (path: string) => string | undefined
  readonly toRelativePath: (path: string) => string
}

/** Converts diagnostics to errors with lines. A diagnostic without a file is about the configuration. */
export function locateErrors(
  diagnostics: readonly Sync.Diagnostic[],
  { isConfig, text: readText, toRelativePath }: ProgramPaths,
): ProgramError[] {
  const starts = new Map<string, readonly number[]>()
  return diagnostics.map(({ fileName, pos, text, code, messageChain }) => {
    const message = [text, ...findDeepestMessages(messageChain)].join(" ")
    if (!fileName || isConfig(fileName)) return { file: "tsconfig.json", line: 1, column: 1, code, message }
    const lineStarts = starts.get(fileName) ?? findLineStarts(readText(fileName) ?? readOrEmpty(fileName))
    starts.set(fileName, lineStarts)
    const { line, column } = locate(lineStarts, pos)
    return { file: toRelativePath(fileName), line: line + 1, column: column + 1, code, message }
  })
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/**
 * Returns the deepest message of a chain, which describes the mismatch; an empty list without a chain. The messages
 * above it say where the mismatch was found.
 */
function findDeepestMessages(chain: readonly Sync.Diagnostic[] | undefined): string[] {
  const last = chain?.at(-1)
  return last
    ? findDeepestMessages(last.messageChain).length > 0
      ? findDeepestMessages(last.messageChain)
      : [last.text]
    : []
}
