/**
 * Loads a program into the server process: runs the modules of a bundle, or of the patches that replace them, in
 * the right order.
 */
import { createRequire } from "node:module"
import { pathToFileURL } from "node:url"
import { getModuleFile, listTreeFiles, type Routes } from "../../../lib/tree.ts"
import { projectFault } from "../../messages/project.ts"
import type { ProgramFiles, ProgramParts } from "../server/messages.ts"
import type { PatchModule } from "./bundle-patch.ts"
import type { DevBundle } from "./dev-entry.ts"

/** A loaded program. */
export interface LoadedProgram {
  /** The default export of `main.ts`. */
  readonly app: unknown
  readonly routes: Routes
  readonly beginJobs: DevBundle["beginJobs"]
}

type ModuleExports = Readonly<Record<string, unknown>>

const require = createRequire(import.meta.url)

/**
 * Runs the modules of a program in the order of ES modules: `main.ts` with all its imports, then each file of the
 * routes.
 *
 * @throws errors of the modules; FwError `patch` if a patch imports a name that a module does not export.
 */
export async function loadProgram(files: ProgramFiles, parts: ProgramParts): Promise<LoadedProgram> {
  const { importer, bundle, patches } = files
  const patchModules = patches.map(({ file }) => require(file) as PatchModule)
  await importPackages(importer, patchModules.flatMap(listPackages))
  const { modules, App, beginJobs } = await importBundle(bundle)
  const patchRunners = new Map<string, () => unknown>()
  const run = (name: string) => {
    const patch = patchRunners.get(name)
    return patch ? patch() : (modules[name] as () => unknown)()
  }
  for (const [i, { names }] of patches.entries()) {
    const patch = createPatchRunner(patchModules[i] as PatchModule, run)
    for (const name of names) patchRunners.set(name, patch)
  }
  const { main, tree, assets } = parts
  const routeModules: Record<string, ModuleExports> = {}
  const mainResult = main === null ? undefined : run(main)
  // Awaits only a promise, because any await would let other code run between two modules.
  const mainExports = (mainResult instanceof Promise ? await mainResult : mainResult) as ModuleExports | undefined
  for (const file of listTreeFiles(tree)) {
    const exports = run(getModuleFile(file))
    routeModules[file] = (exports instanceof Promise ? await exports : exports) as ModuleExports
  }
  const app = mainExports ? mainExports.default : new (App as new (options: object) => unknown)({ appDir: tree.appDir })
  return { app, routes: { tree, modules: routeModules, ...(assets && { assets }) }, beginJobs }
}

function importBundle(file: string): Promise<DevBundle> {
  return import(pathToFileURL(file).href)
}

/** The exports of the imported packages, by specifier. */
const importedPackages = new Map<string, ModuleExports>()

/**
 * Imports packages, unless they were imported before.
 *
 * @param importer a module in the project that exports a function for `import()`, so that packages are found from
 * the project.
 * @throws the first error of a package.
 */
export async function importPackages(importer: string, specifiers: readonly string[]): Promise<void> {
  const missing = specifiers.filter((specifier) => !importedPackages.has(specifier))
  if (missing.length === 0) return
  const module = (await import(pathToFileURL(importer).href)) as {
    default: (specifier: string) => Promise<ModuleExports>
  }
  await Promise.all(missing.map(async (one) => importedPackages.set(one, await module.default(one))))
}

/** Returns the exports of an imported package; undefined if its import failed. */
export function getPackageExports(specifier: string): ModuleExports | undefined {
  return importedPackages.get(specifier)
}

function listPackages({ imports }: PatchModule): string[] {
  return imports.filter(([, name]) => name === null).map(([specifier]) => specifier)
}

/** Returns a function that returns the exports of a patch. Its first call runs the patch. */
function createPatchRunner({ imports, run }: PatchModule, load: (name: string) => unknown): () => unknown {
  const module = { exports: {} as unknown }
  let hasRun = false
  const require = (specifier: string) => {
    const importsOfModule = imports.filter(([importSpecifier]) => importSpecifier === specifier)
    const name = importsOfModule[0]?.[1] ?? null
    const exports =
      name === null ? toCommonJSView(getPackageExports(specifier) as ModuleExports) : (load(name) as ModuleExports)
    for (const exportName of importsOfModule.flatMap(([, , names]) => names))
      checkExport(exports, exportName, specifier)
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

/**
 * Returns the exports of an ES module as CommonJS modules expect them: with `default`, and with getters, so that
 * values stay current.
 */
function toCommonJSView(exports: ModuleExports): ModuleExports {
  const view = Object.defineProperty({}, "__esModule", { value: true })
  for (const name of Object.keys(exports)) {
    if (name !== "__esModule") Object.defineProperty(view, name, { get: () => exports[name], enumerable: true })
  }
  return view
}

function checkExport(exports: ModuleExports, exportName: string, specifier: string): void {
  const isWholeModule = exportName === "default" && !("__esModule" in Object(exports))
  if (isWholeModule || exportName in Object(exports)) return
  throw projectFault("patch", [specifier, exportName])
}
