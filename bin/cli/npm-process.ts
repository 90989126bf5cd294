/** Notices that npm, which started the command, has ended: npm passes a signal on to its shell, and not to what that runs. */
import { readFileSync } from "node:fs"

/** Time between two looks, in milliseconds. */
const checkIntervalMs = 500

/** Returns the processes that must live on: the parent, and on Linux also the parent of npm's shell. */
function readAncestors(): string {
  const { ppid } = process
  try {
    // proc(5): pid (name) state ppid …
    const [, parent = ""] = /^\d+ \((?:da|ba)?sh\) \S (\d+)/.exec(readFileSync(`/proc/${ppid}/stat`, "latin1")) ?? []
    return `${ppid} ${parent}`
  } catch {
    return `${ppid}`
  }
}

/**
 * Resolves when npm or its shell has ended. Only for a command that npm has started: the parent of another one may end
 * before it, as a shell does after `fw dev &`.
 */
export function waitForNpmEnd(): Promise<void> {
  const first = readAncestors()
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (readAncestors() === first) return
      clearInterval(timer)
      resolve()
    }, checkIntervalMs).unref()
  })
}
