/**
 * The last step of a small bundle. The names of functions are kept for stacks and errors, which costs a call
 * per function. For fw's own functions that is not worth it, so the project is bundled with names and without
 * fw, and then fw is added without names.
 */
import { dirname, join, relative, resolve, sep } from "node:path"
import type { BuildOptions, BuildResult, Metafile, Plugin } from "esbuild"
import type { Esbuild } from "../project/esbuild.ts"

/** A bundle to make in two steps. */
export interface LeanJob {
  readonly root: string
  /** The module that imports everything, relative to the project. */
  readonly entry: string
  readonly options: BuildOptions
  /** Inputs of the whole bundle. */
  readonly whole: Metafile
  /** Path of a module of fw, relative to its directory. */
  readonly mark: string
}

type Output = BuildResult<{ write: false; metafile: true }>

/** Bundles in two steps; in one if CommonJS requires fw, which must then be in the same module. */
export async function bundleLean(esbuild: Esbuild, job: LeanJob): Promise<Output> {
  const { root, entry, options, whole, mark } = job
  const found = Object.keys(whole.inputs).find((path) => path.endsWith(mark)) as string
  const home = join(root, found.slice(0, -mark.length))
  const out = { write: false, metafile: true } as const
  if (isRequired(whole, root, home)) return esbuild.build({ ...options, ...out, keepNames: true })
  const { plugins = [] } = options
  const own = await esbuild.build({
    ...options,
    ...out,
    keepNames: true,
    // Next to the entry, so that the paths in its map are right.
    outfile: join(dirname(entry), "own.mjs"),
    sourcemap: "inline",
    plugins: [apart(home), ...plugins],
  })
  const text = own.outputFiles[0]?.text ?? ""
  return esbuild.build({ ...options, ...out, plugins: [inPlaceOf(join(root, entry), text), ...plugins] })
}

/** Returns true if a module outside fw requires it. */
function isRequired({ inputs }: Metafile, root: string, home: string): boolean {
  const isInside = (path: string) => isBelow(home, resolve(root, path))
  return Object.entries(inputs).some(
    ([path, { imports }]) =>
      !isInside(path) && imports.some(({ kind, path: to }) => /^require/.test(kind) && isInside(to)),
  )
}

function isBelow(directory: string, path: string): boolean {
  const way = relative(directory, path)
  return way !== ".." && !way.startsWith(`..${sep}`)
}

/** Excludes the modules below a directory, under their full paths. */
function apart(home: string): Plugin {
  return {
    name: "fw-apart",
    setup(build) {
      build.onResolve({ filter: /^[^.]/ }, async ({ path, pluginData, ...args }) => {
        if (pluginData === "apart" || args.kind === "entry-point") return undefined
        const found = await build.resolve(path, { ...args, pluginData: "apart" })
        const isApart = found.errors.length === 0 && !found.external && isBelow(home, found.path)
        return isApart ? { path: found.path, external: true } : undefined
      })
    },
  }
}

/** Replaces the text of a module. */
function inPlaceOf(file: string, contents: string): Plugin {
  return {
    name: "fw-own",
    setup(build) {
      build.onLoad({ filter: /\.ts$/ }, ({ path }) =>
        path === file ? { contents, loader: "js", resolveDir: dirname(file) } : undefined,
      )
    },
  }
}
