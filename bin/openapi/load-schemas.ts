/**
 * Loads the JSON Schemas of a project's validators from `~standard.jsonSchema` (Standard JSON Schema). A separate
 * process imports their modules.
 */
import { readFile } from "node:fs/promises"
import { extname, join } from "node:path"
import type { Loader, Plugin } from "esbuild"
import { toolFault } from "../messages/tools.ts"
import { loadEsbuild } from "../project/esbuild.ts"
import { getProgramPath, programFlags } from "../system/package.ts"
import { withWorkDirectory } from "../system/whole-directory.ts"
import { startProgram } from "../tools/program.ts"
import type { JSONSchema, Warning } from "./document/model.ts"
import type { SchemaPlace } from "./types/calls/found-facts.ts"

/** The JSON Schemas, and warnings about validators without one. */
export interface LoadedSchemas {
  /** The JSON Schemas, by the keys of the argument `places`. */
  readonly schemas: ReadonlyMap<string, JSONSchema>
  readonly warnings: readonly Warning[]
}

/** The result for a single validator. */
type LoadResult = { readonly schema: JSONSchema } | { readonly error: string } | { readonly none: string }

/** The longest time for importing the modules, in milliseconds. */
const importTimeoutMs = 30_000

/**
 * Bundles the modules with schemas, imports them and reads the JSON Schemas. This runs the project's code, which
 * may have effects, in a process that ends afterwards.
 *
 * @throws FwError `load` if the modules cannot be bundled or imported.
 */
export async function loadSchemas(
  root: string,
  places: ReadonlyMap<string, SchemaPlace>,
  signal?: AbortSignal,
): Promise<LoadedSchemas> {
  if (places.size === 0) return { schemas: new Map(), warnings: [] }
  return withWorkDirectory(root, async (directory) => {
    const bundleFile = directory.resolve("schemas.mjs")
    const resultFile = directory.resolve("schemas.json")
    await writeBundle(root, places, bundleFile)
    await runBundle(root, bundleFile, resultFile, signal)
    const loaded = JSON.parse(await readFile(resultFile, "utf8")) as Record<string, LoadResult>
    return toLoadedSchemas(places, loaded)
  })
}

function toLoadedSchemas(places: ReadonlyMap<string, SchemaPlace>, loaded: Record<string, LoadResult>): LoadedSchemas {
  const schemas = new Map<string, JSONSchema>()
  const warnings: Warning[] = []
  for (const [id, { file, expression }] of places) {
    const result = loaded[id]
    if (result && "schema" in result) schemas.set(id, result.schema)
    else {
      const why =
        result && "error" in result ? result.error : ((result as { none?: string })?.none ?? "it was not found")
      const line = Number(/:(\d+):/.exec(id)?.[1] ?? 1)
      const fix =
        "Declare the schema at the top of its module, with a library that has ~standard.jsonSchema. Its type is used instead."
      warnings.push({
        message: `the schema ${expression} has no JSON Schema: ${why}`,
        fix,
        at: { file, line },
      })
    }
  }
  return { schemas, warnings }
}

/** Bundles the modules. Each schema is exported under a unique name. */
async function writeBundle(root: string, places: ReadonlyMap<string, SchemaPlace>, outfile: string): Promise<void> {
  const esbuild = await loadEsbuild(root)
  const byFile = new Map<string, [string, SchemaPlace][]>()
  for (const [id, place] of places) byFile.set(place.file, [...(byFile.get(place.file) ?? []), [id, place]])
  const files = [...byFile.keys()]
  const imports = files.map((file, i) => `import { fwSchemas as s${i} } from ${JSON.stringify(`./${file}`)}\n`)
  const contents = `${imports.join("")}export default [${files.map((_, i) => `...s${i}`).join(", ")}]\n`
  try {
    await esbuild.build({
      absWorkingDir: root,
      stdin: { contents, resolveDir: root, loader: "ts", sourcefile: "fw-schemas.ts" },
      outfile,
      bundle: true,
      packages: "external",
      platform: "node",
      format: "esm",
      target: `node${process.versions.node}`,
      logLevel: "silent",
      plugins: [createSchemaPlugin(root, byFile)],
    })
  } catch (cause) {
    throw toolFault("load.bundle", [cause instanceof Error ? cause.message : String(cause)], { cause })
  }
}

function createSchemaPlugin(root: string, byFile: ReadonlyMap<string, [string, SchemaPlace][]>): Plugin {
  const paths = new Map([...byFile].map(([file, list]) => [join(root, file), list]))
  return {
    name: "fw-schemas",
    setup({ onLoad }) {
      onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
        const list = paths.get(path)
        if (!list) return undefined
        // Each schema is in its own function, so that a schema with a local variable of a handler does not make the
        // others fail.
        const entries = list.map(([id, { expression }]) => `[${JSON.stringify(id)}, () => (${expression})]`)
        const source = await readFile(path, "utf8")
        const loader = extname(path).replace(/^\.[cm]?/, "") as Loader
        return { contents: `${source}\nexport const fwSchemas = [${entries.join(", ")}]\n`, loader }
      })
    },
  }
}

async function runBundle(
  root: string,
  bundleFile: string,
  resultFile: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const timeout = AbortSignal.timeout(importTimeoutMs)
  const { code, output } = await startProgram({
    program: process.execPath,
    args: [...programFlags, "--enable-source-maps", getProgramPath("bin/openapi/load-child"), bundleFile, resultFile],
    cwd: root,
    signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    keep: 4000,
    name: "the import of the schemas",
  }).ended
  signal?.throwIfAborted()
  if (code === 0) return
  const why = timeout.aborted ? `it took longer than ${importTimeoutMs / 1000} seconds` : output.trim()
  throw toolFault("load.import", [why])
}
