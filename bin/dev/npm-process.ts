/** Notices that npm, which started the command, has ended: npm passes a signal on to its shell, and not to what that runs. */
import { readFileSync } from "node:fs"
import type { Io } from "../cli/terminal.ts"

/** Time between two looks, in milliseconds. */
const interval = 500

/** Returns the processes that must live on: the parent, and on Linux also the parent of npm's shell. */
function ancestors(): string {
  const { ppid } = process
  try {
    // proc(5): pid (name) state ppid …
    const [, parent = ""] =
      /^\d+ \((?:da|ba)?sh\) \S (\d+)/.exec(readFileSync(`/proc/${ppid}/stat`, "latin1")) ?? []
    return `${ppid} ${parent}`
  } catch {
    return `${ppid}`
  }
}

/**
 * Resolves when npm or its shell has ended. Never resolves for a command that npm did not start: its parent may end
 * before it, as a shell does after `fw dev &`.
 *
 * @param signal ends the watch.
 */
export function npmEnded({ env }: Pick<Io, "env">, signal: AbortSignal): Promise<void> {
  if (!env.npm_command) return new Promise(() => {})
  const first = ancestors()
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (ancestors() !== first) resolve()
    }, interval).unref()
    signal.addEventListener("abort", () => clearInterval(timer))
  })
}
