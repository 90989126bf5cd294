/** The bundle of a production build: the project, its packages and fw in one minified module. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { BuildOptions, Message, Metafile, OnResolveResult, Plugin, ResolveResult } from "esbuild"
import { buildFault } from "../messages/build.ts"
import { projectFault } from "../messages/project.ts"
import { assetsFile } from "../project/codegen.ts"
import { bundleError, isBuildFailure, loadEsbuild, toBuildProblem } from "../project/esbuild.ts"
import { usesOwnPath } from "../project/import-meta.ts"
import { jsxOptions, jsxPlugin } from "../project/jsx.ts"
import { locateProblem, type Problem } from "../project/problems.ts"
import type { Settings } from "../project/settings.ts"
import type { FrameworkPart } from "../system/framework-files.ts"
import { createFrameworkTest, packageConditions, programPath } from "../system/package.ts"
import { readPackageName } from "../tools/npm.ts"
import { createSourcePlugins } from "../validators/plugin.ts"
import type { PreparedProject } from "../validators/prepare-validators.ts"
import { findCallWithoutSchema } from "../validators/read-calls.ts"
import { ExternalCode, type ExternalMode } from "./external.ts"
import { type Hints, readHints } from "./hints.ts"
import { jsonPlugin } from "./json.ts"
import type { OtherRuntime } from "./native-abi.ts"
import { readProgramFacts } from "./output.ts"
import { findStartImports } from "./start-imports.ts"

/** Properties of a bundle that do not depend on the project. */
export interface BundleKind {
  /** Conditions of package exports, besides `import` and `default`, in order of priority. */
  readonly conditions: readonly string[]
  /** `node` has Node's modules; `neutral` has only those named `node:`. */
  readonly platform: "node" | "neutral"
  /** In the notation of esbuild: `node26`. */
  readonly syntax: string
  readonly outside: ExternalMode
  /** The runtime that loads the native code, if it is not Node. */
  readonly runtime?: OtherRuntime
  /** True to write a source map. */
  readonly map: boolean
  /** A module of fw, without an extension. Only versions that support this kind of bundle have it. */
  readonly mark: string
}

/** The input of a bundle. */
export interface BundleJob {
  readonly root: string
  /** The module that imports everything, relative to the project. */
  readonly entry: string
  /** Path of the bundle, relative to the project. File names in source maps are relative to it. */
  readonly outfile: string
  readonly kind: BundleKind
  /** The parts of fw to leave out. */
  readonly without: readonly FrameworkPart[]
  /** True if fw is the copy below `.fw/`, because the project has no suitable one. */
  readonly isProvided: boolean
  /** The calls that are validated against a type. */
  readonly calls: PreparedProject
  readonly settings: Settings
  /** The text of `.fw/assets.ts` with the hashes of this build; undefined if the project has nothing for pages to load. */
  readonly assets: string | undefined
  /** The answers that are made already, as JSON. */
  readonly pages?: string
}

/** Result of bundling. */
export interface ProductionBundle {
  readonly code: Uint8Array
  readonly map: Uint8Array | null
  /** The files whose code is in it, relative to the project. */
  readonly files: readonly string[]
  readonly warnings: readonly Problem[]
  /** Facts from the project's own modules. */
  readonly hints: Hints
  readonly external: ExternalCode
  /** Packages, and paths of addons, that are imported when the program starts. */
  readonly startImports: ReadonlySet<string>
}

/** CommonJS inside the bundle calls `require` and uses its own path. The only path that exists is the program's. */
const nodeBanner =
  'import { createRequire as fwCreateRequire } from "node:module"; const fwDirname = import.meta.dirname, fwFilename = import.meta.filename, '
/**
 * The `require` of each kind of bundle. In an executable, it uses a function of {@link loader} to load embedded
 * packages.
 */
const requires: Readonly<Record<ExternalMode, string>> = {
  none: "",
  beside: `${nodeBanner}require = fwCreateRequire(import.meta.url);`,
  embedded: `${nodeBanner}fwInner = {}, require = Object.assign((name) => fwInner.require(name), fwCreateRequire(import.meta.url), { resolve: (name) => fwInner.require.resolve(name) });`,
}
/** The module of fw with which an executable loads packages outside of the bundle. */
const loader = programPath("adapters/executable/external")

const pathReplacements = { __dirname: "fwDirname", __filename: "fwFilename" }

/**
 * Bundles the project. @throws FwError `esbuild_missing`, `fw_version`; `bundle` with each problem at its
 * position.
 */
