/** The import graph of a bundle, from esbuild's metafile, and the modules that can be replaced separately. */
import type { Metafile } from "esbuild"
import type { Circle } from "./circles.ts"

type Input = Metafile["inputs"][string]
type Import = Input["imports"][number]

/** The bundle's entry: a table of modules by name. */
export interface GraphEntry {
  /** The file, relative to the project. */
  readonly file: string
  /** The names from which the program starts. */
  readonly roots: readonly string[]
  /** Returns the entry's specifier for a name. */
  specifier(name: string): string
}

/** The imports of a module, by specifier as written: a name of the entry, or null for a package. */
export type Links = ReadonlyMap<string, string | null>

/** A module that can be replaced without bundling again. */
export interface Replaceable {
  /** Relative to the project. */
  readonly path: string
  /** The entry's names for it. */
  readonly names: readonly string[]
  readonly links: Links
}

/**
 * Returns the most modules to build separately for a bundle of a size: one takes as long as twenty in a
 * bundle.
 */
function mostOf(count: number): number {
  return Math.min(16, Math.max(4, Math.floor(count / 20)))
}

/** The modules of a bundle. Paths are relative to the project, as esbuild writes them. */
export class Graph {
  readonly #inputs: Metafile["inputs"]
  /** The entry's names of each module. */
  readonly #names = new Map<string, string[]>()
  readonly #importers = new Map<string, string[]>()
  /** The modules that the program runs, without those that only the entry's table names. */
  readonly paths: readonly string[]
  /**
   * Those of them that others import and that the entry must name before an importing module can be replaced.
   */
  readonly shared: readonly string[]
  /** The imports of modules that are being loaded, in the order in which the program loads its modules. */
  readonly circles: readonly Circle[]

  constructor({ inputs }: Metafile, entry: GraphEntry) {
    this.#inputs = inputs
    const targets = new Map(
      importsOf(inputs[entry.file]).map(({ path, original }) => [original ?? path, path]),
    )
    const roots = new Set(entry.roots.map((name) => targets.get(entry.specifier(name)) ?? ""))
    this.paths = this.#reach(roots)
    this.circles = this.#circlesFrom(roots)
    for (const path of this.paths) {
      for (const { path: to } of importsOf(inputs[path])) {
        this.#importers.set(to, [...(this.#importers.get(to) ?? []), path])
      }
    }
    this.shared = this.paths.filter((path) => !roots.has(path) && isLinkable(path, inputs[path])).sort()
    for (const name of [...entry.roots, ...this.shared]) {
      const path = targets.get(entry.specifier(name))
      if (path !== undefined) this.#names.set(path, [...(this.#names.get(path) ?? []), name])
    }
  }

  /**
   * Returns the modules to replace after a change: the changed ones and all that import them, because an
   * import is bound to the module in its bundle. Undefined if the bundle must be built again.
   */
  replaceable(changed: Iterable<string>): Replaceable[] | undefined {
    const chosen = new Set(changed)
    const most = mostOf(this.paths.length)
    for (const path of chosen) {
      if (chosen.size > most || !this.#isReplaceable(path)) return undefined
      for (const importer of this.#importers.get(path) ?? []) chosen.add(importer)
    }
    if (this.#hasCycle(chosen)) return undefined
    return [...chosen].map((path) => ({ path, names: this.#namesOf(path), links: this.#linksOf(path) }))
  }

  #reach(roots: Iterable<string>): string[] {
    const reached = new Set<string>()
    for (const path of roots) if (path in this.#inputs) reached.add(path)
    for (const path of reached) {
      for (const { path: to } of importsOf(this.#inputs[path])) if (to in this.#inputs) reached.add(to)
    }
    return [...reached]
  }

  #circlesFrom(roots: Iterable<string>): Circle[] {
    const circles: Circle[] = []
    const done = new Set<string>()
    const under: string[] = []
    const visit = (path: string): void => {
      done.add(path)
      under.push(path)
      for (const { path: to, kind } of importsOf(this.#inputs[path])) {
        if (!(to in this.#inputs) || kind !== "import-statement") continue
        const from = under.indexOf(to)
        if (from >= 0) circles.push({ importer: path, target: to, path: under.slice(from) })
        else if (!done.has(to)) visit(to)
      }
      under.pop()
    }
    for (const root of roots) if (root in this.#inputs && !done.has(root)) visit(root)
    return circles
  }

  #namesOf(path: string): readonly string[] {
    return this.#names.get(path) ?? []
  }

  #linksOf(path: string): Links {
    const links = importsOf(this.#inputs[path]).map(({ path: to, original, external }) => {
      return [original ?? to, external ? null : (this.#namesOf(to)[0] as string)] as const
    })
    // TypeScript removes imports that are only types. esbuild reports them as if they were packages.
    return new Map(links.filter(([specifier, name]) => name !== null || !/^[./#]/.test(specifier)))
  }

  /**
   * Returns true if a module works outside its bundle: an ES module that imports such modules, only with
   * statements.
   */
  #isReplaceable(path: string): boolean {
    const input = this.#inputs[path]
    const isModule = /\.m?[jt]sx?$/.test(path) && input?.format === "esm" && this.#names.has(path)
    return isModule && importsOf(input).every((item) => this.#isPlain(item))
  }

  #isPlain({ path, kind, external, with: attributes }: Import): boolean {
    if (external) return kind === "dynamic-import" || (kind === "import-statement" && !attributes)
    return kind === "import-statement" && this.#names.has(path) && isLinkable(path, this.#inputs[path])
  }

  /** Returns true for circular imports, whose order only a bundle knows. */
  #hasCycle(chosen: ReadonlySet<string>): boolean {
    const done = new Set<string>()
    const under = new Set<string>()
    const visit = (path: string): boolean => {
      if (under.has(path)) return true
      if (done.has(path) || !chosen.has(path)) return false
      under.add(path)
      const found = importsOf(this.#inputs[path]).some((item) => visit(item.path))
      under.delete(path)
      done.add(path)
      return found
    }
    return [...chosen].some(visit)
  }
}

function importsOf(input: Input | undefined): readonly Import[] {
  return input?.imports.filter(({ path }) => path !== "<runtime>") ?? []
}

/**
 * Returns true if another module may get this one's exports from the entry: an ES module has getters, and
 * JSON does not change.
 */
function isLinkable(path: string, input: Input | undefined): boolean {
  return !input?.with && (input?.format === "esm" || path.endsWith(".json"))
}
