/** Writes new files of a project: all of them or none. Existing files are overwritten only on request. */
import { lstat, readFile, stat } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import type { FwError } from "../../lib/errors.ts"
import { fileFault } from "../messages/files.ts"
import { makeDirectory, type Undo, undoSteps } from "../system/directories.ts"
import { isInside, staysInside } from "../system/path-containment.ts"
import { createFile, removeFile, replaceFile } from "../system/whole-file.ts"
import type { WritePlace } from "../system/write-place.ts"

/** A file to write. */
export interface NewFile {
  /** Path relative to the project, with forward slashes. */
  readonly file: string
  readonly text: string
  /** The directory that must contain the file, relative to the project. Default: that of the options. */
  readonly within?: string
  /** True for an existing file to which lines are added. */
  readonly isEdit?: boolean
}

/** Options of writing. */
export interface NewFilesOptions {
  /** The directory of the project. */
  readonly root: string
  /** The directory for the files, relative to the root. */
  readonly within: string
  /** True to overwrite existing files. */
  readonly force: boolean
  /** Aborts when the user stops the command. All changes are undone then. */
  readonly signal?: AbortSignal
}

/** Paths of the written files, relative to the project. Edited files are not listed. */
export interface NewFilesResult {
  readonly written: readonly string[]
  /** Those of the written files that existed before. */
  readonly overwritten: readonly string[]
}

/**
 * Writes files and creates their directories. Templates are formatted as by `fw format`.
 *
 * @throws FwError `exists` for existing files, `outside` for a path outside the directory. After an error, all
 * changes are undone.
 */
export async function writeNewFiles(
  files: readonly NewFile[],
  { root, within, force, signal }: NewFilesOptions,
): Promise<NewFilesResult> {
  const existingFiles: string[] = []
  for (const { file, within: directory = within, isEdit } of files) {
    await checkPlace(root, directory, file)
    if (isEdit) continue
    if (await isTaken(join(root, file), file, force)) existingFiles.push(file)
  }
  if (existingFiles.length > 0 && !force) throw existsError(existingFiles)
  const undo: Undo[] = []
  try {
    for (const { file, text, isEdit = force } of await formatTemplates(files, root, signal)) {
      signal?.throwIfAborted()
      await writeNewFile({ root, path: file }, text, isEdit, undo)
    }
  } catch (error) {
    await undoSteps(undo)
    // Another process has created the file since it was checked.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    throw existsError([relative(root, (error as NodeJS.ErrnoException).path ?? "")])
  }
  return { written: files.flatMap(({ file, isEdit }) => (isEdit ? [] : [file])), overwritten: existingFiles }
}

/** Returns the files with formatted templates. */
async function formatTemplates(
  files: readonly NewFile[],
  root: string,
  signal = new AbortController().signal,
): Promise<readonly NewFile[]> {
  const templates = files.filter(({ file }) => file.endsWith(".tpl"))
  if (templates.length === 0) return files
  const { formatTexts } = await import("../format/format-project.ts")
  const texts = new Map(await formatTexts(root, templates, signal))
  // An edited file is formatted only if it was formatted before. Otherwise the user prefers another style.
  const edits = templates.filter(({ isEdit }) => isEdit)
  const currentFiles = await Promise.all(
    edits.map(async ({ file }) => ({ file, text: await readFile(join(root, file), "utf8") })),
  )
  const formattedTexts = await formatTexts(root, currentFiles, signal)
  for (const { file, text } of currentFiles) if (formattedTexts.get(file) !== text) texts.delete(file)
  return files.map((one) => ({ ...one, text: texts.get(one.file) ?? one.text }))
}

function existsError(files: readonly string[]): FwError {
  return fileFault("exists", [files], { at: { file: files[0] as string } })
}

/** Checks that a path is inside `within`, and that no link leads outside the project. */
async function checkPlace(root: string, within: string, file: string): Promise<void> {
  const allowedDirectory = resolve(root, within)
  const directory = dirname(join(root, file))
  if (isInside(directory, allowedDirectory)) {
    // A directory that does not exist contains no links.
    const allowedStats = await stat(allowedDirectory).catch(() => null)
    if ((await staysInside(directory, root)) && (!allowedStats || (await staysInside(directory, allowedDirectory))))
      return
  }
  throw fileFault("outside", [file, within], { at: { file } })
}

async function isTaken(path: string, file: string, force: boolean): Promise<boolean> {
  const stats = await lstat(path).catch(() => null)
  if (!stats || stats.isFile() || !force) return stats !== null
  throw fileFault("exists.irregular", [file], { at: { file } })
}

async function writeNewFile(place: WritePlace, text: string, force: boolean, undo: Undo[]): Promise<void> {
  const currentText = force ? await readFile(join(place.root as string, place.path)).catch(() => null) : null
  if (currentText === null) {
    const directory = await makeDirectory({ ...place, path: dirname(place.path) })
    undo.push(directory.undo)
    await createFile(place, text)
    undo.push(() => removeFile(place))
  } else {
    await replaceFile(place, text)
    undo.push(() => replaceFile(place, currentText))
  }
}
