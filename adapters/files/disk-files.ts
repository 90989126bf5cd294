/** `diskFiles()`: files in a directory. */
import { openDirectory } from "#disk-files"
import { createFiles } from "../../lib/files/create-files.ts"
import { filesFault } from "../../lib/files/fault.ts"
import type { LocalFilesOptions } from "../../lib/files/local-addresses.ts"
import type { Files } from "../../lib/files/types.ts"

/**
 * Returns the files in a directory, which is made when the first one is stored. On the disk they have the names that they
 * have here, so other programs can read them. Links that lead out of the directory are not followed.
 *
 * @param directory from the working directory on. `data/` is ignored by Git and Docker in new projects.
 * @throws FwError `files` for options that are not valid, and on workers, which have no disk.
 * @example
 * const files = diskFiles("data/photos", { path: "/files" })
 */
export function diskFiles(directory: string, options: LocalFilesOptions = {}): Files {
  if (typeof directory !== "string" || directory === "" || directory.includes("\0"))
    throw filesFault("files.option", [
      "diskFiles()",
      "the directory",
      directory,
      'Write a path, such as "data/photos".',
    ])
  return createFiles(openDirectory(directory), options)
}
