/**
 * `fw build --target`: writes the project as a bundle for a runtime or another program, with the files that it
 * needs.
 */
import { existsSync } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { join, resolve } from "node:path"
import type { Io } from "../cli/terminal.ts"
import { buildFault } from "../messages/build.ts"
import { appDeclarations } from "../project/codegen.ts"
import { jobsFile } from "../project/jobs-module.ts"
import type { FrameworkPart } from "../system/framework-files.ts"
import type { OwnDirectory } from "../system/own-directory.ts"
import { fillDirectory } from "../system/whole-directory.ts"
import { checkWritable, resolveDirectoryPath } from "../system/write-place.ts"
import {
  appEntryFile,
  type BuildOptions,
  openProject,
  type PreparedBuild,
  prepareBuild,
  serverEntryFile,
  workerEntryFile,
} from "./build.ts"
import { type BuildTarget, bundleKinds } from "./bundle-kinds.ts"
import { getHostMachine, type Machine } from "./executable/node-release.ts"
import { checkOutside, formatOutputPath, readProjectName, toOutputPlace, toPlainName } from "./output.ts"
import { readComponents, renderBillOfMaterials } from "./sbom.ts"
import type { StaticDirectory } from "./static-files.ts"

/** Options of {@link buildTarget}. */
export interface TargetOptions extends BuildOptions {
  /** The parts of fw to leave out. */
  readonly without: readonly FrameworkPart[]
}

/** The bundle that was written. */
export interface BuiltTarget {
  readonly target: BuildTarget
  /** The directory, as the user would write it. */
  readonly directory: string
  /** The module to run, in that directory. */
  readonly entry: string
  /** Size of the module in bytes. */
  readonly size: number
}

/** The file to run and the entry to bundle, for targets where they are not those of a server. */
const targetModules: Readonly<Partial<Record<BuildTarget, { readonly entry: string; readonly source: string }>>> = {
  workers: { entry: "worker.mjs", source: workerEntryFile },
  app: { entry: "app.mjs", source: appEntryFile },
}

/** A file that marks a directory as written by fw. A build replaces only directories with this file. */
const markerFile = "fw-build.json"

/**
 * Writes a project as a bundle.
 *
 * @throws FwError for a mistake in the project or the output. Nothing is written then.
 */
export async function buildTarget(
  target: BuildTarget,
  { output, without, isStrict, hasSbom, settings }: TargetOptions,
  io: Io,
): Promise<BuiltTarget> {
  const project = openProject(io)
  const { root, appDir } = project
  const path = resolve(root, output ?? join("dist", target))
  const outputText = formatOutputPath(root, path)
  checkOutside(root, path, [appDir, "static"])
  await checkDirectory(root, path)
  const { entry, source } = targetModules[target] ?? { entry: "server.mjs", source: serverEntryFile }
  const prepared = await prepareBuild(
    {
      project,
      kind: bundleKinds[target],
      entry: source,
      outfile: join(outputText, entry),
      without,
      isStrict,
      settings,
    },
    io,
  )
  checkOutside(
    root,
    path,
    prepared.directories.map(({ name }) => name),
  )
  await fillDirectory(toOutputPlace(root, path), async (directory) => {
    await writeBundle(directory, entry, prepared)
    if (target === "app") await directory.write("app.d.mts", appDeclarations)
    if (target === "workers")
      await writeWorker(directory, entry, prepared.directories, readProjectName(root), existsSync(join(root, jobsFile)))
    else await writeAssets(directory, prepared)
    if (hasSbom) await directory.write("sbom.cdx.json", await makeSbom(root, prepared, target))
    await writeMarker(directory, { target, entry })
    io.signal.throwIfAborted()
  })
  const { size } = await stat(join(path, entry))
  return { target, directory: outputText, entry: join(outputText, entry), size }
}

/**
 * Checks that the output directory may be written or replaced.
 *
 * @throws FwError `build_output` if it has other content.
 */
export async function checkDirectory(root: string, path: string): Promise<void> {
  const target = toOutputPlace(root, path)
  const real = await resolveDirectoryPath(target)
  const names: readonly string[] = await readdir(real).catch(() => [])
  if (names.length > 0 && !names.includes(markerFile))
    throw buildFault("build_output.foreign", [formatOutputPath(root, path)])
  await checkWritable({ ...target, path: real })
}

/** Writes the file that marks the directory, so that the next build may replace it. */
export async function writeMarker(directory: OwnDirectory, facts: Readonly<Record<string, string>>): Promise<void> {
  await directory.write(markerFile, `${JSON.stringify(facts)}\n`)
}

async function writeBundle(directory: OwnDirectory, entry: string, { bundle }: PreparedBuild): Promise<void> {
  await directory.write(entry, bundle.code)
  if (bundle.map) await directory.write(`${entry}.map`, bundle.map)
}

async function makeSbom(root: string, { bundle }: PreparedBuild, target: BuildTarget): Promise<string> {
  const external =
    target === "workers" ? [] : bundle.external.listNeededFiles(getHostMachine() as Machine, bundle.startImports)
  const files = [...bundle.files, ...external.map(({ source }) => source)]
  return renderBillOfMaterials(root, readProjectName(root), readComponents(root, files))
}

/** Writes static files below the names of their directories, and the external packages for this machine. */
async function writeAssets(directory: OwnDirectory, { bundle, directories }: PreparedBuild): Promise<void> {
  for (const { name, files } of directories) {
    await directory.createDirectory(name)
    for (const { path, bytes } of files) await directory.write(join(name, path), bytes)
  }
  for (const { path, source } of bundle.external.listNeededFiles(getHostMachine() as Machine, bundle.startImports)) {
    await directory.copy(source, path)
  }
}

/** Returns the queues of a worker with jobs, and the trigger of their schedules. */
function describeQueues(queue: string) {
  const failedQueue = `${queue}-failed`
  return {
    queues: {
      producers: [
        { queue, binding: "JOBS" },
        { queue: failedQueue, binding: "JOBS_FAILED" },
      ],
      // fw counts the attempts of each job, by the options of the job. The queue must not give up before: 100 is its
      // maximum.
      consumers: [{ queue, max_batch_timeout: 1, max_retries: 100, dead_letter_queue: failedQueue }],
    },
    triggers: { crons: ["* * * * *"] },
  }
}

/** Writes static files at their URL paths, and the configuration of wrangler. */
async function writeWorker(
  directory: OwnDirectory,
  entry: string,
  directories: readonly StaticDirectory[],
  name: string,
  hasJobs: boolean,
): Promise<void> {
  await directory.createDirectory("assets")
  for (const { prefix, files } of directories) {
    if (prefix === null) continue
    for (const { path, bytes } of files) await directory.write(join("assets", prefix, path), bytes)
  }
  const config = {
    // wrangler accepts only these characters in a name.
    name: toPlainName(name),
    main: entry,
    compatibility_date: "2025-09-15",
    compatibility_flags: ["nodejs_compat", "enable_request_signal"],
    no_bundle: true,
    assets: { directory: "assets", binding: "ASSETS", run_worker_first: true },
    ...(hasJobs && describeQueues(`${toPlainName(name)}-jobs`)),
  }
  await directory.write("wrangler.json", `${JSON.stringify(config, null, 2)}\n`)
}
