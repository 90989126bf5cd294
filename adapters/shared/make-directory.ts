/** Creates directories that a setting, an option or the path of a file names. */
import { findBuiltinModule } from "./builtin-module.ts"

/** Options of {@link makeDirectory}. */
interface DirectoryOptions {
  /** The permissions of each new directory. Default: those that the `umask` of the process allows. */
  readonly mode?: number
  /** Called with each directory that was created. */
  readonly onCreate?: (path: string) => void
}

/**
 * Creates a directory and its missing parents. Does nothing on a runtime without files.
 *
 * `mkdir` with `recursive` is not used. In Node 20, 24 and 26 it never returns if the system answers ENOENT although
 * the parent exists, as it does below /proc.
 *
 * @throws the system's error if the directory cannot be made, also for a path at which there is a file.
 */
export function makeDirectory(path: string, { mode, onCreate }: DirectoryOptions = {}): void {
  const files = findBuiltinModule<typeof import("node:fs")>("node:fs")
  const paths = findBuiltinModule<typeof import("node:path")>("node:path")
  const isDirectory = (path: string) => files?.statSync(path, { throwIfNoEntry: false })?.isDirectory()
  const missingDirectories: string[] = []
  for (
    let directory = path;
    !isDirectory(directory) && paths && paths.dirname(directory) !== directory;
    directory = paths.dirname(directory)
  )
    missingDirectories.unshift(directory)
  for (const directory of missingDirectories) {
    try {
      files?.mkdirSync(directory, { mode })
      onCreate?.(directory)
    } catch (error) {
      // Another process may have created it meanwhile.
      if (!isDirectory(directory)) throw error
    }
  }
}
