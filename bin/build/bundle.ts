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
import { createFrameworkTest, getProgramPath, packageConditions } from "../system/package.ts"
import { readPackageName } from "../tools/npm.ts"
import { createSourcePlugins } from "../validators/plugin.ts"
import type { PreparedProject } from "../validators/prepare-validators.ts"
import { findBindingMethod } from "../validators/read-calls.ts"
import { ExternalCode, type ExternalMode } from "./external.ts"
import { type Hints, readHints } from "./hints.ts"
import { jsonPlugin } from "./json.ts"
import type { OtherRuntime } from "./native-abi.ts"
import { readProgramFacts } from "./output.ts"
import { findStartImports } from "./start-imports.ts"

/** Properties of a bundle that do not depend on the project. */
export interface BundleKind {
  /** Conditions of package exports, besides `import` and `default`. The first ones have priority. */
  readonly conditions: readonly string[]
  /** `node` provides all modules of Node; `neutral` only those that are imported with `node:`. */
  readonly platform: "node" | "neutral"
  /** The syntax that the runtime understands, in esbuild's notation: `node26`. */
  readonly syntax: string
  readonly outside: ExternalMode
  /** The runtime that loads native addons, if it is not Node. */
  readonly runtime?: OtherRuntime
  /** True to write a source map. */
  readonly map: boolean
  /**
   * A module of fw, without an extension, that the bundle must contain. A version of fw without it does not support
   * this kind of bundle.
   */
  readonly requiredModule: string
}

/** The project to bundle, and what becomes part of its bundle. */
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
  /**
   * The text of `.fw/assets.ts` with the hashes of this build; undefined if the project has nothing for pages to
   * load.
   */
  readonly assets: string | undefined
  /** The prerendered answers, as JSON. */
  readonly pages?: string
}

/** The bundle, and facts about its modules. */
export interface ProductionBundle {
  readonly code: Uint8Array
  readonly map: Uint8Array | null
  /** The files whose code is in the bundle, relative to the project. */
  readonly files: readonly string[]
  readonly warnings: readonly Problem[]
  /** Facts that were read from the project's own modules. */
  readonly hints: Hints
  readonly external: ExternalCode
  /** The packages, and the paths of addons, that the program imports when it starts. */
  readonly startImports: ReadonlySet<string>
}

/**
 * CommonJS modules in the bundle call `require` and use `__filename` and `__dirname`. In a bundle, these are the
 * paths of the program.
 */
const nodeBanner =
  'import { createRequire as fwCreateRequire } from "node:module"; const fwDirname = import.meta.dirname, fwFilename = import.meta.filename, '
/**
 * The definition of `require` for each kind of bundle. In an executable, a function of {@link externalLoader} loads the
 * embedded packages.
 */
const requireDefinitions: Readonly<Record<ExternalMode, string>> = {
  none: "",
  beside: `${nodeBanner}require = fwCreateRequire(import.meta.url);`,
  embedded: `${nodeBanner}fwInner = {}, require = Object.assign((name) => fwInner.require(name), fwCreateRequire(import.meta.url), { resolve: (name) => fwInner.require.resolve(name) });`,
}
/** The module of fw with which an executable loads packages that are not in its bundle. */
const externalLoader = getProgramPath("adapters/executable/external")

/** CommonJS variables, and the variables of {@link nodeBanner} that replace them. */
const pathReplacements = { __dirname: "fwDirname", __filename: "fwFilename" }

/**
 * Bundles the project.
 *
 * @throws FwError `esbuild_missing`, `fw_version`; `bundle` with each problem at its position.
 */
