/** Bundles the programs of the package: readable ES modules, the same files for every runtime. */
import { readFileSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { root } from "./common.mjs"

/**
 * Writes the programs below a directory, each at the path of its source. Code that several programs share is in `chunks/`, so
 * no module exists twice. Imports of packages stay, and so do imports whose names begin with `#`: package.json chooses their
 * file by a condition when they are loaded.
 *
 * @param {string} dist
 */
export async function bundle(dist) {
  const esbuild = await import("esbuild")
  /** @type {import("esbuild").BuildOptions} */
  const options = {
    absWorkingDir: root,
    bundle: true,
    format: "esm",
    charset: "utf8",
    legalComments: "inline",
    logLevel: "warning",
  }
  const programs = {
    ...options,
    entryPoints: listEntries(),
    outdir: dist,
    outbase: root,
    chunkNames: "chunks/[hash]",
    splitting: true,
    platform: "node",
    target: "node20.19",
    packages: "external",
    external: ["#*"],
  }
  const { metafile } = await esbuild.build({ ...programs, write: false, metafile: true })
  await esbuild.build({ ...programs, plugins: [createSourcesPlugin(findLayers(metafile.inputs))] })
  // The explorer runs in a browser, and its server sends only the files of this folder. So it shares no chunks.
  await esbuild.build({
    ...options,
    plugins: [createSourcesPlugin(() => [])],
    entryPoints: ["main.ts", "index.html", "style.css"].map((name) => join("explorer", name)),
    outdir: join(dist, "explorer"),
    target: "es2022",
    loader: { ".html": "copy", ".css": "copy" },
  })
}

/** Returns the sources of all files that package.json names, and of the programs that are started by their path. */
function listEntries() {
  const { bin, exports, imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const namedFiles = JSON.stringify([bin, exports, imports, "dist/bin/content-mapper.js"])
  const { 1: programs = "" } =
    /\nexport const programs = \[(.*?)\]/s.exec(readFileSync(join(root, "bin/system/package.ts"), "utf8")) ?? []
  const files = [...namedFiles.matchAll(/\bdist\/([\w./-]+)\.js"/g), ...programs.matchAll(/"(.+)"/g)]
  return [...new Set(files.map(([, name]) => `${name}.ts`))]
}

/**
 * Returns a function that lists the imports to add to a module. esbuild writes a chunk for each set of programs that share a
 * module. For a server, these would be 80 files, and each makes it start later. So the modules are sorted into layers, and a
 * module that imports one module of a layer is made to import all of them: esbuild then writes one chunk for the layer.
 * Modules that the core imports by a name with `#` form layers below the core, because otherwise they would import the core,
 * which imports them.
 *
 * @param {import("esbuild").Metafile["inputs"]} inputs the imports of every module
 * @returns {(name: string) => string[]}
 */
function findLayers(inputs) {
  /** Returns the modules whose paths have one of these beginnings, and all that they import. @param {string[]} starts */
  const collectModules = (...starts) => {
    const modules = new Set(Object.keys(inputs).filter((name) => starts.some((start) => name.startsWith(start))))
    for (const name of modules)
      for (const { path, kind } of inputs[name]?.imports ?? [])
        if (kind === "import-statement" && path in inputs) modules.add(path)
    return modules
  }
  /** @param {Set<string>} from @param {(name: string) => boolean} isTaken */
  const filterSet = (from, isKept) => new Set([...from].filter(isKept))

  const core = collectModules("lib/index.ts")
  const messages = collectModules("lib/parts/messages.ts")
  const platforms = collectModules("adapters/platform/")
  const parts = collectModules("lib/parts/")
  const portable = collectModules("adapters/files.ts", "adapters/platform/default.ts", "adapters/platform/workerd.ts")
  const otherEntries = collectModules("adapters/store.ts", "lib/html.ts", "lib/session.ts")
  const platformLayer = filterSet(core, (name) => platforms.has(name))
  const partsLayer = filterSet(core, (name) => platforms.has(name) || parts.has(name))
  const besidePartsLayer = filterSet(parts, (name) => otherEntries.has(name) && !core.has(name))
  const diskLayer = filterSet(
    collectModules("adapters/platform/disk.ts"),
    (name) => !core.has(name) && !portable.has(name),
  )

  return (name) => {
    if (core.has(name) || messages.has(name)) return []
    const otherLayers = parts.has(name) ? [partsLayer, besidePartsLayer] : [core, besidePartsLayer, diskLayer]
    const layers = platforms.has(name) ? [platformLayer, diskLayer] : otherLayers
    const imports = inputs[name]?.imports ?? []
    return layers
      .filter((one) => !one.has(name) && imports.some(({ path }) => one.has(path)))
      .flatMap((one) => [...one])
  }
}

/**
 * Marks the comments that have a line of their own. esbuild removes comments unless they have a `!`, as those with licences
 * do, so each gets one, which is removed from the output. Comments of types are not marked, because esbuild removes the types.
 *
 * @param {string} text
 */
function markComments(text) {
  return text
    .replace(/^( *)\/\*\*(?=\s)(?!(?:(?!\*\/)[\s\S])*\*\/\n(?:export )?(?:interface|type|declare) )/gm, "$1/*!fw*")
    .replace(/^( *)\/\/ /gm, "$1//!fw ")
}

/**
 * @param {(name: string) => string[]} listImports lists the imports to add to a module
 * @returns {import("esbuild").Plugin}
 */
const createSourcesPlugin = (listImports) => ({
  name: "fw-sources",
  setup(build) {
    build.initialOptions.write = false
    // Keeps an import even if none of its names is used, because the module may do something when it is loaded.
    build.onResolve({ filter: /^[^#].*\.ts$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path),
      sideEffects: true,
    }))
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const text = markComments(await readFile(path, "utf8"))
      const imports = listImports(relative(root, path).replaceAll("\\", "/")).map((one) => `\nimport "${root}/${one}"`)
      return { loader: "ts", contents: text + imports.join("") }
    })
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, contents } of outputFiles) {
        const text = Buffer.from(contents).toString().replaceAll("/*!fw*", "/**").replaceAll("//!fw ", "// ")
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, text)
      }
    })
  },
})
