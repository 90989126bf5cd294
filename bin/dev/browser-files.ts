/** Bundles the browser files of `fw dev` after changes, and knows which of them open pages must load again. */
import { existsSync, readFileSync } from "node:fs"
import { readdir } from "node:fs/promises"
import { join, posix, relative, sep } from "node:path"
import type { AssetManifest } from "../../lib/assets.ts"
import { BrowserBundler, findPublicVariables } from "../assets/browser-bundler.ts"
import { type BrowserEntries, findBrowserEntries, isElementFile } from "../assets/entries.ts"
import { browserDirectory, createManifest } from "../assets/manifest.ts"
import type { Io } from "../cli/terminal.ts"
import { readAssetsModule } from "../inspect/links/asset-paths.ts"
import { assetsFile } from "../project/codegen.ts"
import type { Problem } from "../project/problems.ts"
import { createServerEnv, isCode, type Project } from "../project/project.ts"
import { isInside } from "../system/path-containment.ts"
import { removeFile, replaceFile, writeIfChanged } from "../system/whole-file.ts"
import type { Changes } from "./pending-changes.ts"
import { Styles } from "./styles.ts"

/** Options of {@link BrowserFiles}. */
export interface BrowserFilesOptions {
  readonly project: Project
  readonly io: Io
  /** Prints a line. */
  readonly say: (text: string) => void
  /** Called with the path of a stylesheet's source when the CSS compiler has written it again. */
  readonly onStyles: (path: string) => void
}

/** The result of an update. */
export interface BrowserUpdate {
  /** True if the files were bundled. */
  readonly isBundled: boolean
  readonly problems: readonly Problem[]
  readonly warnings: readonly Problem[]
  /**
   * Absolute paths of the program's modules that were written. If there are any, the program must be built again.
   */
  readonly written: readonly string[]
  /** The manifest for the program; undefined if the project has no browser files. */
  readonly manifest: AssetManifest | undefined
}

/** The files that open pages must load again. */
export interface PageChanges {
  readonly hasScripts: boolean
  /** The names of the stylesheets. */
  readonly stylesheets: readonly string[]
}

/** Keeps `.fw/browser/` up to date. */
export class BrowserFiles {
  readonly #options: BrowserFilesOptions
  readonly #bundler: BrowserBundler
  /** The compilers of stylesheets that import Tailwind CSS, by the path of the source. */
  readonly #styles = new Map<string, Styles>()
  #directory = "assets"
  /** Absolute paths of the source files of the last bundles. */
  #inputs: ReadonlySet<string> = new Set()
  #lastUpdate: BrowserUpdate = { isBundled: false, problems: [], warnings: [], written: [], manifest: undefined }
  /** The contents of the written files, by path below the directory. A file of an earlier run has undefined. */
  #files: ReadonlyMap<string, Uint8Array | undefined> = new Map()
  readonly #changes = { hasScripts: false, stylesheets: new Set<string>() }

  constructor(options: BrowserFilesOptions) {
    this.#options = options
    const compileStyles = async (file: string) => this.#compileStyles(file)
    this.#bundler = new BrowserBundler({ project: options.project, isProduction: false, compileStyles })
  }

