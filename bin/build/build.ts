/** The steps that all production builds share: generating, compiling, bundling and listing files. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { RouteTree } from "../../lib/tree.ts"
import { Progress } from "../cli/progress.ts"
import { type Io, viewOf } from "../cli/terminal.ts"
import { ensureCSS } from "../css/binary.ts"
import { compileCSS } from "../css/compile.ts"
import { checkGenerated, type Generated, writeGenerated } from "../generate/generated.ts"
import { checkMain } from "../inspect/checks/misplaced-files.ts"
import { checkLinks } from "../inspect/links/check-links.ts"
import { readSources } from "../inspect/sources.ts"
import { type EntryOptions, type GeneratedFile, generateApp, generateWorker } from "../project/codegen.ts"
import { provideFramework } from "../project/local-copy.ts"
import { type Problem, problemAt, problemText } from "../project/problems.ts"
import { checkProject, type Project } from "../project/project.ts"
import type { Settings } from "../project/settings.ts"
import { stylesOf } from "../project/static-dir.ts"
import type { Part } from "../system/framework-files.ts"
import { writeIfChanged } from "../system/whole-file.ts"
import { callWarnings } from "../validators/prepare.ts"
import { type BundleJob, type BundleKind, bundleProject, type ProductionBundle } from "./bundle.ts"
import { chooseDirectories, ignoredWarnings, readStatic, type StaticDirectory } from "./static.ts"

/** Everything that a build needs before it writes its output. */
export interface Prepared {
  readonly bundle: ProductionBundle
  readonly directories: readonly StaticDirectory[]
}

/** Options of every build. */
export interface BuildOptions {
  /** The file or the directory. Default: `bin/<project>`, or `dist/<target>`. */
  readonly output: string | undefined
  /** True to make every type that cannot be checked an error. */
  readonly isStrict: boolean
  /** True to write a bill of materials next to the output. */
  readonly hasSbom: boolean
  /** The settings of the project, with those of the command line. */
  readonly settings: Settings
}

/** Options of the preparation. */
export interface PrepareOptions extends Pick<BuildOptions, "isStrict" | "settings"> {
  readonly project: Project
  readonly kind: BundleKind
  /** The module that imports everything, and the path of the bundle, relative to the project. */
  readonly entry: string
  readonly outfile: string
  /** The parts of fw to leave out. Default: none. */
  readonly without?: readonly Part[]
}

/** Opens the project. @throws FwError outside a project. */
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
export async function prepare(options: PrepareOptions, io: Io): Promise<Prepared> {
  const { project, kind, entry, outfile, without = [], isStrict, settings } = options
  const { root } = project
  // The signal is not armed yet, so Ctrl-C ends the process at once and could leave a partial file.
  io.signal.throwIfAborted()
  const provided = await provideFramework(root, (text) => io.stderr.write(`${text}\n`))
  const generated = await step("Compiling templates and routes", io, () =>
    writeGenerated(project, { isStrict }),
  )
  await writeEntry(root, entry, generated)
  // The type checker takes as long as everything else, so it runs at the same time. Its messages are better
  // than those of the bundler.
  const types = checkGenerated(root, generated, io.signal)
  types.catch(() => {})
  const bundle = await stylesAndBundle(
    {
      root,
      entry,
      outfile,
      kind,
      without,
      isProvided: provided !== null,
      calls: generated.calls,
      settings,
    },
    io,
  ).catch(async (error: unknown) => {
    await types
    throw error
  })
  await step("Checking the types of templates", io, () => types)
  const { served, warnings } = chooseDirectories(root, bundle.hints.directories)
  const directories = await Promise.all(served.map((directory) => readStatic(root, directory)))
  const ignored = await ignoredWarnings(root, directories, [stylesOf(root).output], io)
  const untyped = generated.untyped ? [generated.untyped] : []
  const unchecked = callWarnings(root, generated.calls.problems)
  const leftOut = generated.leftOut.map(({ at, ...problem }) => problemAt(root, at?.file ?? "", at, problem))
  const found = [...unchecked, ...untyped, ...leftOut, ...bundle.warnings, ...warnings, ...ignored]
  warn([...found, ...(await sourceWarnings(project))], io)
  io.signal.throwIfAborted()
  return { bundle, directories }
}

/** The entry module of a server. */
export const serverEntryFile = ".fw/entry.node.ts"
/** The entry module of a worker. */
export const workerEntryFile = ".fw/entry.workers.ts"
/** The entry module of an app for another program. */
export const appEntryFile = ".fw/entry.app.ts"

/** Functions that generate the entries that not every project has. */
const entries: Readonly<Record<string, (tree: RouteTree, options: EntryOptions) => GeneratedFile>> = {
  [workerEntryFile]: generateWorker,
  [appEntryFile]: generateApp,
}

async function writeEntry(root: string, name: string, { tree, entry }: Generated): Promise<void> {
  const made = entries[name]?.(tree, entry)
  if (made) await writeIfChanged({ root, path: made.file }, made.text)
}

async function stylesAndBundle(job: BundleJob, io: Io): Promise<ProductionBundle> {
  await buildStyles(job.root, io)
  io.signal.throwIfAborted()
  return step("Bundling", io, () => bundleProject(job))
}

/** Compiles the styles, minified, if there are any. */
async function buildStyles(root: string, io: Io): Promise<void> {
  const styles = stylesOf(root)
  if (!existsSync(join(root, styles.input))) return
  const { path } = await ensureCSS(io)
  await step("Compiling styles", io, () => compileCSS(path, { cwd: root, ...styles }, io))
}

/** Shows the current step on a terminal. The result needs no message. */
export function step<T>(doing: string, { stderr, env }: Io, work: () => Promise<T>): Promise<T> {
  return new Progress({ stdout: stderr, env }).step(doing, work, () => null)
}

/**
 * Returns warnings about a main file that listens or mounts, which would end the built program at its start, and about
 * links that lead nowhere.
 */
async function sourceWarnings({ root, appDir }: Project): Promise<Problem[]> {
  const read = await readSources({ root, appDir }, () => null)
  const findings = [...(await checkMain(root, read.main)), ...(await checkLinks(root, read))]
  return findings.flatMap(({ severity, file, line, column, message, fix }) => {
    const mark = line === null ? undefined : { line, ...(column === null ? {} : { column }) }
    return severity === "warning" ? [problemAt(root, file, mark, { message, fix })] : []
  })
}

function warn(problems: readonly Problem[], { stderr, env }: Io): void {
  const { style } = viewOf(stderr, env)
  for (const problem of problems) stderr.write(problemText(problem, style, "warning"))
}