export async function bundleProject(job: BundleJob): Promise<ProductionBundle> {
  const esbuild = await loadEsbuild(job.root)
  try {
    const external = new ExternalCode(job.root, job.kind, job.settings)
    const { outputFiles, metafile, warnings } = await esbuild.build({
      // This must be a text: with an object, esbuild adds a module to every file, and then no longer leaves out
      // packages without code.
      ...toBuildOptions(job, external, {
        fwProgram: JSON.stringify(JSON.stringify(await readProgramFacts(job.root))),
        ...(job.pages !== undefined && { fwPages: JSON.stringify(job.pages) }),
      }),
      write: false,
      metafile: true,
    })
    checkVersion(metafile, job.kind)
    checkCalls(job, metafile)
    const file = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.contents
    const ownFacts = readOwnModules(job.root, listOwnModules(metafile))
    return {
      code: file(".mjs") as Uint8Array,
      map: file(".map") ?? null,
      files: Object.values(metafile.outputs).flatMap(({ inputs }) =>
        Object.keys(inputs).filter((path) => (inputs[path]?.bytesInOutput ?? 0) > 0),
      ),
      warnings: [
        ...dropFrameworkWarnings(warnings, job.root).map((message) => toBuildProblem(job.root, message)),
        ...ownFacts.warnings,
        ...findPackageWarnings(job, metafile),
      ],
      hints: ownFacts.hints,
      external,
      startImports: findStartImports(metafile, job.entry),
    }
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    if (error.errors.some(isMissingEntry)) throw buildFault("fw_version")
    const main = error.errors.map(findMainWithoutApp).find((file) => file !== undefined)
    if (main !== undefined) throw projectFault("main", [], { at: { file: main } })
    throw bundleError(job.root, error)
  } finally {
    await esbuild.stop()
  }
}

/** Leaves out warnings about the code of fw. esbuild does so itself, unless the package is linked into the project. */
function dropFrameworkWarnings(warnings: readonly Message[], root: string): Message[] {
  const isFramework = createFrameworkTest(root)
  return warnings.filter(({ location }) => !location || !isFramework(join(root, location.file)))
}

function toBuildOptions(
  { root, entry, outfile, kind, without, isProvided, calls, assets }: BundleJob,
  external: ExternalCode,
  facts: Readonly<Record<string, string>>,
): BuildOptions {
  const isForNode = kind.platform === "node"
  return {
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: kind.platform,
    conditions: [...packageConditions, ...kind.conditions, ...without.map((part) => `fw-without-${part}`)],
    format: "esm",
    target: kind.syntax,
    minify: true,
    // With this, the names of errors, and stacks, are the same as in development.
    keepNames: true,
    legalComments: "eof",
    charset: "utf8",
    ...jsxOptions,
    sourcemap: kind.map ? "linked" : false,
    sourcesContent: false,
    logLevel: "silent",
    plugins: [
      jsxPlugin,
      jsonPlugin,
      ...createSourcePlugins({ root, calls: calls.files }),
      ...(assets === undefined ? [] : [assetsPlugin(root, assets)]),
      ...(isProvided ? [providedFrameworkPlugin(root)] : []),
      peersPlugin(root),
      external.plugin,
    ],
    ...(isForNode
      ? {
          banner: { js: requires[kind.outside] },
          // Node prints the line of an uncaught error.
          lineLimit: 160,
          define: { ...pathReplacements, ...facts },
          ...(kind.outside === "embedded" ? { inject: [loader], supported: { "dynamic-import": false } } : {}),
        }
      : { mainFields: ["module", "main"], external: ["node:*", "cloudflare:*"], define: { ...facts } }),
  }
}

/** Replaces the manifest, which has no hashes outside of a build. */
function assetsPlugin(root: string, contents: string): Plugin {
  return {
    name: "fw-assets",
    setup(build) {
      build.onLoad({ filter: /[/\\]\.fw[/\\]assets\.ts$/ }, ({ path }) => {
        return path === join(root, assetsFile) ? { contents, loader: "ts", resolveDir: join(root, ".fw") } : undefined
      })
    },
  }
}

/** Resolves fw from `.fw/`, where the copy is, for every importer. */
function providedFrameworkPlugin(root: string): Plugin {
  const resolveDir = join(root, ".fw")
  return {
    name: "fw-provided",
    setup(build) {
      build.onResolve({ filter: /^fw(?:\/|$)/ }, ({ path, kind, resolveDir: from }) => {
        return from === resolveDir ? undefined : build.resolve(path, { kind, resolveDir })
      })
    },
  }
}

/** Resolves optional packages of fw from the project, because fw itself may be a link to another place. */
function peersPlugin(root: string): Plugin {
  return {
    name: "fw-peers",
    setup(build) {
      const isFramework = createFrameworkTest(root)
      build.onResolve({ filter: /^ws$/ }, async ({ path, kind, importer, pluginData }) => {
        if (pluginData === "peer" || !isFramework(importer)) return undefined
        const found = await build.resolve(path, { kind, resolveDir: root, pluginData: "peer" })
        // If it is not installed, it stays an import, and code that needs it fails when the program starts.
        return found.errors.length > 0 ? undefined : withoutMessages(found)
      })
    },
  }
}

/** Returns the result of another plugin as the result of this one. */
function withoutMessages({ path, external, namespace, pluginData }: ResolveResult): OnResolveResult {
  return { path, external, namespace, pluginData }
}

