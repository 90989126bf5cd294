/** Bundles the programs of the package: readable ES modules, the same files for every runtime. */
import { readFileSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { root } from "./common.mjs"

/**
 * Writes the programs below a directory, each in the place of its source. What several share is in `chunks/`, so no module
 * exists twice. Packages stay imports, and so do names of package.json that begin with `#`: a condition chooses their file.
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
    plugins: [sourcesPlugin],
  }
  await esbuild.build({
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
  })
  // A program of the browser, to which its server gives the files of one folder.
  await esbuild.build({
    ...options,
    entryPoints: ["main.ts", "index.html", "style.css"].map((name) => join("explorer", name)),
    outdir: join(dist, "explorer"),
    target: "es2022",
    loader: { ".html": "copy", ".css": "copy" },
  })
}

/** The sources of all files that package.json names, and of those that are loaded by their path. */
function listEntries() {
  const { bin, exports, imports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const namedFiles = JSON.stringify([bin, exports, imports, "dist/bin/content-mapper.js"])
  const { 1: programs = "" } =
    /\nexport const programs = \[(.*?)\]/s.exec(readFileSync(join(root, "bin/system/package.ts"), "utf8")) ?? []
  const files = [...namedFiles.matchAll(/\bdist\/([\w./-]+)\.js"/g), ...programs.matchAll(/"(.+)"/g)]
  return [...new Set(files.map(([, name]) => `${name}.ts`))]
}

/**
 * A module outside of the core that imports a part of it counts as importing all of it. Otherwise the core would be in as many
 * files as there are sets of entries that share a module: 57 files for a server, in place of 30. What `#platform` stands for
 * does not, because the core imports it.
 *
 * @param {string} path
 * @param {string} text
 */
function addCoreImport(path, text) {
  const name = relative(root, path).replaceAll("\\", "/")
  const isOutside = /^(?:bin|adapters\/(?:node|start|store|lambda)\/|adapters\/\w+\.ts)/.test(name)
  const isCounted = (isOutside && /"(?:\.\.\/)+lib\//.test(text)) || outerEntries.test(name)
  return isCounted ? `${text}\nimport "${root}/lib/index.ts"\n` : text
}

/** Entries in `lib/` that the core does not import. */
const outerEntries = /^(?:lib\/(?:session|mcp|testing|links|html)|template\/index)\.ts$/

/**
 * Keeps comments that stand alone in their lines. esbuild keeps only those with `!`, as of licences: they get one, and lose
 * it again. A comment of a type would be left behind without it.
 *
 * @param {string} text
 */
function markComments(text) {
  return text
    .replace(/^( *)\/\*\*(?=\s)(?!(?:(?!\*\/)[\s\S])*\*\/\n(?:export )?(?:interface|type|declare) )/gm, "$1/*!fw*")
    .replace(/^( *)\/\/ /gm, "$1//!fw ")
}

/** @type {import("esbuild").Plugin} */
const sourcesPlugin = {
  name: "fw-sources",
  setup(build) {
    build.initialOptions.write = false
    // An import counts, whether a name is taken or not.
    build.onResolve({ filter: /^[^#].*\.ts$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path),
      sideEffects: true,
    }))
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: "ts",
      contents: addCoreImport(path, markComments(await readFile(path, "utf8"))),
    }))
    build.onEnd(async ({ outputFiles = [] }) => {
      for (const { path, contents } of outputFiles) {
        const text = Buffer.from(contents).toString().replaceAll("/*!fw*", "/**").replaceAll("//!fw ", "// ")
        await mkdir(dirname(path), { recursive: true })
        await writeFile(path, text)
      }
    })
  },
}