export async function bundleProject(job: BundleJob): Promise<ProductionBundle> {
  const esbuild = await loadEsbuild(job.root)
  try {
    const external = new ExternalCode(job.root, job.kind, job.settings)
    const { outputFiles, metafile, warnings } = await esbuild.build({
      // A JSON text, because with an object esbuild adds a module to every file, and then no longer leaves out
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
    const findOutput = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.contents
    const ownFacts = readOwnModules(job.root, listOwnModules(metafile))
    return {
      code: findOutput(".mjs") as Uint8Array,
      map: findOutput(".map") ?? null,
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

/**
 * Removes warnings about fw's own code. esbuild does so itself, except where the package is a link in the project.
 */
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
    // Keeps the names of errors and functions in stacks as they are in development.
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
      ...(assets === undefined ? [] : [createAssetsPlugin(root, assets)]),
      ...(isProvided ? [createFrameworkPlugin(root)] : []),
      createPeersPlugin(root),
      external.plugin,
    ],
    ...(isForNode
      ? {
          banner: { js: requireDefinitions[kind.outside] },
          // Node prints the line of an uncaught error, and a whole bundle on one line would fill the terminal.
          lineLimit: 160,
          define: { ...pathReplacements, ...facts },
          ...(kind.outside === "embedded" ? { inject: [externalLoader], supported: { "dynamic-import": false } } : {}),
        }
      : { mainFields: ["module", "main"], external: ["node:*", "cloudflare:*"], define: { ...facts } }),
  }
}

/** Replaces `.fw/assets.ts`, which has no hashes, by the manifest of this build. */
function createAssetsPlugin(root: string, contents: string): Plugin {
  return {
    name: "fw-assets",
    setup(build) {
      build.onLoad({ filter: /[/\\]\.fw[/\\]assets\.ts$/ }, ({ path }) => {
        return path === join(root, assetsFile) ? { contents, loader: "ts", resolveDir: join(root, ".fw") } : undefined
      })
    },
  }
}

/** Resolves imports of fw, from any module, to the copy below `.fw/`. */
function createFrameworkPlugin(root: string): Plugin {
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

/**
 * Resolves fw's optional peer packages from the project. fw may be a link to a directory elsewhere, from which Node
 * would not find them.
 */
function createPeersPlugin(root: string): Plugin {
  return {
    name: "fw-peers",
    setup(build) {
      const isFramework = createFrameworkTest(root)
      build.onResolve({ filter: /^ws$/ }, async ({ path, kind, importer, pluginData }) => {
        if (pluginData === "peer" || !isFramework(importer)) return undefined
        const found = await build.resolve(path, { kind, resolveDir: root, pluginData: "peer" })
        // A package that is not installed stays an import, which fails when the program starts.
        return found.errors.length > 0 ? undefined : removeMessages(found)
      })
    },
  }
}

/**
 * Removes the errors and warnings from a result, because esbuild does not accept them in the result of a plugin.
 */
function removeMessages({ path, external, namespace, pluginData }: ResolveResult): OnResolveResult {
  return { path, external, namespace, pluginData }
}

/**
 * Returns true for an error about a module of fw that generated code imports, but that the project's version of fw
 * lacks.
 */
function isMissingEntry({ text, location }: Message): boolean {
  return /^Could not resolve "fw\//.test(text) && location?.file.startsWith(".fw/") === true
}

/**
 * Returns the project's main file for an error about generated code that imports an app which this file does not
 * export.
 */
function findMainWithoutApp({ text, location }: Message): string | undefined {
  const [, main] = /^No matching export in "(.+)" for import "default"$/.exec(text) ?? []
  return location?.file.startsWith(".fw/entry.") ? main : undefined
}

/**
 * Checks that the version of fw supports this kind of bundle. An older one would look for its files on the disk.
 */
function checkVersion({ inputs }: Metafile, { requiredModule }: BundleKind): void {
  if (Object.keys(inputs).some((path) => path.replace(/\.[jt]s$/, "").endsWith(requiredModule))) return
  throw buildFault("fw_version")
}

/**
 * Checks that `PreparedProject` covers every module that calls validated methods, including modules of other
 * packages in the workspace.
 *
 * @throws FwError `validators` for a module that was not searched for such calls.
 */
function checkCalls({ root, calls }: BundleJob, { inputs }: Metafile): void {
  const isFramework = createFrameworkTest(root)
  for (const path of Object.keys(inputs)) {
    if (isFramework(join(root, path)) || /(?:^|\/)node_modules\/|^(?:\.fw\/|fw-(?:external|missing))|^\(/.test(path))
      continue
    // Only TypeScript can name the type against which a call validates its input.
    if (!/\.(?:[cm]?ts|tsx)$/.test(path) || calls.searchedFiles.has(join(root, path))) continue
    const method = findBindingMethod(join(root, path))
    if (method !== undefined) throw projectFault("validators.missed", [path, method], { at: { file: path } })
  }
}

/** Returns the project's own modules: all inputs except packages and generated files. */
function listOwnModules({ inputs }: Metafile): string[] {
  return Object.keys(inputs)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith(".tpl.ts"))
    .filter((path) => !/(?:^|\/)node_modules\//.test(path) && !/^(?:\.\.\/|\.fw\/|fw-(?:external|missing))/.test(path))
    .sort()
}

function readOwnModules(root: string, files: readonly string[]): { hints: Hints; warnings: Problem[] } {
  const warnings: Problem[] = []
  const moduleHints = files.map((file) => {
    const source = readFileSync(join(root, file), "utf8")
    const line = source.split("\n").findIndex((text) => usesOwnPath(text)) + 1
    if (line > 0) warnings.push(locateProblem(root, file, { line }, ownPathWarning))
    return readHints(source, file)
  })
  const computedImports = moduleHints.flatMap((hints) => hints.computedImports)
  for (const { file, ...position } of computedImports)
    warnings.push(locateProblem(root, file, position, computedImportWarning))
  return { hints: { directories: moduleHints.flatMap((hints) => hints.directories), computedImports }, warnings }
}

/** Matches a package that may load modules by computed names. It is a quick test before the exact one. */
const computedLoadPattern = /\b(?:require|import)\s*\(\s*[^\s"'`)]|createRequire/i

/** Returns a warning for each package that loads modules by computed names, at the first place where it does so. */
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
  const externalFix = `Keep ${name} outside of the bundle, and the packages that it may load: "fw": { "external": ["${name}"] } in package.json, or --external ${name}.`
  return { message, fix: isWorker ? "If the program needs that module, use another package." : externalFix }
}

const ownPathWarning: Problem = {
  message: "import.meta has the path of the built program, not of this file",
  fix: "Import the file that is read there, or read it from a directory that an environment variable names.",
}
const computedImportWarning: Problem = {
  message: "what this imports is known only when the program runs: it is not in what is built",
  fix: "Write the names: a literal, or a template that begins with ./ as in `./words/`. A package that is named by a variable can stay outside of the bundle: --external <package>.",
}
