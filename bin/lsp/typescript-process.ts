/** Starts TypeScript's language server from the project's TypeScript: `tsc --lsp --stdio`. */

import { type ChildProcessByStdio, spawn } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import { findTypeScript } from "../project/find-typescript.ts"

/** A running process of TypeScript's language server. */
export interface TypeScriptProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, null>
}

/** Starts the process; returns undefined if the project has no TypeScript. */
export function startProcess(root: string): TypeScriptProcess | undefined {
  const tsc = findTypeScript(root)
  if (tsc === null) return undefined
  const child = spawn(process.execPath, [tsc, "--lsp", "--stdio"], { cwd: root, stdio: ["pipe", "pipe", "ignore"] })
  // If the process cannot be started, it ends at once, and the caller handles its end.
  child.on("error", () => {})
  return { child }
}
