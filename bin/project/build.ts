/** A production build up to the point where executables and bundles part: what is generated, compiled, bundled and listed. Called by `fw build`. */
import { existsSync } from "node:fs"
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { emptyTree } from "../../lib/tree.ts"
import { run as generateFiles } from "../commands/generate-templates.ts"
import { Progress } from "../progress.ts"
import { type Io, viewOf } from "../terminal.ts"
import { type BundleKind, bundleProject, type ProductionBundle } from "./build-bundle.ts"
import { chooseDirectories, readStatic, type StaticDirectory } from "./build-static.ts"
import { generateWorker, writeIfChanged } from "./codegen.ts"
import { ensureCss } from "./css-binary.ts"
import { compileCss, cssDefaults } from "./css-compile.ts"
import { type Problem, problemText } from "./dev-problems.ts"
import { checkProject, mainOf, type Project } from "./dev-project.ts"
import { lendFramework } from "./local-copy.ts"
import { asksForDocument } from "./openapi-embed.ts"
import { partialOf, sweepPartials } from "./partial.ts"
import { scanProject } from "./scan-project.ts"

/** What every build ends with, before it is written. */
export interface Prepared {
  readonly bundle: ProductionBundle
  readonly directories: readonly StaticDirectory[]
}

/** How to prepare. */
export interface PrepareOptions {
  readonly project: Project
  readonly kind: BundleKind
  /** The module that imports everything, and the bundle to be, relative to the project. */
  readonly entry: string
  readonly outfile: string
}

/** @throws FwError for a directory that is no project. */
export function openProject(io: Pick<Io, "cwd">): Project {
  const project = { root: io.cwd, appDir: "app" }
  checkProject(project)
  return project
}

/**
 * Generates, compiles the styles, bundles and lists the static files; what deserves a warning is said.
 *
 * @throws FwError for mistakes of the project, each with its place.
 */
export async function prepare(options: PrepareOptions, io: Io): Promise<Prepared> {
  const { project, kind, entry, outfile } = options
  const { root, appDir } = project
  const lent = await lendFramework(root, (text) => io.stderr.write(`${text}\n`))
  await step("Compiling templates and routes", io, async () => {
    await generateFiles({ appDir }, io)
    if (entry === workerEntryFile) await writeWorkerEntry(project)
  })
  await buildStyles(root, io)
  io.signal.throwIfAborted()
  const bundle = await step("Bundling", io, () => {
    return bundleProject({ root, entry, outfile, kind, isLent: lent !== null })
  })
  const { served, warnings } = chooseDirectories(root, bundle.hints.directories)
  warn([...bundle.warnings, ...warnings], io)
  const directories = await Promise.all(served.map((directory) => readStatic(root, directory)))
  io.signal.throwIfAborted()
  return { bundle, directories }
}

/** The module that a server's program is bundled from. */
export const serverEntryFile = ".fw/entry.node.ts"
/** The module that a worker is bundled from. */
export const workerEntryFile = ".fw/entry.workers.ts"

async function writeWorkerEntry(project: Project): Promise<void> {
  const { root, appDir } = project
  const tree = existsSync(join(root, appDir)) ? await scanProject(root, appDir) : emptyTree(appDir)
  const { file, text } = generateWorker(tree, { main: mainOf(project), openapi: await asksForDocument(root) })
  await writeIfChanged(join(root, file), text)
}

/** The styles, minified, where there are any. */
async function buildStyles(root: string, io: Io): Promise<void> {
  if (!existsSync(join(root, cssDefaults.input))) return
  const { path } = await ensureCss(io)
  await step("Compiling styles", io, () => compileCss(path, { cwd: root, ...cssDefaults }, io))
}

/** Says what is being done, where a person waits for it. The result speaks for itself. */
export function step<T>(doing: string, { stderr, env }: Io, work: () => Promise<T>): Promise<T> {
  return new Progress({ stdout: stderr, env }).step(doing, work, () => null)
}

function warn(problems: readonly Problem[], { stderr, env }: Io): void {
  const { style } = viewOf(stderr, env)
  for (const problem of problems) stderr.write(problemText(problem, style, "warning"))
}

/** Gives a directory of its own below `.fw/` to a piece of work, and takes it away afterwards, however that ends. */
export async function inWorkplace<T>(root: string, work: (directory: string) => Promise<T>): Promise<T> {
  const base = join(root, ".fw", "build")
  await mkdir(join(root, ".fw"), { recursive: true })
  await sweepPartials(base)
  const directory = partialOf(base)
  await mkdir(directory)
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
