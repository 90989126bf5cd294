/** The import graph of a bundle, from esbuild's metafile, and the modules that can be replaced separately. */
import type { Metafile } from "esbuild"
import type { ImportCircle } from "./import-circles.ts"

type Input = Metafile["inputs"][string]
type Import = Input["imports"][number]

/** The bundle's entry: a table of modules by name. */
export interface GraphEntry {
  /** The file, relative to the project. */
  readonly file: string
  /** The names from which the program starts. */
  readonly roots: readonly string[]
  /** Returns the entry's specifier for a name. */
  toSpecifier(name: string): string
}

/**
 * The imports of a module. The key is the specifier as written, the value a name of the entry, or null for a package.
 */
export type ModuleLinks = ReadonlyMap<string, string | null>

/** A module that can be replaced without bundling again. */
export interface ReplaceableModule {
  /** Relative to the project. */
  readonly path: string
  /** The names that the entry has for the module. */
  readonly names: readonly string[]
  readonly links: ModuleLinks
}

/**
 * Returns how many modules to build separately at most, for a bundle with `count` modules: one separate module takes
 * as long as twenty in a bundle.
 */
function maxPatched(count: number): number {
  return Math.min(16, Math.max(4, Math.floor(count / 20)))
}

/** The modules of a bundle. Paths are relative to the project, as esbuild writes them. */
export class BundleGraph {
  readonly #inputs: Metafile["inputs"]
  /** The names that the entry has for each module. */
  readonly #names = new Map<string, string[]>()
  readonly #importers = new Map<string, string[]>()
  /** The modules that the program runs, without those that only the entry's table names. */
  readonly paths: readonly string[]
  /**
   * The modules among `paths` that others import. The entry must name them before a module that imports them can be
   * replaced.
   */
  readonly shared: readonly string[]
  /** The circular imports: each is of a module that is still being loaded. They are in the order in which the program loads its modules. */
  readonly circles: readonly ImportCircle[]

  constructor({ inputs }: Metafile, entry: GraphEntry) {
    this.#inputs = inputs
    const targets = new Map(getImports(inputs[entry.file]).map(({ path, original }) => [original ?? path, path]))
    const roots = new Set(entry.roots.map((name) => targets.get(entry.toSpecifier(name)) ?? ""))
    this.paths = this.#findReachable(roots)
    this.circles = this.#findCircles(roots)
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
   * Returns the modules to replace after a change: the changed ones and all that import them, because an
   * import is bound to the module in its bundle. Returns undefined if the bundle must be built again.
   */
  findReplaceable(changed: Iterable<string>): ReplaceableModule[] | undefined {
    const chosen = new Set(changed)
    const maxCount = maxPatched(this.paths.length)
    for (const path of chosen) {
      if (chosen.size > maxCount || !this.#isReplaceable(path)) return undefined
      for (const importer of this.#importers.get(path) ?? []) chosen.add(importer)
    }
    if (this.#hasCircle(chosen)) return undefined
    return [...chosen].map((path) => ({ path, names: this.#getNames(path), links: this.#findLinks(path) }))
  }

  #findReachable(roots: Iterable<string>): string[] {
    const reached = new Set<string>()
    for (const path of roots) if (path in this.#inputs) reached.add(path)
    for (const path of reached) {
      for (const { path: to } of getImports(this.#inputs[path])) if (to in this.#inputs) reached.add(to)
    }
    return [...reached]
  }

  #findCircles(roots: Iterable<string>): ImportCircle[] {
    const circles: ImportCircle[] = []
    const visited = new Set<string>()
    const ancestors: string[] = []
    const visit = (path: string): void => {
      visited.add(path)
      ancestors.push(path)
      for (const { path: to, kind } of getImports(this.#inputs[path])) {
        if (!(to in this.#inputs) || kind !== "import-statement") continue
        const from = ancestors.indexOf(to)
        if (from >= 0) circles.push({ importer: path, target: to, path: ancestors.slice(from) })
        else if (!visited.has(to)) visit(to)
      }
      ancestors.pop()
    }
    for (const root of roots) if (root in this.#inputs && !visited.has(root)) visit(root)
    return circles
  }

  #getNames(path: string): readonly string[] {
    return this.#names.get(path) ?? []
  }

  #findLinks(path: string): ModuleLinks {
    const links = getImports(this.#inputs[path]).map(({ path: to, original, external }) => {
      return [original ?? to, external ? null : (this.#getNames(to)[0] as string)] as const
    })
    // TypeScript removes imports that are only types. esbuild reports them as if they were packages.
    return new Map(links.filter(([specifier, name]) => name !== null || !/^[./#]/.test(specifier)))
  }

  /**
   * Returns true if a module can run outside its bundle. It must be an ES module. It may import other modules of the
   * project only with `import` statements, and only if the entry can provide their exports.
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

  /** Returns true if the modules have circular imports. Only a bundle knows in which order to run those. */
  #hasCircle(chosen: ReadonlySet<string>): boolean {
    const visited = new Set<string>()
    const ancestors = new Set<string>()
    const visit = (path: string): boolean => {
      if (ancestors.has(path)) return true
      if (visited.has(path) || !chosen.has(path)) return false
      ancestors.add(path)
      const found = getImports(this.#inputs[path]).some((item) => visit(item.path))
      ancestors.delete(path)
      visited.add(path)
      return found
    }
    return [...chosen].some(visit)
  }
}

function getImports(input: Input | undefined): readonly Import[] {
  return input?.imports.filter(({ path }) => path !== "<runtime>") ?? []
}

/**
 * Returns true if another module may get this one's exports from the entry: the exports of an ES module are getters,
 * and JSON does not change.
 */
function isLinkable(path: string, input: Input | undefined): boolean {
  return !input?.with && (input?.format === "esm" || path.endsWith(".json"))
}
