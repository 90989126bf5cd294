/**
 * Reads the import graph of a bundle from esbuild's metafile, and finds the modules that can be replaced
 * separately.
 */
import type { Metafile } from "esbuild"

type Input = Metafile["inputs"][string]
type Import = Input["imports"][number]

/** The entry module of a bundle, which has a table of modules by name. */
export interface GraphEntry {
  /** Path of the entry, relative to the project. */
  readonly file: string
  /** The names of the modules that the program loads first. */
  readonly roots: readonly string[]
  /** Returns the specifier with which the entry imports a module. */
  toSpecifier(name: string): string
}

/** The imports of a module: for each specifier, the module's name in the entry, or null for a package. */
export type ModuleLinks = ReadonlyMap<string, string | null>

/** A module that can be replaced without bundling again. */
export interface ReplaceableModule {
  /** Path, relative to the project. */
  readonly path: string
  /** The names of the module in the entry. */
  readonly names: readonly string[]
  readonly links: ModuleLinks
}

/**
 * Returns the largest number of modules to replace in a bundle with `moduleCount` modules. Translating one module
 * separately takes as long as bundling twenty.
 */
function getMaxPatchCount(moduleCount: number): number {
  return Math.min(16, Math.max(4, Math.floor(moduleCount / 20)))
}

/** The modules of a bundle. Paths are relative to the project, as in esbuild's metafile. */
export class BundleGraph {
  readonly #inputs: Metafile["inputs"]
  /** The names of each module in the entry. */
  readonly #names = new Map<string, string[]>()
  readonly #importers = new Map<string, string[]>()
  /** The modules that the program loads. Modules that are only in the entry's table are not among them. */
  readonly paths: readonly string[]
  /**
   * Modules in `paths` that other modules import. The entry's table must have all that a module imports, so that
   * the module can be replaced.
   */
  readonly shared: readonly string[]

  constructor({ inputs }: Metafile, entry: GraphEntry) {
    this.#inputs = inputs
    const targets = new Map(getImports(inputs[entry.file]).map(({ path, original }) => [original ?? path, path]))
    const roots = new Set(entry.roots.map((name) => targets.get(entry.toSpecifier(name)) ?? ""))
    this.paths = this.#findReachable(roots)
    for (const path of this.paths) {
      for (const { path: to } of getImports(inputs[path])) {
        this.#importers.set(to, [...(this.#importers.get(to) ?? []), path])
      }
    }
    this.shared = this.paths.filter((path) => !roots.has(path) && isLinkable(path, inputs[path])).sort()
    for (const name of [...entry.roots, ...this.shared]) {
      const path = targets.get(entry.toSpecifier(name))
      if (path !== undefined) this.#names.set(path, [...(this.#names.get(path) ?? []), name])
    }
  }

  /**
   * Returns the modules to replace after a change: the changed ones and all that import them, because a bundled
   * import always refers to the module in the same bundle. Returns undefined if everything must be bundled again.
   */
  findReplaceable(changed: Iterable<string>): ReplaceableModule[] | undefined {
    const replacedPaths = new Set(changed)
    const maxCount = getMaxPatchCount(this.paths.length)
    for (const path of replacedPaths) {
      if (replacedPaths.size > maxCount || !this.#isReplaceable(path)) return undefined
      for (const importer of this.#importers.get(path) ?? []) replacedPaths.add(importer)
    }
    if (this.#hasCircle(replacedPaths)) return undefined
    return [...replacedPaths].map((path) => ({ path, names: this.#getNames(path), links: this.#findLinks(path) }))
  }

  #findReachable(roots: Iterable<string>): string[] {
    const reachable = new Set<string>()
    for (const path of roots) if (path in this.#inputs) reachable.add(path)
    for (const path of reachable) {
      for (const { path: to } of getImports(this.#inputs[path])) if (to in this.#inputs) reachable.add(to)
    }
    return [...reachable]
  }

  #getNames(path: string): readonly string[] {
    return this.#names.get(path) ?? []
  }

  #findLinks(path: string): ModuleLinks {
    const links = getImports(this.#inputs[path]).map(({ path: to, original, external }) => {
      return [original ?? to, external ? null : (this.#getNames(to)[0] as string)] as const
    })
    // TypeScript removes imports of types only. esbuild reports them like packages.
    return new Map(links.filter(([specifier, name]) => name !== null || !/^[./#]/.test(specifier)))
  }

  /**
   * Returns true if a module can run outside the bundle. It must be an ES module, must import other modules of the
   * project only with `import` statements, and the entry must be able to provide their exports.
   */
  #isReplaceable(path: string): boolean {
    const input = this.#inputs[path]
    const isModule = /\.m?[jt]sx?$/.test(path) && input?.format === "esm" && this.#names.has(path)
    return isModule && getImports(input).every((item) => this.#isPlainImport(item))
  }

  #isPlainImport({ path, kind, external, with: attributes }: Import): boolean {
    if (external) return kind === "dynamic-import" || (kind === "import-statement" && !attributes)
    return kind === "import-statement" && this.#names.has(path) && isLinkable(path, this.#inputs[path])
  }

  /** Returns true if the modules have circular imports. Only a bundle runs such modules in the right order. */
  #hasCircle(paths: ReadonlySet<string>): boolean {
    const visited = new Set<string>()
    const ancestors = new Set<string>()
    const visit = (path: string): boolean => {
      if (ancestors.has(path)) return true
      if (visited.has(path) || !paths.has(path)) return false
      ancestors.add(path)
      const isCircular = getImports(this.#inputs[path]).some((item) => visit(item.path))
      ancestors.delete(path)
      visited.add(path)
      return isCircular
    }
    return [...paths].some(visit)
  }
}

function getImports(input: Input | undefined): readonly Import[] {
  return input?.imports.filter(({ path }) => path !== "<runtime>") ?? []
}

/**
 * Returns true if the entry can provide the current exports of a module: those of an ES module are getters, and
 * those of JSON do not change.
 */
function isLinkable(path: string, input: Input | undefined): boolean {
  return !input?.with && (input?.format === "esm" || path.endsWith(".json"))
}