  /** Returns true if the browser files must be bundled again after a change of this path. */
  needsUpdate(path: string): boolean {
    const { root, appDir } = this.#options.project
    if (this.#inputs.has(path) || isInside(path, join(root, this.#directory))) return true
    if (isElementFile(path) && isInside(path, join(root, appDir))) return true
    if (this.#lastUpdate.problems.length > 0 && isCode(path)) return true
    return [...this.#inputs].some((input) => input.startsWith(path + sep))
  }

  /**
   * Bundles again if a change concerns the browser files.
   *
   * @param changed null if every file counts as changed.
   */
  async update(changed: Changes): Promise<BrowserUpdate> {
    if (changed && ![...changed].some((path) => this.needsUpdate(path)))
      return { ...this.#lastUpdate, isBundled: false, written: [] }
    const { project, io } = this.#options
    const entries = await findBrowserEntries(project)
    this.#directory = entries.directory
    const written = await this.writeModule(entries)
    if (changed === null) this.#files = await this.#findOldFiles()
    const isEmpty = entries.entries.length + entries.faults.length === 0
    if (isEmpty && this.#lastUpdate.manifest === undefined) return this.#lastUpdate
    const result = await this.#bundler.build(entries, findPublicVariables(createServerEnv(project, io.env)))
    if ("problems" in result) {
      const manifest = this.#lastUpdate.manifest ?? createManifest(entries)
      this.#lastUpdate = { isBundled: true, problems: result.problems, warnings: [], written, manifest }
      return this.#lastUpdate
    }
    this.#inputs = new Set(result.inputs)
    await this.#write(result.files)
    this.#lastUpdate = { isBundled: true, problems: [], warnings: result.warnings, written, manifest: result.manifest }
    return this.#lastUpdate
  }

  /** Returns the files that open pages must load again since the last call. */
  takeChanges(): PageChanges {
    const { hasScripts, stylesheets } = this.#changes
    const changes = { hasScripts, stylesheets: [...stylesheets] }
    this.#changes.hasScripts = false
    stylesheets.clear()
    return changes
  }

  /**
   * Writes `.fw/assets.ts`, whose types list every file.
   *
   * @returns the path of the file if it was written.
   */
  async writeModule(entries?: BrowserEntries): Promise<string[]> {
    const { project } = this.#options
    const { root } = project
    const text = await readAssetsModule(project, entries)
    if (text === undefined && !existsSync(join(root, assetsFile))) return []
    return (await writeIfChanged({ root, path: assetsFile }, text ?? "export {}\n")) ? [join(root, assetsFile)] : []
  }

  /** Resolves when a stylesheet that is compiled for the first time can be loaded; null for other URLs. */
  waitForURL(url: string): Promise<void> | null {
    for (const styles of this.#styles.values()) {
      const wait = styles.waitForURL(url)
      if (wait) return wait
    }
    return null
  }

  /** Closes the bundler, so that the next update reads all options again. */
  async refresh(): Promise<void> {
    await this.#bundler.close()
  }

  /** Closes the bundler and stops the CSS compilers. */
  async close(): Promise<void> {
    await Promise.all([this.#bundler.close(), ...[...this.#styles.values()].map((styles) => styles.close())])
  }

  /** Returns the latest compiled styles. Their compiler keeps running and reports when it writes them again. */
  #compileStyles(file: string): string {
    const { project, io, say, onStyles } = this.#options
    const output = posix.join(".fw/css", file)
    const onWritten = () => onStyles(join(project.root, file))
    const styles =
      this.#styles.get(file) ?? new Styles(project, io, { say, input: file, findOutput: () => output, onWritten })
    this.#styles.set(file, styles)
    styles.update()
    const path = join(project.root, output)
    return existsSync(path) ? readFileSync(path, "utf8") : ""
  }

  /** Writes files that have changed, and removes files that are no longer used. */
  async #write(files: ReadonlyMap<string, Uint8Array>): Promise<void> {
    const { root } = this.#options.project
    const before = this.#files
    const changed = [...files].filter(([name, bytes]) => !isSame(before.get(name), bytes))
    await Promise.all(
      changed.map(([name, bytes]) => replaceFile({ root, path: posix.join(browserDirectory, name) }, bytes)),
    )
    const old = [...before.keys()].filter((name) => !files.has(name))
    await Promise.all(old.map((name) => removeFile({ root, path: posix.join(browserDirectory, name) })))
    this.#files = files
    for (const [name] of changed) {
      if (name.endsWith(".css")) this.#changes.stylesheets.add(posix.basename(name))
      else if (!name.endsWith(".map")) this.#changes.hasScripts = true
    }
  }

  async #findOldFiles(): Promise<Map<string, undefined>> {
    const directory = join(this.#options.project.root, browserDirectory)
    const found = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => [])
    const paths = found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
    return new Map(paths.map((path) => [relative(directory, path).split(sep).join("/"), undefined]))
  }
}

function isSame(before: Uint8Array | undefined, after: Uint8Array): boolean {
  return before !== undefined && Buffer.from(before.buffer, before.byteOffset, before.byteLength).equals(after)
}
