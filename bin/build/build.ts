/** The steps that all production builds share: generating, compiling, bundling and listing files. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { RouteTree } from "../../lib/tree.ts"
import { Progress } from "../cli/progress.ts"
import { createView, type Io } from "../cli/terminal.ts"
import { ensureCSS } from "../css/binary.ts"
import { compileCSS } from "../css/compile.ts"
import { checkGenerated, type Generated, writeGenerated } from "../generate/generated.ts"
import { locateFinding } from "../inspect/checks/finding.ts"
import { checkMain } from "../inspect/checks/misplaced-files.ts"
import { checkLinks } from "../inspect/links/check-links.ts"
import { readSources } from "../inspect/project-sources.ts"
import { buildFault } from "../messages/build.ts"
import {
  type EntryOptions,
  type GeneratedFile,
  generateApp,
  generatePages,
  generateWorker,
} from "../project/codegen.ts"
import { provideFramework } from "../project/local-copy.ts"
import { formatProblem, locateProblem, type Problem } from "../project/problems.ts"
import { checkProject, type Project } from "../project/project.ts"
import type { Settings } from "../project/settings.ts"
import { findStyles } from "../project/static-dir.ts"
import type { FrameworkPart } from "../system/framework-files.ts"
import { writeIfChanged } from "../system/whole-file.ts"
import { toCallWarnings } from "../validators/prepare-validators.ts"
import { type BrowserFiles, buildBrowserFiles } from "./browser-files.ts"
import { type BundleJob, type BundleKind, bundleProject, type ProductionBundle } from "./bundle.ts"
import { pagesKind } from "./bundle-kinds.ts"
import { addCompressedFiles } from "./compress.ts"
import { findUnlistedLinks } from "./pages/links.ts"
import { hasPages, makePages, type PrerenderedPages, pagesEntryFile } from "./pages/make-pages.ts"
import { listStoredAnswers, toStoredDirectory } from "./pages/stored-files.ts"
import { chooseDirectories, findIgnoredWarnings, readStatic, type StaticDirectory } from "./static-files.ts"

/** Everything that a build needs before it writes its output. */
export interface PreparedBuild {
  readonly bundle: ProductionBundle
  readonly directories: readonly StaticDirectory[]
  /** Maps the path of each static file to the path with its hash, which pages contain. */
  readonly hashedPaths: Readonly<Record<string, string>>
  readonly tree: RouteTree
  /** The prerendered pages; null if the project has none. */
  readonly pages: PrerenderedPages | null
}

/** What the flags of `fw build` and the project's settings say about every kind of build. */
export interface BuildOptions {
  /** The file or directory to write. Default: `bin/<project>`, or `dist/<target>`. */
  readonly output: string | undefined
  /** True to make every type that cannot be checked an error. */
  readonly isStrict: boolean
  /** True to write a bill of materials next to the output. */
  readonly hasSbom: boolean
  /** The settings of the project, overridden by those of the command line. */
  readonly settings: Settings
}

/** The input of {@link prepareBuild}. */
export interface PrepareOptions extends Pick<BuildOptions, "isStrict" | "settings"> {
  readonly project: Project
  readonly kind: BundleKind
  /** The module that imports everything else, relative to the project. */
  readonly entry: string
  readonly outfile: string
  /** The parts of fw to leave out. Default: none. */
  readonly without?: readonly FrameworkPart[]
}

/**
 * Returns the project in the current directory.
 *
 * @throws FwError if the directory is not a project.
 */
export function openProject(io: Pick<Io, "cwd">): Project {
  const project = { root: io.cwd, appDir: "app" }
  checkProject(project)
  return project
}

/**
 * Generates, compiles the styles, bundles and lists the static files, and prints warnings.
 *
 * @throws FwError for mistakes of the project, each with its position.
 */
