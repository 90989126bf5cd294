/** Bundles the browser code of a project with the project's esbuild. */
import { existsSync } from "node:fs"
import { join, sep } from "node:path"
import type { BuildContext, BuildOptions, BuildResult } from "esbuild"
import type { AssetManifest } from "../../lib/assets.ts"
import type { FwError } from "../../lib/errors.ts"
import { assetFault } from "../messages/assets.ts"
import { isBuildFailure, loadEsbuild, toBuildProblem, toBuildProblems, toFaults } from "../project/esbuild.ts"
import { jsxOptions, jsxPlugin } from "../project/jsx.ts"
import { type Problem, toProblems } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import { packageConditions } from "../system/package.ts"
import {
  type BrowserPlugin,
  type CompileStyles,
  createBrowserPlugin,
  elementPrefix,
  mediaEntry,
} from "./browser-plugin.ts"
import { type BrowserEntries, mediaEndings } from "./entries.ts"
import { browserDirectory, createManifest } from "./manifest.ts"
import { findVariableProblems } from "./public-variables.ts"

/** Browsers since the summer of 2024. esbuild translates newer syntax for them. */
const browserTargets = ["chrome128", "edge128", "firefox128", "safari18"]

export interface BrowserOptions {
  readonly project: Project
  /** True for a build: minified, and with hashes in the names. False for `fw dev`: readable, and with source maps. */
  readonly isProduction: boolean
  readonly compileStyles: CompileStyles
}

/** The bundled files, and the manifest that lists them for pages. */
export interface BrowserBundle {
  /** Contents by path, relative to the directory of bundled files, such as `cart-5KQ2ZV7N.js`. */
  readonly files: ReadonlyMap<string, Uint8Array>
  readonly manifest: AssetManifest
  /** Absolute paths of the files whose code is in the bundle. */
  readonly inputs: readonly string[]
  readonly warnings: readonly Problem[]
}

/** The result of a build: a bundle, or the problems that prevented it. */
export type BrowserResult = BrowserBundle | { readonly problems: readonly Problem[] }

type BundleOptions = BuildOptions & { readonly metafile: true }

/** Bundles repeatedly. esbuild reuses the work for files that have not changed. */
export class BrowserBundler {
  readonly #options: BrowserOptions
  readonly #plugin: BrowserPlugin
  #entries: BrowserEntries = { directory: "assets", entries: [], faults: [] }
  #context: { readonly key: string; readonly build: BuildContext<BundleOptions> } | undefined

  constructor(options: BrowserOptions) {
    this.#options = options
    this.#plugin = createBrowserPlugin(options.project, () => this.#entries, options.compileStyles)
  }

