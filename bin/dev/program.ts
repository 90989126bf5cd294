/** Puts a program together in its process: the modules of a bundle, some replaced by patches, each run when its turn comes. Called by `dev-child.ts`. */
import { pathToFileURL } from "node:url"
import { moduleFile, type Routes, treeFiles } from "../../lib/tree.ts"
import { projectFault } from "../messages/project.ts"
import type { PatchModule } from "./bundle-patch.ts"
import { type DevBundle, rootsOf } from "./entry.ts"
import type { ProgramFiles, ProgramParts } from "./messages.ts"

/** What a program gives, when it has run. */
export interface Loaded {
  /** What `main.ts` exports by default. */
  readonly app: unknown
  readonly routes: Routes
}

type Exports = Readonly<Record<string, unknown>>

/**
 * Runs a program's modules in the order of ES modules: `main.ts` with all it imports, then each file of the routes.
 *
 * @throws what a module throws; FwError `patch` where a patch asks a module for what it does not export.
 */
export async function loadProgram({ bundle, patches }: ProgramFiles, parts: ProgramParts): Promise<Loaded> {
  const files = [bundle, ...patches.map(({ file }) => file)]
  const [bundled, ...patched] = await Promise.all(files.map((file) => import(pathToFileURL(file).href)))
  const { modules, App } = bundled as DevBundle
  const replaced = new Map<string, () => unknown>()
  const run = (name: string) => (replaced.get(name) ?? (modules[name] as () => unknown))()
  for (const [i, { names }] of patches.entries()) {
    const patch = once(patched[i] as PatchModule, run)
    for (const name of names) replaced.set(name, patch)
  }
  const loaded = new Map<string, Exports>()
  for (const name of rootsOf(parts)) {
    const exports = run(name)
    // Waiting for what needs no waiting would let other things happen between two modules.
    loaded.set(name, (exports instanceof Promise ? await exports : exports) as Exports)
  }
  const { main, tree } = parts
  const app =
    main === null ? new (App as new (options: object) => unknown)({ appDir: tree.appDir }) : undefined
  const mounted = treeFiles(tree).map((file) => [file, loaded.get(moduleFile(file)) as Exports])
  return {
    app: main === null ? app : loaded.get(main)?.default,
    routes: { tree, modules: Object.fromEntries(mounted) },
  }
}

/**
 * Compiles a bundle before it is needed and runs none of it: the module that is imported before it throws, and what
 * comes after one that throws does not run (ECMA-262 §16.2.1.6.1.3).
 */
export async function preload(bundle: string): Promise<void> {
  const text = `import "data:text/javascript,throw null"; import ${JSON.stringify(pathToFileURL(bundle).href)}`
  await import(`data:text/javascript,${encodeURIComponent(text)}`).catch(() => {})
}

/** The exports of a patch, which runs when they are asked for first. */
function once({ imports, packages, run }: PatchModule, load: (name: string) => unknown): () => unknown {
  const module = { exports: {} as unknown }
  let hasRun = false
  const require = (specifier: string) => {
    const used = imports.filter(([written]) => written === specifier)
    const name = used[0]?.[1] ?? null
    const exports = name === null ? viewOf(packages[specifier] as Exports) : (load(name) as Exports)
    for (const wanted of used.flatMap(([, , names]) => names)) check(exports, wanted, specifier)
    return exports
  }
  return () => {
    if (!hasRun) {
      hasRun = true
      run(module, module.exports, require)
    }
    return module.exports
  }
}

/** An ES module's exports in the shape in which CommonJS modules hand them on: `default` is one of them, and they stay live. */
function viewOf(exports: Exports): Exports {
  const view = Object.defineProperty({}, "__esModule", { value: true })
  for (const name of Object.keys(exports)) {
    if (name !== "__esModule")
      Object.defineProperty(view, name, { get: () => exports[name], enumerable: true })
  }
  return view
}

function check(exports: Exports, wanted: string, specifier: string): void {
  const isWhole = wanted === "default" && !("__esModule" in Object(exports))
  if (isWhole || wanted in Object(exports)) return
  throw projectFault("patch", [specifier, wanted])
}
