/** `fw build --target`: the project as a bundle for a runtime, with all it needs beside it. Called by `bin/commands/build.ts`. */
import { chmod, copyFile, mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../terminal.ts"
import { openProject, type Prepared, prepare, serverEntryFile, workerEntryFile } from "./build.ts"
import { bundleKinds, type Target } from "./build-kinds.ts"
import { checkOutside, projectName, shownOutput, unwritable, writeWhole } from "./build-output.ts"
import type { StaticDirectory } from "./build-static.ts"
import { hostMachine, type Machine } from "./node-release.ts"
import { makeRoom, partialOf } from "./partial.ts"

/** What was made. */
export interface BuiltTarget {
  readonly target: Target
  /** The directory, as the user would write it. */
  readonly directory: string
  /** The module to run, in it. */
  readonly entry: string
  /** Bytes of that module. */
  readonly size: number
}

/** A file of ours that says whose a directory is: only such a one is replaced. */
const marker = "fw-build.json"

/**
 * Builds.
 *
 * @param output the directory; without one, `dist/<target>`.
 * @throws FwError for what is wrong with the project or the output; then nothing is written.
 */
export async function buildTarget(target: Target, output: string | undefined, io: Io): Promise<BuiltTarget> {
  const project = openProject(io)
  const { root, appDir } = project
  const path = resolve(root, output ?? join("dist", target))
  const shown = shownOutput(root, path)
  checkOutside(root, path, [appDir, "static"])
  await checkDirectory(root, path)
  const isWorker = target === "workers"
  const entry = isWorker ? "worker.mjs" : "server.mjs"
  const prepared = await prepare(
    {
      project,
      kind: bundleKinds[target],
      entry: isWorker ? workerEntryFile : serverEntryFile,
      outfile: join(shown, entry),
    },
    io,
  )
  checkOutside(
    root,
    path,
    prepared.directories.map(({ name }) => name),
  )
  const writeAll = async (directory: string) => {
    await mkdir(directory, { recursive: true })
    await writeBundle(directory, entry, prepared)
    if (isWorker) await writeWorker(directory, entry, prepared.directories, await projectName(root))
    else await writeBeside(directory, prepared)
    await writeFile(join(directory, marker), `${JSON.stringify({ target, entry })}\n`)
    io.signal.throwIfAborted()
  }
  await writeWhole(root, path, writeAll, swap)
  const { size } = await stat(join(path, entry))
  return { target, directory: shown, entry: join(shown, entry), size }
}

/** @throws FwError `build_output` for a place that holds something else. */
async function checkDirectory(root: string, path: string): Promise<void> {
  const shown = shownOutput(root, path)
  const found = await stat(path).catch(() => null)
  const names = found?.isDirectory() ? await readdir(path) : []
  if ((found && !found.isDirectory()) || (names.length > 0 && !names.includes(marker))) {
    const what = `${shown} is there, and is no bundle of fw build: it is not overwritten`
    throw new FwError("build_output", what, "Name another directory with --output, or remove it.")
  }
  await makeRoom(path, (cause) => unwritable(shown, cause))
}

/** The new directory in the place of the old. */
async function swap(made: string, path: string): Promise<void> {
  const old = partialOf(path)
  await rename(path, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
  })
  await rename(made, path)
  await rm(old, { recursive: true, force: true })
}

async function writeBundle(directory: string, entry: string, { bundle }: Prepared): Promise<void> {
  await writeFile(join(directory, entry), bundle.code)
  if (bundle.map) await writeFile(join(directory, `${entry}.map`), bundle.map)
}

/** Static files under the names of their directories, and native code for this machine. */
async function writeBeside(directory: string, { bundle, directories }: Prepared): Promise<void> {
  for (const { name, files } of directories) {
    await mkdir(join(directory, name), { recursive: true })
    for (const { path, bytes } of files) await write(join(directory, name, path), bytes)
  }
  for (const { path, source } of bundle.native.files(hostMachine() as Machine)) {
    await copy(source, join(directory, path))
  }
}

/** Static files under the paths that they are asked for by, and what wrangler is to know. */
async function writeWorker(
  directory: string,
  entry: string,
  directories: readonly StaticDirectory[],
  name: string,
): Promise<void> {
  await mkdir(join(directory, "assets"))
  for (const { prefix, files } of directories) {
    if (prefix === null) continue
    for (const { path, bytes } of files) await write(join(directory, "assets", prefix, path), bytes)
  }
  const config = {
    // What wrangler takes for a name.
    name:
      name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-")
        .replace(/^-|-$/g, "") || "app",
    main: entry,
    compatibility_date: "2025-09-15",
    compatibility_flags: ["nodejs_compat", "enable_request_signal"],
    no_bundle: true,
    assets: { directory: "assets", binding: "ASSETS", run_worker_first: true },
  }
  await writeFile(join(directory, "wrangler.json"), `${JSON.stringify(config, null, 2)}\n`)
}

async function write(target: string, bytes: Uint8Array): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await writeFile(target, bytes)
}

async function copy(source: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true })
  await copyFile(source, target)
  const { mode } = await stat(source)
  await chmod(target, mode & 0o100 ? 0o755 : 0o644)
}
