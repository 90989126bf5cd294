/** The one bundle of a production build: the project, its packages and fw in a single minified module. Called by `build.ts`. */

import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { BuildOptions, BuildResult, Metafile, Plugin } from "esbuild"
import type { FwError } from "../../lib/errors.ts"
import type { RouteTree } from "../../lib/tree.ts"
import { buildFault } from "../messages/build.ts"
import { type Esbuild, isBuildFailure, loadEsbuild, problemOf } from "../project/esbuild.ts"
import { asksForPlace } from "../project/import-meta.ts"
import { jsxOptions, jsxSetup } from "../project/jsx.ts"
import { type Problem, problemAt } from "../project/problems.ts"
import { modulePattern, socketModule } from "../system/framework-files.ts"
import type { Flag } from "./flag-use.ts"
import { defines, unusedFlags } from "./flags.ts"
import { type Hints, readHints } from "./hints.ts"
import { bundleLean } from "./lean-bundle.ts"
import { NativeCode, type NativeMode } from "./native.ts"

/** What decides about a bundle besides the project. */
export interface BundleKind {
  /** Conditions of package exports beside `import` and `default`, most wanted first. */
  readonly conditions: readonly string[]
  /** `node` has Node's modules; `neutral` has none but those named `node:`. */
  readonly platform: "node" | "neutral"
  /** As esbuild writes it: `node26`. */
  readonly syntax: string
  readonly native: NativeMode
  /** Whether a source map comes with it. */
  readonly map: boolean
  /** The file of fw's own that only a fw which knows this kind of bundle has, relative to where fw is. */
  readonly mark: string
  /** Whether parts of fw without a use are left out, for a bundle whose size matters. */
  readonly isLean: boolean
}

/** What to bundle. */
export interface BundleJob {
  readonly root: string
  /** The module that imports everything, relative to the project. */
  readonly entry: string
  /** Where the bundle will be, relative to the project: source maps name their files from there. */
  readonly outfile: string
  readonly kind: BundleKind
  /** The routes. */
  readonly tree: RouteTree
  /** Whether fw is the one below `.fw/`, for want of a right one in the project. */
  readonly isLent: boolean
}

/** What a production build gives. */
export interface ProductionBundle {
  readonly code: Uint8Array
  readonly map: Uint8Array | null
  readonly warnings: readonly Problem[]
  /** What the project's own modules say. */
  readonly hints: Hints
  readonly native: NativeCode
}

/** Makes the error of a project that cannot be bundled, with each problem at its place. */
function bundleError(problems: readonly Problem[]): FwError {
  const errors = problems.map(({ message, frame, fix, file, line, column }) => {
    const place = file === undefined ? undefined : { file, ...(line && { line }), ...(column && { column }) }
    const text = frame ? `${message}\n\n${frame}\n` : message
    return buildFault("bundle", [text, fix], place ? { at: place } : {})
  })
  return buildFault("bundle.several", [errors], { problems: errors })
}

/** CommonJS inside the bundle calls `require` and asks where it is; the program itself is all there is to tell. */
const nodeBanner =
  'import { createRequire as fwCreateRequire } from "node:module"; const require = fwCreateRequire(import.meta.url), fwDirname = import.meta.dirname, fwFilename = import.meta.filename;'

const places = { __dirname: "fwDirname", __filename: "fwFilename", FW_BUNDLE_DIRECTORY: "fwDirname" }

/** Bundles. @throws FwError `esbuild_missing`, `fw_version`; `bundle` with each problem at its place. */
export async function bundleProject(job: BundleJob): Promise<ProductionBundle> {
  const esbuild = await loadEsbuild(job.root)
  try {
    const { outputFiles, metafile, warnings, native } = await bundleUsed(esbuild, job)
    const file = (ending: string) => outputFiles.find(({ path }) => path.endsWith(ending))?.contents
    const told = readOwn(job.root, ownInputs(metafile))
    return {
      code: file(".mjs") as Uint8Array,
      map: file(".map") ?? null,
      warnings: [...warnings.map((message) => problemOf(job.root, message)), ...told.warnings],
      hints: told.hints,
      native,
    }
  } catch (error) {
    if (!isBuildFailure(error)) throw error
    throw bundleError(error.errors.map((message) => problemOf(job.root, message)))
  } finally {
    await esbuild.stop()
  }
}

type Bundled = BuildResult<{ write: false; metafile: true }> & { readonly native: NativeCode }

