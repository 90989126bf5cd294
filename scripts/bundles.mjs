/**
 * Bundles the entries of the package for Node, where a module takes about a millisecond to load. All that `fw` and
 * `fw/node` import is one file, and the other entries import it: no module is in two files.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { root, ScriptError } from "./common.mjs"
import { printed, withShortNames } from "./short-names.mjs"

/** The file with the modules that every server loads, without extension, and the entries that it consists of. */
const core = { name: "core", entries: [".", "./node"] }

/** The import with which another file takes a module from the core. */
const coreSpecifier = `fw-bundles:${core.name}`

/** @typedef {{ readonly to: string, readonly kind: string }} Import an absolute path, and esbuild's kind of the import */

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
    const roots = entries.filter(({ name }) => core.entries.includes(name)).map(({ module }) => module)
    this.#core = reachedAtOnce(graph, roots)
    for (const { to, kind } of [...graph.values()].flat()) {
      if (kind === "dynamic-import" && !this.#files.has(to)) this.#files.set(to, this.#nameOf(to))
    }
    await this.#readExports()
    const written = await Promise.all([this.#writeCore(graph), this.#writeOthers()])
    checkOnce(written.flatMap(({ metafile }) => Object.entries(metafile.outputs)))
    mkdirSync(join(this.dist, "node"))
    await Promise.all(
      written
        .flatMap(({ outputFiles }) => outputFiles)
        .map(async ({ path, text }) => {
          const isCore = path.endsWith(`${core.name}.js`)
          writeFileSync(path, await withShortNames(this.esbuild, text, isCore))
        }),
    )
  }

  /** The imports of every module that some modules reach. @param {readonly string[]} modules */
  async #readGraph(modules) {
    const { metafile } = await this.esbuild.build({
      ...this.#options(),
      entryPoints: [...modules],
      write: false,
      metafile: true,
    })
    /** @type {Map<string, readonly Import[]>} */
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
      entryPoints: [...this.#core],
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
      this.#exported.set(join(root, entryPoint), new Map(exports.map((name) => [name, `${name}$${number}`])))
    }
  }

  /** @param {ReadonlyMap<string, readonly Import[]>} graph */
  async #writeCore(graph) {
    const outside = [...graph].filter(([module]) => !this.#core.has(module)).flatMap(([, imports]) => imports)
    const wanted = new Set([...this.#files.keys(), ...outside.map(({ to }) => to)])
    const modules = [...this.#core].filter((module) => wanted.has(module))
    const contents = modules.map((module) => this.#exporting(module, "out", module)).join("\n")
    return this.esbuild.build({
      ...this.#options(),
      metafile: true,
      stdin: { contents, resolveDir: this.dist },
      splitting: false,
      outdir: undefined,
      outfile: join(this.dist, "node", `${core.name}.js`),
      plugins: [this.#plugin("core")],
    })
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
   */
  #exporting(module, direction, from) {
    const names = [...(this.#exported.get(module) ?? [])]
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

  /** @param {"core" | "others" | undefined} written @returns {import("esbuild").Plugin} */
  #plugin(written) {
    return {
      name: "fw-bundles",
      setup: (build) => {
        build.onResolve({ filter: /^(?:#platform$|[./])/ }, ({ path, resolveDir, kind, importer }) => {
          const module = this.#resolve(path, resolveDir)
          if (written === "core" && kind === "dynamic-import")
            return { path: `./${this.#files.get(module)}.js`, external: true }
          // Another one for each importer: then it becomes a statement there, and not a file.
          if (written === "others" && this.#core.has(module))
            return { path: this.#place(module), suffix: `?${this.#place(importer)}`, namespace: "fw-core" }
          return { path: module, sideEffects: false }
        })
        build.onLoad({ filter: /.*/, namespace: "fw-core" }, ({ path }) => ({
          contents: this.#exporting(join(this.dist, path), "in", coreSpecifier),
          resolveDir: this.dist,
        }))
        build.onResolve({ filter: /^fw-bundles:/ }, () => ({ path: `./${core.name}.js`, external: true }))
      },
    }
  }

  /** @param {string} specifier @param {string} from */
  #resolve(specifier, from) {
    if (specifier === "#platform") return join(this.dist, "adapters", "platform", "node.js")
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

/**
 * Checks that no module is in two files: its classes would be two.
 *
 * @param {readonly [string, import("esbuild").Metafile["outputs"][string]][]} outputs
 */
function checkOnce(outputs) {
  /** @type {Map<string, string>} */
  const files = new Map()
  for (const [file, { inputs }] of outputs) {
    for (const [module, { bytesInOutput }] of Object.entries(inputs)) {
      if (bytesInOutput === 0 || !/\.js$/.test(module)) continue
      const other = files.get(module)
      if (other) throw new ScriptError(`${module} is in ${other} and in ${file}`)
      files.set(module, file)
    }
  }
}

/**
 * Modules with all that they import when they are loaded.
 *
 * @param {ReadonlyMap<string, readonly Import[]>} graph @param {readonly string[]} roots
 */
function reachedAtOnce(graph, roots) {
  /** @type {Set<string>} */
  const reached = new Set()
  const open = [...roots]
  for (let module = open.pop(); module !== undefined; module = open.pop()) {
    if (reached.has(module)) continue
    reached.add(module)
    for (const { to, kind } of graph.get(module) ?? []) if (kind === "import-statement") open.push(to)
  }
  return reached
}
