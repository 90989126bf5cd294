/**
 * Bundles the entries of the package for Node, where a module takes about a millisecond to load. All that `fw` and
 * `fw/node` import is one file, and the other entries import it: no module is in two files.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { checkOnce, divide } from "./bundle-graph.mjs"
import {
  asCommonJS,
  functionsOf,
  loaders,
  namesFrom,
  partFile,
  partOf,
  parts,
  standInModule,
  withUsedImports,
} from "./bundle-parts.mjs"
import { root } from "./common.mjs"
import { printed, withShortNames } from "./short-names.mjs"

/** The file with the modules that every server loads, without extension, and the entries that it consists of. */
const coreFile = { name: "core", entries: [".", "./node"] }

/** The import with which another file takes a module from the core. */
const coreSpecifier = `fw-bundles:${coreFile.name}`

/**
 * Writes `node/` below a directory with compiled modules: a file for each entry whose condition `node` is in it.
 *
 * @param {string} dist
 */
export async function bundleForNode(dist) {
  const esbuild = await import("esbuild")
  rmSync(join(dist, "node"), { recursive: true, force: true })
  await new Bundles(esbuild, dist).write()
}

/** Modules are absolute paths. */
class Bundles {
  /** The modules of the core. @type {ReadonlySet<string>} */
  #core = new Set()
  /** The exports of each module of the core: the name in the core, by its own name. @type {Map<string, Map<string, string>>} */
  #exported = new Map()
  /** The names of the files that are imported from outside or when they are needed. @type {Map<string, string>} */
  #files = new Map()
  /** The part of each module that is in one. @type {ReadonlyMap<string, string>} */
  #parts = new Map()
  /** The files of the parts. @type {Map<string, string>} */
  #partFiles = new Map()

  /** @param {typeof import("esbuild")} esbuild @param {string} dist */
  constructor(esbuild, dist) {
    this.esbuild = esbuild
    this.dist = dist
  }