/** Bundles; and again, without the parts of fw that turn out to have no use. */
async function bundleUsed(esbuild: Esbuild, job: BundleJob): Promise<Bundled> {
  const { root, entry, kind, tree } = job
  const native = new NativeCode(root, kind.native)
  // An error's name, and what a stack says, are the same as in development.
  const named = { ...buildOptions(job, [], native), keepNames: true }
  const bundle = await esbuild.build({ ...named, write: false, metafile: true })
  const whole = { ...bundle, native }
  checkVersion(whole.metafile, kind)
  if (!kind.isLean) return whole
  const { mark } = kind
  const off = unusedFlags({ root, tree, metafile: whole.metafile, mark })
  const options = buildOptions(job, off, whole.native)
  const { outputFiles } = await bundleLean(esbuild, { root, entry, options, whole: whole.metafile, mark })
  return { ...whole, outputFiles }
}

/** @param off the flags that are off. Names are kept where the caller says so. */
function buildOptions(
  { root, entry, outfile, kind, isLent }: BundleJob,
  off: readonly Flag[],
  native: NativeCode,
): BuildOptions {
  const forNode = kind.platform === "node"
  return {
    absWorkingDir: root,
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: kind.platform,
    conditions: [...kind.conditions],
    format: "esm",
    target: kind.syntax,
    minify: true,
    legalComments: "eof",
    charset: "utf8",
    ...jsxOptions,
    sourcemap: kind.map ? "linked" : false,
    sourcesContent: false,
    logLevel: "silent",
    plugins: [jsxSetup, ...(isLent ? [lentFramework(root)] : []), peers(root), native.plugin],
    ...(forNode
      ? {
          banner: { js: nodeBanner },
          define: { ...defines(off), ...places },
        }
      : { define: defines(off), mainFields: ["module", "main"], external: ["node:*", "cloudflare:*"] }),
  }
}

/** Finds fw from `.fw/`, whoever asks for it: that is where it was lent to. */
function lentFramework(root: string): Plugin {
  const resolveDir = join(root, ".fw")
  return {
    name: "fw-lent",
    setup(build) {
      build.onResolve({ filter: /^fw(?:\/|$)/ }, ({ path, kind, resolveDir: from }) => {
        return from === resolveDir ? undefined : build.resolve(path, { kind, resolveDir })
      })
    },
  }
}

const socketImporter = new RegExp(`[/\\\\]${modulePattern(socketModule)}$`)

/** What fw uses if the project has it is looked for in the project: fw itself may be a link to somewhere else. */
function peers(root: string): Plugin {
  return {
    name: "fw-peers",
    setup(build) {
      build.onResolve({ filter: /^ws$/ }, async ({ path, kind, importer, pluginData }) => {
        if (pluginData === "peer" || !socketImporter.test(importer)) return undefined
        const found = await build.resolve(path, { kind, resolveDir: root, pluginData: "peer" })
        // Not installed: then it stays an import, and whoever needs it is told when the program starts.
        return found.errors.length > 0 ? undefined : { path: found.path }
      })
    },
  }
}

/** A fw that is older than this command would look for its files on a disk. */
function checkVersion({ inputs }: Metafile, { mark }: BundleKind): void {
  if (Object.keys(inputs).some((path) => path.endsWith(mark))) return
  throw buildFault("fw_version")
}

/** The project's own modules: no package, nothing that was generated. */
function ownInputs({ inputs }: Metafile): string[] {
  return Object.keys(inputs)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith(".tpl.ts"))
    .filter((path) => !/(?:^|\/)node_modules\//.test(path) && !/^(?:\.\.\/|\.fw\/|fw-native:)/.test(path))
    .sort()
}

function readOwn(root: string, files: readonly string[]): { hints: Hints; warnings: Problem[] } {
  const warnings: Problem[] = []
  const all = files.map((file) => {
    const source = readFileSync(join(root, file), "utf8")
    const line = source.split("\n").findIndex((text) => asksForPlace(text)) + 1
    if (line > 0) warnings.push(problemAt(root, file, { line }, placeWarning))
    return readHints(source, file)
  })
  const computedImports = all.flatMap((hints) => hints.computedImports)
  for (const { file, ...mark } of computedImports) warnings.push(problemAt(root, file, mark, importWarning))
  return { hints: { directories: all.flatMap((hints) => hints.directories), computedImports }, warnings }
}

const placeWarning: Problem = {
  message: "import.meta tells the place of the program that is built, not of this file",
  fix: "Import what is read there, or read it from a directory that the environment names.",
}
const importWarning: Problem = {
  message: "what this imports is known only when the program runs: it is not in what is built",
  fix: "Write the names: a literal, or a template that begins with ./ as in `./words/`.",
}