export async function prepareBuild(options: PrepareOptions, io: Io): Promise<PreparedBuild> {
  const { project, kind, entry, outfile, without = [], isStrict, settings } = options
  const { root } = project
  // Reading the signal installs its handler. Before that, Ctrl-C ends the process at once and could leave a partial
  // file.
  io.signal.throwIfAborted()
  const provided = await provideFramework(root, (text) => io.stderr.write(`${text}\n`))
  const generated = await runStep("Compiling templates and routes", io, () => writeGenerated(project, { isStrict }))
  const { tree, calls } = generated
  const needsPages = hasPages(tree)
  if (kind === pagesKind && !needsPages) throw buildFault("prerender.none")
  await writeEntry(root, entry, generated)
  if (needsPages) await writeEntry(root, pagesEntryFile, generated)
  // The type checker takes as long as all other steps together, so it runs during them. If both it and the bundler
  // fail, its error is shown, because it explains more.
  const types = checkGenerated(root, generated, io.signal)
  types.catch(() => {})
  const job = { root, entry, outfile, kind, without, isProvided: provided !== null, calls, settings }
  const bundling = bundleWithPages(project, job, needsPages ? tree : null, io)
  const { bundle, pages, assets } = await bundling.catch(async (error: unknown) => {
    await types
    throw error
  })
  await runStep("Checking the types of templates", io, () => types)
  const { directories: chosen, warnings } = chooseDirectories(root, bundle.hints.directories)
  const servedDirectories = await Promise.all(
    chosen.map((directory) => {
      const hashedDirectory = assets.static.find(({ name }) => name === directory.name)
      return hashedDirectory ? { ...hashedDirectory, ...directory } : readStatic(root, directory)
    }),
  )
  const ignoredWarnings = await findIgnoredWarnings(root, servedDirectories, [findStyles(root).output], io)
  const typeWarnings = generated.untyped ? [generated.untyped] : []
  const callWarnings = toCallWarnings(root, generated.calls.problems)
  const toolWarnings = generated.leftOut.map(({ at, ...problem }) => locateProblem(root, at?.file ?? "", at, problem))
  const linkWarnings = pages ? findUnlistedLinks(pages.answers, tree, kind === pagesKind) : []
  const ownWarnings = [...assets.warnings, ...bundle.warnings, ...warnings, ...ignoredWarnings, ...linkWarnings]
  printWarnings(
    [...callWarnings, ...typeWarnings, ...toolWarnings, ...ownWarnings, ...(await findSourceWarnings(project))],
    io,
  )
  io.signal.throwIfAborted()
  const storedPages = pages && kind !== pagesKind ? [toStoredDirectory(pages.answers)] : []
  const uncompressed = [...(assets.bundled ? [assets.bundled] : []), ...servedDirectories, ...storedPages]
  // The platform of a worker and the host of a static site compress what they send.
  const isHosted = kind.outside === "none" || kind === pagesKind
  const directories = isHosted
    ? uncompressed
    : await runStep("Compressing files", io, () => addCompressedFiles(uncompressed))
  // The bill of materials lists the packages in the bundle of the program and in those for browsers.
  const files = [...bundle.files, ...assets.inputs]
  return { bundle: { ...bundle, files }, directories, hashedPaths: assets.hashedPaths, tree, pages }
}

/** The entry module of a server. */
export const serverEntryFile = ".fw/entry.node.ts"
/** The entry module of a worker. */
export const workerEntryFile = ".fw/entry.workers.ts"
/** The entry module of an app for another program. */
export const appEntryFile = ".fw/entry.app.ts"

/** Generates the entry modules that only some projects need. */
const entryGenerators: Readonly<Record<string, (tree: RouteTree, options: EntryOptions) => GeneratedFile>> = {
  [pagesEntryFile]: generatePages,
  [workerEntryFile]: generateWorker,
  [appEntryFile]: generateApp,
}

async function writeEntry(root: string, name: string, { tree, entry }: Generated): Promise<void> {
  const generatedFile = entryGenerators[name]?.(tree, entry)
  if (generatedFile) await writeIfChanged({ root, path: generatedFile.file }, generatedFile.text)
}

/**
 * Compiles the styles, bundles for the browser, prerenders the pages, and bundles the program, which contains the
 * prerendered answers. A static host gets no program, so there the bundle that made the pages is returned.
 *
 * @param tree null if no page is prerendered.
 */
async function bundleWithPages(
  project: Project,
  plainJob: Omit<BundleJob, "assets">,
  tree: RouteTree | null,
  io: Io,
): Promise<Pick<PreparedBuild, "bundle" | "pages"> & { assets: BrowserFiles }> {
  await buildStyles(plainJob.root, io)
  io.signal.throwIfAborted()
  const assets = await runStep("Bundling for the browser", io, () => buildBrowserFiles(project, io))
  const job: BundleJob = { ...plainJob, assets: assets.module }
  const pages = tree && (await runStep("Making pages", io, () => makePages(job, tree, io)))
  io.signal.throwIfAborted()
  if (pages && job.kind === pagesKind) return { bundle: pages.bundle, pages, assets }
  const stored = pages ? { pages: JSON.stringify(listStoredAnswers(pages.answers)) } : {}
  return { bundle: await runStep("Bundling", io, () => bundleProject({ ...job, ...stored })), pages, assets }
}

/** Compiles the styles, minified, if there are any. */
async function buildStyles(root: string, io: Io): Promise<void> {
  const styles = findStyles(root)
  if (!existsSync(join(root, styles.input))) return
  const { path } = await ensureCSS(io)
  await runStep("Compiling styles", io, () => compileCSS(path, { cwd: root, ...styles }, io))
}

/** Runs a step of the build and shows its name on a terminal meanwhile. */
export function runStep<T>(stepName: string, { stderr, env }: Io, work: () => Promise<T>): Promise<T> {
  return new Progress({ stdout: stderr, env }).runStep(stepName, work, () => null)
}

/**
 * Returns warnings about links that lead nowhere, and about a main file that listens or mounts, which would end the
 * built program when it starts.
 */
async function findSourceWarnings({ root, appDir }: Project): Promise<Problem[]> {
  const sources = await readSources({ root, appDir })
  const findings = [...(await checkMain(root, sources.main)), ...(await checkLinks(root, sources))]
  return findings.flatMap((finding) => (finding.severity === "warning" ? [locateFinding(root, finding)] : []))
}

/** Prints warnings. */
export function printWarnings(problems: readonly Problem[], { stderr, env }: Io): void {
  const { style } = createView(stderr, env)
  for (const problem of problems) stderr.write(formatProblem(problem, style, "warning"))
}