  async write() {
    const entries = readEntries(this.dist)
    if (entries.length === 0) return
    for (const { module, file } of entries) this.#files.set(module, file)
    const graph = await this.#readGraph([...this.#files.keys()])
    const roots = entries.filter(({ name }) => coreFile.entries.includes(name)).map(({ module }) => module)
    for (const { to, kind } of [...graph.values()].flat()) {
      if (kind === "dynamic-import" && !this.#files.has(to)) this.#files.set(to, this.#nameOf(to))
    }
    const { core, partOfModule } = divide(graph, roots, [...this.#files.keys()], (module) =>
      partOf(this.#place(module)),
    )
    this.#core = core
    this.#parts = partOfModule
    await this.#readExports()
    mkdirSync(join(this.dist, "node"))
    const others = await this.#writeOthers()
    const rare = await Promise.all(Object.keys(parts).map((part) => this.#writePart(part)))
    const files = others.outputFiles.map(({ path, text }) => ({ path, text: withUsedImports(text) }))
    const [exported, shared] = [files, rare].map((list) =>
      namesFrom(
        list.map(({ text }) => text),
        `./${coreFile.name}.js`,
      ),
    )
    const main = await this.#writeCore(exported, shared)
    checkOnce([main, others, ...rare].flatMap(({ metafile }) => Object.entries(metafile.outputs)))
    for (const { path, text } of files) writeFileSync(path, await withShortNames(this.esbuild, text))
  }

  /** The imports of every module that some modules reach. @param {readonly string[]} modules */
  async #readGraph(modules) {
    const { metafile } = await this.esbuild.build({
      ...this.#options(),
      entryPoints: [...modules],
      write: false,
      metafile: true,
    })
    /** @type {Map<string, readonly import("./bundle-graph.mjs").Import[]>} */
    const graph = new Map()
    for (const [path, { imports }] of Object.entries(metafile.inputs)) {
      const inside = imports.filter(({ external }) => !external)
      graph.set(
        join(root, path),
        inside.map(({ path, kind }) => ({ to: join(root, path), kind })),
      )
    }
    return graph
  }

  async #readExports() {
    const { metafile } = await this.esbuild.build({
      ...this.#options(),
      entryPoints: [...this.#core, ...this.#parts.keys()],
      bundle: false,
      splitting: false,
      outbase: this.dist,
      external: undefined,
      plugins: [],
      write: false,
      metafile: true,
    })
    let number = 0
    for (const { entryPoint = "", exports } of Object.values(metafile.outputs)) {
      if (entryPoint === "") continue
      number += 1
      const module = join(root, entryPoint)
      const functions = functionsOf(readFileSync(module, "utf8"))
      const names = this.#parts.has(module) ? exports.filter((name) => functions.has(name)) : exports
      this.#exported.set(module, new Map(names.map((name) => [name, `${name}$${number}`])))
    }
  }

  /**
   * Writes the core.
   *
   * @param {ReadonlySet<string>} exported what other files import
   * @param {ReadonlySet<string>} shared what the parts get
   */
  async #writeCore(exported, shared) {
    const contents = [...this.#exported.keys()]
      .map((module) =>
        this.#exporting(module, "out", module, (name) => exported.has(name) || shared.has(name)),
      )
      .join("\n")
    const result = await this.esbuild.build({
      ...this.#options(),
      metafile: true,
      stdin: { contents, resolveDir: this.dist },
      splitting: false,
      outdir: undefined,
      outfile: join(this.dist, "node", `${coreFile.name}.js`),
      plugins: [this.#plugin("core")],
    })
    for (const { path, text } of result.outputFiles)
      writeFileSync(path, await withShortNames(this.esbuild, text, { isCore: true, exported, shared }))
    return result
  }

  /** Writes a part, and returns it with its text before it was shortened. @param {string} part */
  async #writePart(part) {
    const modules = [...this.#parts].filter(([, name]) => name === part).map(([module]) => module)
    const listed = modules.filter((module) => partOf(this.#place(module)) === part)
    const { metafile, outputFiles } = await this.esbuild.build({
      ...this.#options(),
      metafile: true,
      stdin: {
        contents: listed.map((module) => this.#exporting(module, "out", module)).join("\n"),
        resolveDir: this.dist,
      },
      splitting: false,
      outdir: undefined,
      outfile: join(this.dist, "node", `${part}.js`),
      plugins: [this.#plugin(part)],
    })
    const text = withUsedImports(outputFiles[0]?.text ?? "")
    const short = await withShortNames(this.esbuild, text, { wrap: asCommonJS })
    this.#partFiles.set(part, partFile(part, short))
    writeFileSync(join(this.dist, "node", partFile(part, short)), short)
    return { metafile, text }
  }

  async #writeOthers() {
    return this.esbuild.build({
      ...this.#options(),
      metafile: true,
      entryPoints: [...this.#files].map(([module, file]) => ({ in: module, out: file })),
      plugins: [this.#plugin("others")],
    })
  }

  /**
   * A statement that exports a module's names, or takes them from the core.
   *
   * @param {string} module @param {"in" | "out"} direction @param {string} from
   * @param {(shared: string) => boolean} isWanted
   */
  #exporting(module, direction, from, isWanted = () => true) {
    const names = [...(this.#exported.get(module) ?? [])].filter(([, shared]) => isWanted(shared))
    const pairs = names.map(([own, shared]) =>
      direction === "out" ? `${own} as ${shared}` : `${shared} as ${own}`,
    )
    return `export { ${pairs.join(", ")} } from ${JSON.stringify(from)}`
  }

  /** @returns {import("esbuild").BuildOptions} */
  #options() {
    return {
      absWorkingDir: root,
      outdir: join(this.dist, "node"),
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      ...printed,
      // Optional packages.
      external: ["hono", "hono/*", "ws"],
      legalComments: "inline",
      logLevel: "error",
      write: false,
      plugins: [this.#plugin(undefined)],
    }
  }

  /** @param {string | undefined} written the core, the others, or a part @returns {import("esbuild").Plugin} */
  #plugin(written) {
    return {
      name: "fw-bundles",
      setup: (build) => {
        build.onResolve({ filter: /^(?:#|[./])/ }, ({ path, resolveDir, kind, importer }) => {
          const module = this.#resolve(path, resolveDir)
          const part = this.#parts.get(module)
          if (written === undefined || (part !== undefined && part === written))
            return { path: module, sideEffects: false }
          if (written === "core" && part)
            return { path: this.#place(module), namespace: "fw-part", sideEffects: false }
          if (written !== "others" && kind === "dynamic-import")
            return { path: `./${this.#files.get(module)}.js`, external: true }
          // Another one for each importer: then it becomes a statement there, and not a file.
          if (written !== "core" && (part || this.#core.has(module)))
            return { path: this.#place(module), suffix: `?${this.#place(importer)}`, namespace: "fw-core" }
          return { path: module, sideEffects: false }
        })
        build.onLoad({ filter: /.*/, namespace: "fw-core" }, ({ path }) => ({
          contents: this.#exporting(join(this.dist, path), "in", coreSpecifier),
          resolveDir: this.dist,
        }))
        build.onLoad({ filter: /.*/, namespace: "fw-part" }, ({ path }) =>
          this.#standIns(join(this.dist, path)),
        )
        build.onResolve({ filter: /^fw-parts:/ }, ({ path }) => ({ path, namespace: "fw-parts" }))
        build.onLoad({ filter: /.*/, namespace: "fw-parts" }, () => ({ contents: loaders(this.#partFiles) }))
        build.onResolve({ filter: /^fw-bundles:/ }, () => ({ path: `./${coreFile.name}.js`, external: true }))
      },
    }
  }

  /** Functions that load the part of a module. @param {string} module */
  #standIns(module) {
    const functions = functionsOf(readFileSync(module, "utf8"))
    const names = this.#exported.get(module) ?? new Map()
    return { contents: standInModule(this.#parts.get(module) ?? "", functions, names) }
  }

  /** @param {string} specifier @param {string} from */
  #resolve(specifier, from) {
    if (specifier === "#platform") return join(this.dist, "adapters", "platform", "node.js")
    if (specifier === "#bundle") return join(this.dist, "adapters", "disk", "bundle-directory.js")
    if (specifier.startsWith("#parts/")) return join(this.dist, "lib", `${specifier.slice(1)}.js`)
    return specifier.startsWith(".") ? join(from, specifier) : specifier
  }

  /** @param {string} module */
  #nameOf(module) {
    return this.#place(module).replaceAll("/", "-").replace(/\.js$/, "")
  }

  /** The place of a module, the same on every machine. @param {string} module */
  #place(module) {
    return relative(this.dist, module).split(sep).join("/")
  }
}

/** The entries of the package that are bundled. @param {string} dist */
function readEntries(dist) {
  const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  return Object.entries(exports).flatMap(([name, { node, default: module = "" }]) => {
    const file = /^\.\/dist\/node\/(.+)\.js$/.exec(node ?? "")?.[1]
    const path = join(dist, module.replace("./dist/", ""))
    // A build that fails on the types may lack files.
    return file && existsSync(path) ? [{ name, file, module: path }] : []
  })
}
