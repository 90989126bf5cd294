/**
 * Bundles the command, because a module takes about half a millisecond to load. Programs keep their places in `bin/`, and the
 * parts that they share are in `dist/bin/parts/`. The modules of a server stay files, which the package has anyway: `fw dev` runs
 * one, and a module that exists twice in a process has two states and two classes.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve, sep } from "node:path"
import { root } from "./common.mjs"
import { printed } from "./short-names.mjs"

/** The programs that are started or loaded by their path, below `bin/`. */
export const programs = [
  "fw",
  "content-mapper",
  "dev/child",
  "dev/facts-child",
  "openapi/load-child",
  "testing/reporter",
  "testing/answers-recorder",
  "testing/late-errors",
]

/** Folders of the server: their modules stay files, with all that these import. */
const server = ["adapters/executable", "adapters/node", "adapters/platform", "adapters/start", "lib/mount"]

/**
 * Bundles the compiled programs in `bin/` below a directory, each in its place.
 *
 * @param {string} dist
 */
export async function bundleCommand(dist) {
  const esbuild = await import("esbuild")
  rmSync(join(dist, "bin", "parts"), { recursive: true, force: true })
  if (!programs.every((name) => existsSync(join(dist, "bin", `${name}.js`)))) return
  await new CommandBundles(esbuild, dist).write()
}

/** Modules are absolute paths. */
class CommandBundles {
  /** The modules that stay files. @type {ReadonlySet<string>} */
  #files = new Set()
  /** The places of the modules that ask for theirs. @type {string[]} */
  #asking = []

  /** @param {typeof import("esbuild")} esbuild @param {string} dist */
  constructor(esbuild, dist) {
    this.esbuild = esbuild
    this.dist = dist
    this.bin = join(dist, "bin")
  }

  async write() {
    const graph = importsOf((await this.#build()).metafile)
    const folders = server.map((folder) => join(this.dist, folder) + sep)
    this.#files = reached(
      graph,
      [...graph.keys()].filter((module) => folders.some((folder) => module.startsWith(folder))),
    )
    const { outputFiles } = await this.#build()
    // The compiled modules are the input: nothing is written before all of them are read.
    for (const { path, text } of outputFiles) this.#writeFile(path, text)
  }

  /** @returns {Promise<import("esbuild").BuildResult<{ metafile: true, write: false }>>} */
  #build() {
    return this.esbuild.build({
      absWorkingDir: root,
      entryPoints: programs.map((name) => ({ in: join(this.bin, `${name}.js`), out: name })),
      outdir: this.bin,
      chunkNames: "parts/[name]-[hash]",
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      // Optional packages.
      external: ["hono", "hono/*", "ws"],
      ...printed,
      minify: true,
      // Short enough for an error to show its own statement.
      lineLimit: 500,
      legalComments: "none",
      logLevel: "error",
      metafile: true,
      write: false,
      plugins: [this.#plugin()],
    })
  }

  /** @returns {import("esbuild").Plugin} */
  #plugin() {
    return {
      name: "fw-command",
      setup: (build) => {
        build.onResolve({ filter: /^[.#/]/ }, ({ path, resolveDir, kind }) => {
          if (kind === "entry-point") return undefined
          const module =
            path === "#platform"
              ? join(this.dist, "adapters", "platform", "node.js")
              : path === "#bundle"
                ? join(this.dist, "adapters", "disk", "bundle-directory.js")
                : path.startsWith("#parts/")
                  ? join(this.dist, "lib", `${path.slice(1)}.js`)
                  : resolve(resolveDir, path)
          // The order of side effects is that of the imports, as without a bundle.
          if (this.#isBundled(module)) return { path: module, sideEffects: true }
          return { path: outside + this.#fromDist(module), external: true }
        })
        build.onLoad({ filter: /\.js$/ }, async ({ path }) => ({ contents: await this.#contentsOf(path) }))
      },
    }
  }

  /** @param {string} module */
  #isBundled(module) {
    return !this.#files.has(module) && !module.startsWith(join(this.dist, "vendor") + sep)
  }

  /**
   * A module's text: a name for its place, where it asks for it, because the file that it will be in has another one.
   *
   * @param {string} module
   */
  async #contentsOf(module) {
    const text = readFileSync(module, "utf8")
    if (!text.includes("import.meta.url")) return text
    this.#asking.push(this.#place(module))
    // A string that contains this text is for programs of users, and stays as it is.
    const define = { "import.meta.url": `${place}${this.#asking.length - 1}` }
    return (await this.esbuild.transform(text, { ...printed, format: "esm", define })).code
  }

  /** @param {string} file @param {string} text */
  #writeFile(file, text) {
    const from = (/** @type {string} */ to) =>
      relative(dirname(file), to)
        .split(sep)
        .join("/")
        .replace(/^(?!\.)/, "./")
    const written = text
      .replace(new RegExp(`\\b${place}(\\d+)\\b`, "g"), (_, at) => {
        const module = join(this.bin, this.#asking[at] ?? "")
        if (module === file) return "import.meta.url"
        return `new URL(${JSON.stringify(from(module))},import.meta.url).href`
      })
      .replace(new RegExp(`(?<=")${outside}([^"]+)`, "g"), (_, module) => from(join(this.dist, module)))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, written)
  }

  /** @param {string} module */
  #place(module) {
    return relative(this.bin, module).split(sep).join("/")
  }

  /** @param {string} module */
  #fromDist(module) {
    return relative(this.dist, module).split(sep).join("/")
  }
}

/** Stands for `import.meta.url` of a module until it is known which file the module is in. */
const place = "fwPlace"

/** Stands for the way from a file to `dist/` until it is known where the file is. */
const outside = "fw-dist:"

/**
 * The imports of bundled modules.
 *
 * @param {import("esbuild").Metafile} metafile
 */
function importsOf({ inputs }) {
  /** @type {Map<string, readonly import("./bundle-graph.mjs").Import[]>} */
  const graph = new Map()
  for (const [path, { imports }] of Object.entries(inputs)) {
    const inside = imports.filter(({ external }) => !external)
    graph.set(
      join(root, path),
      inside.map(({ path, kind }) => ({ to: join(root, path), kind })),
    )
  }
  return graph
}

/**
 * All modules that some modules load, at once or later, with these.
 *
 * @param {ReadonlyMap<string, readonly import("./bundle-graph.mjs").Import[]>} graph
 * @param {readonly string[]} modules
 */
function reached(graph, modules) {
  const found = new Set(modules)
  for (const module of found) for (const { to } of graph.get(module) ?? []) found.add(to)
  return found
}
