/**
 * Builds and starts an app from the files of the playground, as `fw dev` does: compile templates, scan routes, bundle,
 * import.
 */
import { type BuildFailure, build, initialize, type Message, type Plugin } from "esbuild-wasm"
import * as fw from "fw"
import * as fwHtml from "fw/html"
import { type Compiled, compile, mapMessages, outputPath } from "fw/template"
import { renderRoutesModule } from "../../bin/project/codegen.ts"
import { type DirectoryEntry, type DirectorySource, examine } from "../../lib/scan.ts"
import type { Files, Problem } from "./messages.ts"
import { addFrame, type Sources, toProblem } from "./problems.ts"

/** A running program. */
export interface Program extends Sources {
  readonly app: fw.App
  readonly problems?: undefined
}

type Modules = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * The packages that a program can import. They are loaded in this worker already, so they are left out of the bundle.
 */
const packages: Modules = { fw, "fw/html": fwHtml }
Object.assign(globalThis, { packages })

// The compiler has 13 MB, so it is loaded only when the first program is built.
let compiler: Promise<void> | undefined

/** Builds and starts a program. @param url the address of esbuild's WebAssembly file. */
export async function buildProgram(files: Files, url: string): Promise<Program | { problems: readonly Problem[] }> {
  compiler ??= initialize({ wasmURL: new URL(url, location.href).href, worker: false })
  const [templates, { tree, problems }] = await Promise.all([
    compileTemplates(files),
    examine(toSource(files), "app").catch((error) => ({ tree: undefined, problems: [error as fw.FwError] })),
    compiler,
  ])
  const mistakes = [
    ...[...templates.values()].flatMap(({ diagnostics }) => diagnostics),
    ...problems.map(({ message, fix, at }) => ({ message, fix, ...addFrame(at ?? {}, files) })),
  ]
  if (mistakes.length > 0 || !tree) return { problems: mistakes }

  const modules = new Map(Object.entries(files))
  for (const [file, { code }] of templates) modules.set(outputPath(file), code)
  modules.set(".fw/routes.ts", renderRoutesModule(tree))
  modules.set(".fw/entry.ts", renderEntry("main.ts" in files))
  try {
    const { outputFiles = [] } = await build({
      entryPoints: ["/.fw/entry.ts"],
      bundle: true,
      format: "esm",
      sourcemap: "external",
      outdir: "/",
      write: false,
      logLevel: "silent",
      plugins: [readModules(modules)],
    })
    const [map = "", code = ""] = [".map", ".js"].map((end) => outputFiles.find(({ path }) => path.endsWith(end))?.text)
    return await start({ files, map, url: URL.createObjectURL(new Blob([code], { type: "text/javascript" })) })
  } catch (error) {
    return { problems: (error as BuildFailure).errors.map((message) => locate(message, files, templates)) }
  }
}

async function start(sources: Sources): Promise<Program | { problems: readonly Problem[] }> {
  try {
    const { default: app } = await import(sources.url)
    return { ...sources, app }
  } catch (error) {
    return { problems: [toProblem(error, sources)] }
  }
}

function renderEntry(hasMain: boolean): string {
  const app = hasMain ? 'import app from "../main.ts"' : 'import { App } from "fw"\nconst app = new App()'
  return `${app}\nimport routes from "./routes.ts"\nawait app.mount(routes)\nexport default app\n`
}

async function compileTemplates(files: Files): Promise<Map<string, Compiled>> {
  const templates = Object.entries(files).filter(([file]) => file.endsWith(".tpl"))
  return new Map(templates.map(([file, text]) => [file, compile(text, file)]))
}

/** Returns files in the form of a directory, which the scan of routes reads. */
function toSource(files: Files): DirectorySource {
  return {
    async list(directory) {
      const names = new Map<string, DirectoryEntry["kind"]>()
      for (const file of Object.keys(files)) {
        if (!file.startsWith(`${directory}/`)) continue
        const [name = "", ...rest] = file.slice(directory.length + 1).split("/")
        names.set(name, rest.length > 0 ? "directory" : "file")
      }
      return names.size === 0 ? null : [...names].map(([name, kind]) => ({ name, kind }))
    },
    read: async (file) => files[file] ?? "",
  }
}

/** Creates a plugin of esbuild that reads the modules of a program, and the packages that it imports. */
function readModules(modules: ReadonlyMap<string, string>): Plugin {
  return {
    name: "program",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /.*/ }, ({ path, importer, kind }) => {
        if (path in packages) return { path, namespace: "package" }
        const base = importer === "" ? "/" : `/${importer}`
        const target = path.startsWith("#lib/") ? `/lib/${path.slice(5)}` : path
        const file = new URL(target, `https://program${base}`).pathname.slice(1)
        if (kind === "entry-point" || (/^[./]/.test(target) && modules.has(file)))
          return { path: file, namespace: "program" }
        const text = /^[./#]/.test(path)
          ? `there is no file ${file}`
          : `the package "${path}" is not here: the playground has ${Object.keys(packages).join(" and ")}`
        return { errors: [{ text }] }
      })
      onLoad({ filter: /.*/, namespace: "program" }, ({ path }) => ({
        contents: modules.get(path) ?? "",
        loader: path.endsWith(".json") ? "json" : path.endsWith("x") ? "tsx" : "ts",
      }))
      onLoad({ filter: /.*/, namespace: "package" }, ({ path }) => {
        const names = Object.keys(packages[path] ?? {})
        const from = `globalThis.packages[${JSON.stringify(path)}]`
        return { contents: names.map((name) => `export const ${name} = ${from}.${name}\n`).join("") }
      })
    },
  }
}

/**
 * Returns the problem for a message of esbuild. A message about a compiled template gets its position in the template.
 */
function locate({ text, location, notes }: Message, files: Files, templates: ReadonlyMap<string, Compiled>): Problem {
  if (!location) return { message: text }
  const file = location.file.replace(/^program:/, "")
  const { line, column } = location
  const template = templates.get(file.replace(/\.ts$/, ""))
  const [mapped] = template ? mapMessages(template, [{ text, line, column }]) : []
  return mapped ?? { message: text, fix: notes[0]?.text, ...addFrame({ file, line, column: column + 1 }, files) }
}
