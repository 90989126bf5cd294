/**
 * Notices when npm, which started the command, has ended. npm sends a signal only to its shell, and not to the
 * command.
 */
import { readFileSync } from "node:fs"

/** Time between two checks whether the ancestors still run, in milliseconds. */
const checkIntervalMs = 500

/**
 * Returns the ids of the processes that must still be running: the parent, and on Linux also the parent of npm's
 * shell.
 */
function readAncestors(): string {
  const { ppid } = process
  try {
    // The fields are: pid (name) state ppid (proc(5)).
    const [, parent = ""] = /^\d+ \((?:da|ba)?sh\) \S (\d+)/.exec(readFileSync(`/proc/${ppid}/stat`, "latin1")) ?? []
    return `${ppid} ${parent}`
  } catch {
    return `${ppid}`
  }
}

/**
 * Resolves when npm or its shell has ended. Use it only in a command that npm has started. Another command may
 * outlive its parent, such as the shell of `fw dev &`.
 */
export function waitForNpmEnd(): Promise<void> {
  const ancestors = readAncestors()
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (readAncestors() === ancestors) return
      clearInterval(timer)
      resolve()
    }, checkIntervalMs).unref()
  })
}
