/** Makes the directories that somebody names: in a setting, in an option, or as the place of a file. */
import { findBuiltinModule } from "./builtin-module.ts"

/** Options of {@link makeDirectory}. */
interface DirectoryOptions {
  /** The permissions of each new directory. Default: what the process gives (`umask`). */
  readonly mode?: number
  /** Is told each directory that was made. */
  readonly onMade?: (path: string) => void
}

/**
 * Makes a directory and those of its parents that are missing. Does nothing on a runtime without files.
 *
 * Not with `recursive` of `mkdir`: in Node 20, 24 and 26 that never ends where the system answers ENOENT although the parent exists,
 * as it does below /proc.
 *
 * @throws the system's error if the directory cannot be made, also for a path at which there is a file.
 */
export function makeDirectory(path: string, { mode, onMade }: DirectoryOptions = {}): void {
  const files = findBuiltinModule<typeof import("node:fs")>("node:fs")
  const paths = findBuiltinModule<typeof import("node:path")>("node:path")
  const isThere = (path: string) => files?.statSync(path, { throwIfNoEntry: false })?.isDirectory()
  const missing: string[] = []
  for (let at = path; !isThere(at) && paths && paths.dirname(at) !== at; at = paths.dirname(at)) missing.unshift(at)
  for (const at of missing) {
    try {
      files?.mkdirSync(at, { mode })
      onMade?.(at)
    } catch (error) {
      // Another process may have made it.
      if (!isThere(at)) throw error
    }
  }
}