/** Returns true for an import of fw in generated code that the project's fw does not have. */
function isMissingEntry({ text, location }: Message): boolean {
  return /^Could not resolve "fw\//.test(text) && location?.file.startsWith(".fw/") === true
}

/** Returns the main file of a project, if the generated code did not find the app in it. */
function findMainWithoutApp({ text, location }: Message): string | undefined {
  const [, main] = /^No matching export in "(.+)" for import "default"$/.exec(text) ?? []
  return location?.file.startsWith(".fw/entry.") ? main : undefined
}

/** Checks the version of fw. If it is older than this command, it would look for its files on a disk. */
function checkVersion({ inputs }: Metafile, { mark }: BundleKind): void {
  if (Object.keys(inputs).some((path) => path.replace(/\.[jt]s$/, "").endsWith(mark))) return
  throw buildFault("fw_version")
}

/**
 * Checks that every module with calls was read, including modules of other packages.
 *
 * @throws FwError `validators` for a module that was not read.
 */
function checkCalls({ root, calls }: BundleJob, { inputs }: Metafile): void {
  const isFramework = createFrameworkTest(root)
  for (const path of Object.keys(inputs)) {
    if (isFramework(join(root, path)) || /(?:^|\/)node_modules\/|^(?:\.fw\/|fw-(?:external|missing))|^\(/.test(path))
      continue
    // Files without types promise no check.
    if (!/\.(?:[cm]?ts|tsx)$/.test(path) || calls.searched.has(join(root, path))) continue
    const method = findCallWithoutSchema(join(root, path))
    if (method !== undefined) throw projectFault("validators.missed", [path, method], { at: { file: path } })
  }
}

/** Returns the project's own modules, without packages and generated files. */
function listOwnModules({ inputs }: Metafile): string[] {
  return Object.keys(inputs)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith(".tpl.ts"))
    .filter((path) => !/(?:^|\/)node_modules\//.test(path) && !/^(?:\.\.\/|\.fw\/|fw-(?:external|missing))/.test(path))
    .sort()
}

function readOwnModules(root: string, files: readonly string[]): { hints: Hints; warnings: Problem[] } {
  const warnings: Problem[] = []
  const all = files.map((file) => {
    const source = readFileSync(join(root, file), "utf8")
    const line = source.split("\n").findIndex((text) => usesOwnPath(text)) + 1
    if (line > 0) warnings.push(locateProblem(root, file, { line }, ownPathWarning))
    return readHints(source, file)
  })
  const computedImports = all.flatMap((hints) => hints.computedImports)
  for (const { file, ...mark } of computedImports) warnings.push(locateProblem(root, file, mark, computedImportWarning))
  return { hints: { directories: all.flatMap((hints) => hints.directories), computedImports }, warnings }
}

/** Matches a text that occurs in every package that loads modules by computed names. */
const computedLoadPattern = /\b(?:require|import)\s*\(\s*[^\s"'`)]|createRequire/i

/**
 * Returns a warning for each package that loads modules by names that are known only when the program runs, at the
 * first place where it does so.
 */
function findPackageWarnings({ root, kind }: BundleJob, { inputs, outputs }: Metafile): Problem[] {
  const bundled = new Set(Object.values(outputs).flatMap((output) => Object.keys(output.inputs)))
  const isFramework = createFrameworkTest(root)
  const warnings = new Map<string, Problem>()
  for (const file of Object.keys(inputs).sort()) {
    if (!bundled.has(file) || !/(?:^|\/)node_modules\/.*\.[cm]?[jt]sx?$/.test(file) || isFramework(join(root, file)))
      continue
    const name = readPackageName(file.split("node_modules/").at(-1) ?? "")
    if (name === null || warnings.has(name)) continue
    const source = readFileSync(join(root, file), "utf8")
    const [first] = computedLoadPattern.test(source) ? readHints(source, file).computedImports : []
    if (first) warnings.set(name, locateProblem(root, file, first, createLoadWarning(name, kind.outside === "none")))
  }
  return [...warnings.values()]
}

function createLoadWarning(name: string, isWorker: boolean): Problem {
  const message = `${name} loads a module by a name that is known only when the program runs: it is not in what is built`
  const outside = `Keep ${name} outside of the bundle, and the packages that it may load: "fw": { "external": ["${name}"] } in package.json, or --external ${name}.`
  return { message, fix: isWorker ? "If the program needs that module, use another package." : outside }
}

const ownPathWarning: Problem = {
  message: "import.meta has the path of the built program, not of this file",
  fix: "Import the file that is read there, or read it from a directory that an environment variable names.",
}
const computedImportWarning: Problem = {
  message: "what this imports is known only when the program runs: it is not in what is built",
  fix: "Write the names: a literal, or a template that begins with ./ as in `./words/`. A package that is named by a variable can stay outside of the bundle: --external <package>.",
}
