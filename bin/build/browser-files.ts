/**
 * Prepares the files that browsers load: bundles the scripts and styles, and puts hashes into the names of static
 * files.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { normalizeDirectory } from "../../adapters/executable/embedded.ts"
import type { Asset } from "../../lib/assets.ts"
import { compareByCodeUnit } from "../../lib/order.ts"
import { encodePath } from "../../lib/path.ts"
import { renderAssetsModule } from "../assets/assets-module.ts"
import { type BrowserBundle, BrowserBundler, browserError, findPublicVariables } from "../assets/browser-bundler.ts"
import { findBrowserEntries } from "../assets/entries.ts"
import { computeIntegrity } from "../assets/manifest.ts"
import type { Io } from "../cli/terminal.ts"
import { ensureCSS } from "../css/binary.ts"
import { compileToText } from "../css/compile.ts"
import { findFixedDirectories } from "../inspect/links/asset-paths.ts"
import type { Problem } from "../project/problems.ts"
import { createServerEnv, type Project } from "../project/project.ts"
import { createStaticFile, readStatic, type StaticDirectory } from "./static-files.ts"

/** The files that browsers load. */
export interface BrowserFiles {
  /** The text of `.fw/assets.ts`; undefined if the project has no such files. */
  readonly module: string | undefined
  /** The bundled files; undefined for a project without entries. */
  readonly bundled: StaticDirectory | undefined
  /** The static directories that are known before the program is bundled. */
  readonly static: readonly StaticDirectory[]
  /** Maps the path of each static file to the path with its hash, which pages contain. */
  readonly hashedPaths: Readonly<Record<string, string>>
  readonly warnings: readonly Problem[]
  /** Absolute paths of the files whose code is in the bundles. */
  readonly inputs: readonly string[]
}

/**
 * Bundles the entries, and gives static files their hashes.
 *
 * @throws FwError `browser` with each problem of the browser code.
 */
export async function buildBrowserFiles(project: Project, io: Io): Promise<BrowserFiles> {
  const bundle = await bundleEntries(project, io)
  const directories = await readFixedDirectories(project)
  const hashedFiles = Object.fromEntries(directories.flatMap(listHashedFiles))
  const hashedPaths = Object.fromEntries(Object.entries(hashedFiles).map(([path, { url }]) => [path, url]))
  const { warnings = [], inputs = [] } = bundle ?? {}
  const common = { static: directories, hashedPaths, warnings, inputs }
  if (!bundle && Object.keys(hashedFiles).length === 0) return { module: undefined, bundled: undefined, ...common }
  const manifest = { ...bundle?.manifest, isHashed: true, files: { ...hashedFiles, ...bundle?.manifest.files } }
  return {
    module: renderAssetsModule(manifest, []),
    bundled: bundle && toDirectory(bundle),
    ...common,
  }
}

async function bundleEntries(project: Project, io: Io): Promise<BrowserBundle | undefined> {
  const { root } = project
  const entries = await findBrowserEntries(project)
  if (entries.entries.length + entries.faults.length === 0) return undefined
  const compileStyles = async (input: string) => {
    const { path } = await ensureCSS(io)
    return compileToText(path, { cwd: root, input, output: input }, io)
  }
  const bundler = new BrowserBundler({ project, isProduction: true, compileStyles })
  try {
    const result = await bundler.build(entries, findPublicVariables(createServerEnv(project, io.env)))
    if ("problems" in result) throw browserError(result.problems)
    return result
  } finally {
    await bundler.close()
  }
}

function toDirectory({ files }: BrowserBundle): StaticDirectory {
  const list = [...files].map(([path, bytes]) => createStaticFile(path, bytes))
  return { name: "assets", prefix: "/assets", files: list.sort((a, b) => compareByCodeUnit(a.path, b.path)) }
}

async function readFixedDirectories(project: Project): Promise<StaticDirectory[]> {
  const found = await findFixedDirectories(project)
  const directories = found.flatMap(({ dir, prefix, by }) => {
    const name = normalizeDirectory(dir)
    return name && by !== "code" && existsSync(join(project.root, name)) ? [{ name, prefix }] : []
  })
  return Promise.all(directories.map((directory) => readStatic(project.root, directory)))
}

/** Returns the entries of a static directory for the manifest. */
function listHashedFiles({ prefix, files }: StaticDirectory): [string, Asset][] {
  const basePath = (prefix ?? "").replace(/\/$/, "")
  return files.flatMap(({ path, bytes, sha256 }): [string, Asset][] => {
    // The server sends a compressed copy in place of its file, so no page links to one.
    if (/\.(?:br|gz)$/.test(path)) return []
    const url = `${basePath}/${encodePath(path)}`
    const hashedURL = url.replace(/(?<=[^/])(\.[^./]*)?$/, `-${sha256.slice(0, 8).toUpperCase()}$1`)
    const integrity = /\.(?:js|mjs|css)$/.test(path) && { integrity: computeIntegrity(bytes) }
    return [[url, { url: hashedURL, ...integrity }]]
  })
}
