/** Writes new files of a project: all of them or none, and never over existing ones without permission. */
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
  /** Relative to the project, with forward slashes. */
  readonly file: string
  readonly text: string
  /** Directory that must contain the file, relative to the project. Default: that of the options. */
  readonly within?: string
  /** True for an existing file of the project with a few lines more. */
  readonly isEdit?: boolean
}

/** Options of writing. */
export interface NewFilesOptions {
  /** The project's directory. */
  readonly root: string
  /** Directory for the files, relative to the root. */
  readonly within: string
  /** True to overwrite existing files. */
  readonly force: boolean
  /** Aborts when the user stops the command. All changes are reverted then. */
  readonly signal?: AbortSignal
}

/** Files that were written, relative to the project. Edits are not among them. */
export interface NewFilesResult {
  readonly written: readonly string[]
  /** Those of them that existed before. */
  readonly overwritten: readonly string[]
}

/**
 * Writes files, with their directories. Templates are written in the form of `fw format`.
 *
 * @throws FwError `exists` for existing files, `outside` for a path that leaves the directory. After any
 * error, all changes are reverted.
 */
export async function writeNewFiles(
  files: readonly NewFile[],
  { root, within, force, signal }: NewFilesOptions,
): Promise<NewFilesResult> {
  const existingFiles: string[] = []
  for (const { file, within: own = within, isEdit } of files) {
    await checkPlace(root, own, file)
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
    // Another process created it between the check and the write.
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
    throw existsError([relative(root, (error as NodeJS.ErrnoException).path ?? "")])
  }
  return { written: files.flatMap(({ file, isEdit }) => (isEdit ? [] : [file])), overwritten: existingFiles }
}

/** Returns the files with the templates in the form that the project's settings give them. */
async function formatTemplates(
  files: readonly NewFile[],
  root: string,
  signal = new AbortController().signal,
): Promise<readonly NewFile[]> {
  const templates = files.filter(({ file }) => file.endsWith(".tpl"))
  if (templates.length === 0) return files
  const { formatTexts } = await import("../format/format-project.ts")
  const texts = new Map(await formatTexts(root, templates, signal))
  // What a person wrote keeps its form, unless it is that of the settings.
  const edits = templates.filter(({ isEdit }) => isEdit)
  const present = await Promise.all(
    edits.map(async ({ file }) => ({ file, text: await readFile(join(root, file), "utf8") })),
  )
  const formatted = await formatTexts(root, present, signal)
  for (const { file, text } of present) if (formatted.get(file) !== text) texts.delete(file)
  return files.map((one) => ({ ...one, text: texts.get(one.file) ?? one.text }))
}

function existsError(files: readonly string[]): FwError {
  return fileFault("exists", [files], { at: { file: files[0] as string } })
}

/**
 * Checks that a path's directories are inside `within`, and that nothing is written outside the project
 * through links.
 */
async function checkPlace(root: string, within: string, file: string): Promise<void> {
  const top = resolve(root, within)
  const directory = dirname(join(root, file))
  if (isInside(directory, top)) {
    // As long as the top directory does not exist, there is no link below it.
    const topStats = await stat(top).catch(() => null)
    if ((await staysInside(directory, root)) && (!topStats || (await staysInside(directory, top)))) return
  }
  throw fileFault("outside", [file, within], { at: { file } })
}

async function isTaken(path: string, file: string, force: boolean): Promise<boolean> {
  const found = await lstat(path).catch(() => null)
  if (!found || found.isFile() || !force) return found !== null
  throw fileFault("exists.irregular", [file], { at: { file } })
}

async function writeNewFile(place: WritePlace, text: string, force: boolean, undo: Undo[]): Promise<void> {
  const old = force ? await readFile(join(place.root as string, place.path)).catch(() => null) : null
  if (old === null) {
    const directory = await makeDirectory({ ...place, path: dirname(place.path) })
    undo.push(directory.undo)
    await createFile(place, text)
    undo.push(() => removeFile(place))
  } else {
    await replaceFile(place, text)
    undo.push(() => replaceFile(place, old))
  }
}
