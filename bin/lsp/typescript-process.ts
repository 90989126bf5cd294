/** The process of TypeScript's own language server, from the TypeScript of the project: `tsc --lsp --stdio`. */

import { type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import { findTypeScript } from "../project/find-typescript.ts"

/** The process. */
export interface TypeScriptProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, null>
}

/** Starts the TypeScript of a project. Returns undefined if it has none. */
export function startProcess(root: string): TypeScriptProcess | undefined {
  const tsc = findTypeScript(root)
  if (tsc === null) return undefined
  const child = spawn(process.execPath, [tsc, "--lsp", "--stdio"], { cwd: root, stdio: ["pipe", "pipe", "ignore"] })
  // If the process cannot start, it ends at once, and the code that uses it notices that.
  child.on("error", () => {})
  return { child }
}
