/** Where a build goes: checked before any work, written whole, with room on the disk. Used by `build.ts`. */
import { open, readFile, rename, rm, stat, statfs } from "node:fs/promises"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { readMachines } from "./binary-format.ts"
import type { Machine } from "./node-release.ts"
import { makeRoom, partialOf } from "./partial.ts"

/** Bytes that must be free: a Node without symbols, and the executable made of it. */
const needed = 350_000_000

/** The project's name: the package's, without its scope, else the directory's. */
export async function projectName(root: string): Promise<string> {
  const text = await readFile(join(root, "package.json"), "utf8").catch(() => "{}")
  const given = nameIn(text)
  const name = basename(given?.replace(/^@[^/]*\//, "") || root)
  return /^\.*$/.test(name) ? "app" : name
}

function nameIn(text: string): string | undefined {
  try {
    const { name } = JSON.parse(text) as { name?: unknown }
    return typeof name === "string" ? name : undefined
  } catch {
    // esbuild says what is wrong with it.
    return undefined
  }
}

/** The executable's path, absolute: what was asked for, or `bin/<project>`; on Windows it ends with `.exe`. */
export async function executablePath(
  root: string,
  { os }: Machine,
  output: string | undefined,
): Promise<string> {
  const path = output ?? join("bin", await projectName(root))
  if (output !== undefined && /[/\\]$/.test(output)) throw notAFile(output)
  return resolve(root, os === "windows" && !/\.exe$/i.test(path) ? `${path}.exe` : path)
}

/** A path as the user wrote or would write it. */
export function shownOutput(root: string, path: string): string {
  const inner = relative(root, path)
  return inner.startsWith("..") || resolve(inner) === inner ? path : inner.split(sep).join("/")
}

/**
 * Makes sure that an executable can be written there, before anyone waits for it.
 *
 * @param sources directories of the project that the build reads, relative to it.
 * @throws FwError `build_output` or `build_space`.
 */
export async function checkExecutablePath(
  root: string,
  path: string,
  sources: readonly string[],
): Promise<void> {
  const shown = shownOutput(root, path)
  checkOutside(root, path, sources)
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) throw notAFile(shown)
  if (found && readMachines(await headOf(path)) === null) {
    const what = `${shown} is there, and is no executable: it is not overwritten`
    throw new FwError("build_output", what, "Name another file with --output, or remove it.")
  }
  await makeRoom(path, (cause) => unwritable(shown, cause))
  const { bavail, bsize } = await statfs(dirname(path))
  if (bavail * bsize < needed) {
    const free = Math.floor((bavail * bsize) / 1_000_000)
    const what = `there are ${free} MB free where ${shown} goes, and a build takes ${needed / 1_000_000} MB`
    throw new FwError("build_space", what, "Make room, or name a file on another disk with --output.")
  }
}

/** @throws FwError `build_output` for a path that the next build would read. */
export function checkOutside(root: string, path: string, sources: readonly string[]): void {
  const within = sources.find((name) => path === join(root, name) || path.startsWith(join(root, name) + sep))
  if (within === undefined) return
  const what = `${shownOutput(root, path)} is inside ${within}/, which is built from`
  throw new FwError("build_output", what, "Name a place outside of it with --output, such as bin/app.")
}

/**
 * Has a file or directory written beside its place, and moves it there whole.
 *
 * @param take moves it. Default: a rename, which no directory that is there lets pass.
 * @throws FwError `build_output` where the system refuses.
 */
export async function writeWhole<T>(
  root: string,
  path: string,
  write: (partial: string) => Promise<T>,
  take: (partial: string, path: string) => Promise<void> = rename,
): Promise<T> {
  const partial = partialOf(path)
  try {
    const result = await write(partial)
    await take(partial, path)
    return result
  } catch (error) {
    throw isSystem(error) ? unwritable(shownOutput(root, path), error) : error
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

function isSystem(error: unknown): boolean {
  return error instanceof Error && !(error instanceof FwError) && "syscall" in error
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path, "r")
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function notAFile(shown: string): FwError {
  const what = `${shown} is a directory, and the executable is a file`
  return new FwError("build_output", what, `Name a file in it: --output ${shown.replace(/[/\\]*$/, "/app")}.`)
}

/** The error where the system refuses a path that is written to. */
export function unwritable(shown: string, cause: unknown): FwError {
  const full = (cause as NodeJS.ErrnoException).code === "ENOSPC"
  const fix = full
    ? "Make room, or name a file on another disk with --output."
    : "Let this user write there, or name another place with --output."
  return new FwError(
    full ? "build_space" : "build_output",
    `${shown} cannot be written: ${(cause as Error).message}`,
    fix,
    { cause },
  )
}
