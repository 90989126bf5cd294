/** Finds and reads the static files of a project for the build. */

import { createHash } from "node:crypto"
import { existsSync, statSync } from "node:fs"
import { readdir, readFile, realpath, stat } from "node:fs/promises"
import { join, sep } from "node:path"
import { type EmbeddedFiles, normalizeDirectory } from "../../adapters/executable/embedded.ts"
import { compareByCodeUnit } from "../../lib/order.ts"
import { isFileName } from "../../lib/static/file-names.ts"
import type { Io } from "../cli/terminal.ts"
import { locateProblem, type Problem } from "../project/problems.ts"
import { listIgnoredFiles } from "../tools/git.ts"
import type { NamedDirectory } from "./hints.ts"

/** A directory to serve. */
export interface ServedDirectory {
  /** Relative to the project, in the form of `normalizeDirectory`. */
  readonly name: string
  /** URL prefix, such as `/static`; null if it is known only at run time. */
  readonly prefix: string | null
}

/** A directory whose files become part of the build. */
export interface StaticDirectory extends ServedDirectory {
  /** Paths relative to it, with forward slashes, in a stable order. */
  readonly files: readonly StaticFile[]
}

/** A static file. */
export interface StaticFile {
  readonly path: string
  /**
   * The content is read only once, so that a file that changes during the build is not written with the hash of
   * another version.
   */
  readonly bytes: Uint8Array
  readonly sha256: string
}

/** The chosen directories, and warnings about directories that modules name but the build does not contain. */
export interface ChosenDirectories {
  readonly directories: readonly ServedDirectory[]
  readonly warnings: readonly Problem[]
}

const standardDirectory = "static"

/**
 * Chooses the directories that modules name. `static` is added, unless a module serves another directory under the
 * same prefix.
 */
export function chooseDirectories(root: string, namedDirectories: readonly NamedDirectory[]): ChosenDirectories {
  const served: ServedDirectory[] = []
  const warnings: Problem[] = []
  if (!namedDirectories.some(({ by }) => by === "staticDir") && isDirectory(join(root, standardDirectory))) {
    served.push({ name: standardDirectory, prefix: "/static" })
  }
  for (const { dir, by, prefix, embed, at } of namedDirectories) {
    if (embed === false) continue
    const warn = (message: string, fix: string) => warnings.push(locateProblem(root, at.file, at, { message, fix }))
    const call = by === "static" ? "app.static()" : "staticDir"
    const name = dir === null ? null : normalizeDirectory(dir)
    if (embed === null) {
      const fix = "Write true or false: app.static(prefix, dir, { embed: false })."
      warn("whether this directory is embedded is known only when the program runs: its files are embedded", fix)
    }
    if (dir === null) {
      const fix = `To embed them, write its name: "some/directory". If the program writes to it while it runs, add { embed: false }.`
      warn(`the directory of ${call} is known only when the program runs: its files are not embedded`, fix)
    } else if (name === null || name === "") {
      const fix = "To embed them, move it below the project. To keep it there, add { embed: false }."
      warn(`${JSON.stringify(dir)} of ${call} is not below the project: its files are not embedded`, fix)
    } else if (isDirectory(join(root, name))) served.push({ name, prefix })
    else warn(`there is no directory ${JSON.stringify(dir)} for ${call}`, "Create it, or name another one.")
  }
  return { directories: served.sort((a, b) => compareByCodeUnit(a.name, b.name)), warnings }
}

function isDirectory(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

/**
 * Returns warnings about directories whose files are all ignored by git. A program or a test has probably written
 * them.
 *
 * @param generatedFiles files that the build writes itself, which git may ignore.
 */
export async function findIgnoredWarnings(
  root: string,
  directories: readonly StaticDirectory[],
  generatedFiles: readonly string[],
  io: Pick<Io, "env" | "signal">,
): Promise<Problem[]> {
  const all = directories.map(({ name, files }) => ({
    name,
    paths: files.map(({ path }) => `${name}/${path}`).filter((path) => !generatedFiles.includes(path)),
  }))
  const ignored = await listIgnoredFiles(
    root,
    all.flatMap(({ paths }) => paths),
    io,
  )
  return all
    .filter(({ paths }) => paths.length > 0 && paths.every((path) => ignored.has(path)))
    .map(({ name, paths }) => ({
      message: `${name}/ goes into what is built (${paths.length === 1 ? "1 file" : `${paths.length} files`}), and git ignores it`,
      fix: `If the program writes to it while it runs, such as uploads, leave it out: app.static(prefix, ${JSON.stringify(name)}, { embed: false }).`,
    }))
}

/**
 * Reads a directory. Files that the server would not send are left out: dotfiles, and links to targets outside the
 * directory.
 */
export async function readStatic(root: string, served: ServedDirectory): Promise<StaticDirectory> {
  const { name } = served
  const directoryPath = join(root, name)
  const real = await realpath(directoryPath)
  const files: StaticFile[] = []
  /**
   * Reads a directory and those inside it.
   *
   * @param above the directories on the path, to stop at a link back to one of them.
   */
  const visit = async (directory: string, above: readonly string[]): Promise<void> => {
    for (const entry of (await readdir(join(directoryPath, directory))).sort()) {
      const path = directory === "" ? entry : `${directory}/${entry}`
      const source = await realpath(join(directoryPath, path)).catch(() => null)
      if (!isFileName(entry) || !source?.startsWith(real + sep)) continue
      const stats = await stat(source)
      if (stats.isDirectory()) {
        if (!above.includes(source)) await visit(path, [...above, source])
      } else if (stats.isFile()) files.push(createStaticFile(path, await readFile(source)))
    }
  }
  await visit("", [real])
  return { ...served, files: files.sort((a, b) => compareByCodeUnit(a.path, b.path)) }
}

/**
 * Returns a file with its hash.
 *
 * @param path relative to the directory of the file.
 */
export function createStaticFile(path: string, bytes: Uint8Array): StaticFile {
  return { path, bytes, sha256: createHash("sha256").update(bytes).digest("hex") }
}

/**
 * Returns the list of embedded files that the program reads when it starts. The first 80 bits of a hash distinguish
 * the versions of a file.
 */
export function listEmbeddedFiles(directories: readonly StaticDirectory[]): EmbeddedFiles {
  const list = directories.map(({ name, files }) => {
    const entries = files.map(({ path, bytes, sha256 }) => [path, { size: bytes.length, tag: sha256.slice(0, 20) }])
    return [name, Object.fromEntries(entries)]
  })
  return Object.fromEntries(list)
}
