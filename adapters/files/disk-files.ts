/** `diskFiles()`: stores files in a directory. */
import { openDirectory } from "#disk-files"
import { checkOption } from "../../lib/files/checks.ts"
import { createFiles } from "../../lib/files/create-files.ts"
import type { LocalFilesOptions } from "../../lib/files/local-addresses.ts"
import type { Files } from "../../lib/files/types.ts"

/**
 * Returns the files in a directory, which is created for the first file. On disk the files have the same names, so
 * other programs can read them. Links that lead out of the directory are not followed.
 *
 * @param directory the path, relative to the working directory. In new projects, `data/` is ignored by Git and Docker.
 * @throws FwError `files` for options that are not valid, and on workers, which have no disk.
 * @example
 * const files = diskFiles("data/photos", { path: "/files" })
 */
export function diskFiles(directory: string, options: LocalFilesOptions = {}): Files {
  const isPath = typeof directory === "string" && directory !== "" && !directory.includes("\0")
  checkOption(isPath, "diskFiles()", "the directory", directory, 'Write a path, such as "data/photos".')
  return createFiles(openDirectory(directory), options)
}
