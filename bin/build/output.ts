/** The output of a build: checks its path and the free disk space, and writes it atomically. */
import { createReadStream, existsSync } from "node:fs"
import { readFile, stat, statfs } from "node:fs/promises"
import { basename, join, relative, resolve, sep } from "node:path"
import type { Program } from "../../adapters/start/questions.ts"
import type { FwError } from "../../lib/errors.ts"
import { buildFault } from "../messages/build.ts"
import { readDatabase } from "../project/database-files.ts"
import { jobsFile } from "../project/jobs-module.ts"
import { readManifest } from "../project/manifest.ts"
import { checkWritable, resolveFilePath, type WritePlace } from "../system/write-place.ts"
import { parseMachines } from "./binary-format.ts"
import type { Machine } from "./executable/node-release.ts"

/** Free disk space that a build needs, in bytes: for a Node without symbols and for the executable. */
const minFreeBytes = 350_000_000

/** Returns the project's name: that of its package without the scope, or that of its directory. */
export function readProjectName(root: string): string {
  const { name: packageName } = readManifest(root)
  const name = basename((typeof packageName === "string" && packageName.replace(/^@[^/]*\//, "")) || root)
  return /^\.*$/.test(name) ? "app" : name
}

/**
 * Returns the facts that a program knows about itself. They include the settings in `.env.example`, also those that
 * are commented out there.
 */
export async function readProgramFacts(root: string): Promise<Program> {
  const { version } = readManifest(root)
  const example = await readFile(join(root, ".env.example"), "utf8").catch(() => "")
  const settings = [...example.matchAll(/^[ \t]*#?[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=/gm)].map(
    ([, name = ""]) => name,
  )
  return {
    name: readProjectName(root),
    ...(typeof version === "string" && version && { version }),
    ...((await readDatabase(root)) && { hasDatabase: true }),
    ...(existsSync(join(root, jobsFile)) && { hasJobs: true }),
    settings: [...new Set(settings)].sort(),
  }
}

/**
 * Converts a name to the form that images and workers accept: small letters, digits, and single hyphens between
 * them.
 */
export function toPlainName(name: string): string {
  return (
    name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "app"
  )
}

/**
 * Returns the absolute path of the executable: the requested one, or `bin/<project>`. On Windows it ends with
 * `.exe`.
 */
export async function chooseExecutablePath(root: string, { os }: Machine, output: string | undefined): Promise<string> {
  const path = output ?? join("bin", readProjectName(root))
  if (output !== undefined && /[/\\]$/.test(output)) throw directoryFault(output, executableFile)
  return resolve(root, os === "windows" && !/\.exe$/i.test(path) ? `${path}.exe` : path)
}

/** Returns a path as the user would write it. */
export function formatOutputPath(root: string, path: string): string {
  const inner = relative(root, path)
  return inner.startsWith("..") || resolve(inner) === inner ? path : inner.split(sep).join("/")
}

/** The flags of `fw build` that name an output file. */
export type OutputFlag = "--output" | "--image"

/** A type of output file: how to recognize it by its first bytes, and an example of its path. */
interface OutputKind {
  readonly fileType: "executable" | "image"
  readonly flag: OutputFlag
  readonly isOfKind: (head: Buffer) => boolean
  readonly example: string
}

const executableFile: OutputKind = {
  fileType: "executable",
  flag: "--output",
  isOfKind: (head) => parseMachines(head) !== null,
  example: "/app",
}

/** The first entry of an OCI archive is `oci-layout`. */
export const imageFile: OutputKind = {
  fileType: "image",
  flag: "--image",
  isOfKind: (head) => head.toString("latin1", 0, 11) === "oci-layout\0",
  example: "/image.tar",
}

/**
 * Checks that an executable can be written to a path. Called before the build, which takes long.
 *
 * @param sources directories that the build reads, relative to the project.
 * @throws FwError `build_output` or `build_space`.
 */
export async function checkExecutablePath(root: string, path: string, sources: readonly string[]): Promise<void> {
  await checkFile(root, path, sources, executableFile)
}

/**
 * Checks that an image can be written to a path, as {@link checkExecutablePath} does for an executable.
 *
 * @throws FwError `build_output` or `build_space`.
 */
export async function checkImagePath(root: string, path: string, sources: readonly string[]): Promise<void> {
  await checkFile(root, path, sources, imageFile)
}

async function checkFile(root: string, path: string, sources: readonly string[], kind: OutputKind): Promise<void> {
  const { fileType, flag, isOfKind } = kind
  const outputText = formatOutputPath(root, path)
  checkOutside(root, path, sources, flag)
  const stats = await stat(path).catch(() => null)
  if (stats?.isDirectory()) throw directoryFault(outputText, kind)
  const target = toOutputPlace(root, path, flag)
  const real = await resolveFilePath(target)
  if (stats && !isOfKind(await readHead(real))) throw buildFault("build_output.kind", [outputText, fileType, flag])
  const { bavail, bsize } = await statfs(await checkWritable({ ...target, path: real }))
  if (bavail * bsize < minFreeBytes) {
    const free = Math.floor((bavail * bsize) / 1_000_000)
    throw buildFault("build_space", [outputText, free, minFreeBytes / 1_000_000, flag])
  }
}

/**
 * Checks that a path is not in a directory that the next build would read.
 *
 * @throws FwError `build_output` otherwise.
 */
export function checkOutside(
  root: string,
  path: string,
  sources: readonly string[],
  flag: OutputFlag = "--output",
): void {
  const source = sources.find((name) => path === join(root, name) || path.startsWith(join(root, name) + sep))
  if (source === undefined) return
  throw buildFault("build_output.inside", [formatOutputPath(root, path), source, flag])
}

/** Returns the place where a build writes, with the errors to throw if that fails. */
export function toOutputPlace(root: string, path: string, flag: OutputFlag = "--output"): WritePlace {
  const fix = `Name another path with ${flag}, or give this user write access there.`
  return { root, path, code: "build_output", fullCode: "build_space", fix }
}

async function readHead(path: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(path, { end: 4095 })) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

/** Returns the error for an output path that is a directory. */
export function directoryFault(outputText: string, { fileType, flag, example }: OutputKind): FwError {
  return buildFault("build_output.directory", [outputText, fileType, flag, outputText.replace(/[/\\]*$/, example)])
}