  /**
   * Bundles the entries.
   *
   * @param variables the environment variables that scripts may use: those named `PUBLIC_…`.
   * @throws FwError `esbuild_missing` if the project has no esbuild.
   */
  async build(entries: BrowserEntries, variables: Readonly<Record<string, string>>): Promise<BrowserResult> {
    const { root } = this.#options.project
    this.#entries = entries
    const faults = entries.faults.flatMap((fault) => toProblems(root, fault))
    if (faults.length > 0) return { problems: faults }
    const context = await this.#open(variables)
    try {
      return this.#toBundle(await context.rebuild(), variables)
    } catch (error) {
      if (!isBuildFailure(error)) throw error
      const errors = error.errors.map((message) => this.#plugin.explain(message))
      return { problems: toBuildProblems(root, Object.assign(new Error(error.message), { errors, warnings: [] })) }
    }
  }

  /** Discards the context, in which esbuild keeps the work of the last build. */
  async close(): Promise<void> {
    await this.#context?.build.dispose()
    this.#context = undefined
  }

  /**
   * Returns the context of the last build if the entries and the variables are still the same. Otherwise opens a
   * new one.
   */
  async #open(variables: Readonly<Record<string, string>>): Promise<BuildContext<BundleOptions>> {
    const { project } = this.#options
    const key = JSON.stringify([this.#entries, variables])
    if (this.#context?.key === key) return this.#context.build
    await this.close()
    const esbuild = await loadEsbuild(project.root)
    const build = await esbuild.context(this.#toBuildOptions(variables))
    this.#context = { key, build }
    return build
  }

  #toBuildOptions(variables: Readonly<Record<string, string>>): BundleOptions {
    const { project, isProduction } = this.#options
    const { directory, entries } = this.#entries
    const code = entries.filter(({ kind }) => kind !== "media")
    const entryPoints = code.map(({ kind, file, name, output }) => {
      return { in: kind === "element" ? elementPrefix + name : file, out: output }
    })
    if (code.length < entries.length) entryPoints.push({ in: mediaEntry, out: "fw-media" })
    const config = join(project.root, directory, "tsconfig.json")
    const defines = Object.entries(variables).flatMap(([name, value]) => [
      [`process.env.${name}`, JSON.stringify(value)],
      [`import.meta.env.${name}`, JSON.stringify(value)],
    ])
    return {
      absWorkingDir: project.root,
      entryPoints,
      outdir: browserDirectory,
      outbase: directory,
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "browser",
      conditions: [...packageConditions, isProduction ? "production" : "development", "module"],
      target: browserTargets,
      charset: "utf8",
      minify: isProduction,
      sourcemap: isProduction ? false : "linked",
      entryNames: isProduction ? "[dir]/[name]-[hash]" : "[dir]/[name]",
      assetNames: isProduction ? "[dir]/[name]-[hash]" : "[dir]/[name]",
      chunkNames: "[name]-[hash]",
      publicPath: "/assets",
      loader: Object.fromEntries(mediaEndings.map((ending) => [`.${ending}`, "file" as const])),
      define: Object.fromEntries(defines),
      // The project's `tsconfig.json` says how JSX is translated, also below the route directory.
      ...(existsSync(config) ? { tsconfig: config } : {}),
      write: false,
      metafile: true,
      logLevel: "silent",
      ...jsxOptions,
      plugins: [this.#plugin.plugin, jsxPlugin],
    }
  }

  #toBundle({ outputFiles = [], metafile, warnings }: BuildResult<BundleOptions>, variables: object): BrowserResult {
    const { project, isProduction } = this.#options
    const { root } = project
    const prefix = join(root, browserDirectory) + sep
    const files = new Map<string, Uint8Array>()
    for (const { path, contents } of outputFiles) files.set(path.slice(prefix.length).split(sep).join("/"), contents)
    const { inputs } = metafile
    const paths = Object.keys(inputs).filter((path) => !/^fw-|^\(disabled\)/.test(path))
    const problems = findVariableProblems(root, paths, variables)
    if (problems.length > 0) return { problems }
    // This entry exists only so that esbuild names the media files. Its script is empty.
    for (const path of files.keys()) if (/^fw-media(?:-\w+)?\.js(?:\.map)?$/.test(path)) files.delete(path)
    return {
      files,
      manifest: createManifest(this.#entries, { files, metafile, isHashed: isProduction }),
      inputs: paths.map((path) => join(root, path)),
      warnings: warnings
        .filter(({ location }) => !/(?:^|\/)node_modules\//.test(location?.file ?? ""))
        .map((message) => toBuildProblem(root, message)),
    }
  }
}

/** Returns one error that lists each problem of the browser code with its position. */
export function browserError(problems: readonly Problem[]): FwError {
  const faults = toFaults(problems, (text, fix, at) => assetFault("browser", [text, fix], at))
  return assetFault("browser.several", [faults], { problems: faults })
}

/** Returns the environment variables that scripts may use. */
export function findPublicVariables(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const variables = Object.entries(env).filter(([name, value]) => /^PUBLIC_\w+$/.test(name) && value !== undefined)
  return Object.fromEntries(variables.sort()) as Record<string, string>
}
