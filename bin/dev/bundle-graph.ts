/** Which module of a bundle imports which, out of esbuild's account of it, and which modules can be replaced alone. Used by `bundle.ts`. */
import type { Metafile } from "esbuild"

type Input = Metafile["inputs"][string]
type Import = Input["imports"][number]

/** The bundle's entry: a table of modules by name. */
export interface GraphEntry {
  /** The file, relative to the project. */
  readonly file: string
  /** The names that the program starts from. */
  readonly roots: readonly string[]
  /** The specifier that the entry has for a name. */
  specifier(name: string): string
}

/** What a module imports, by the specifier that is written in it: a name of the entry's, or null for a package. */
export type Links = ReadonlyMap<string, string | null>

/** A module that can be replaced without its bundle being made again. */
export interface Replaceable {
  /** Relative to the project. */
  readonly path: string
  /** The entry's names for it. */
  readonly names: readonly string[]
  readonly links: Links
}

/** So many modules are made apart from a bundle of so many at most: one takes as long as twenty in a bundle. */
function mostOf(count: number): number {
  return Math.min(16, Math.max(4, Math.floor(count / 20)))
}

/** The modules of one bundle. Paths are relative to the project, as esbuild writes them. */
export class Graph {
  readonly #inputs: Metafile["inputs"]
  /** The entry's names for each module. */
  readonly #names = new Map<string, string[]>()
  readonly #importers = new Map<string, string[]>()
  /** The modules that the program runs, without those that only the entry's table still names. */
  readonly paths: readonly string[]
  /** Those of them that others import and that the entry would have to name, before one that imports them is replaced. */
  readonly shared: readonly string[]

  constructor({ inputs }: Metafile, entry: GraphEntry) {
    this.#inputs = inputs
    const targets = new Map(
      importsOf(inputs[entry.file]).map(({ path, original }) => [original ?? path, path]),
    )
    const roots = new Set(entry.roots.map((name) => targets.get(entry.specifier(name)) ?? ""))
    this.paths = this.#reach(roots)
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
   * The modules to replace where these have changed: they and all that import them, since an import is bound to the
   * module that it was bundled with. Undefined where the bundle has to be made again.
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

  #namesOf(path: string): readonly string[] {
    return this.#names.get(path) ?? []
  }

  #linksOf(path: string): Links {
    const links = importsOf(this.#inputs[path]).map(({ path: to, original, external }) => {
      return [original ?? to, external ? null : (this.#namesOf(to)[0] as string)] as const
    })
    // TypeScript leaves out what is used as a type only. esbuild tells of such imports too, as if they were a package's.
    return new Map(links.filter(([specifier, name]) => name !== null || !/^[./#]/.test(specifier)))
  }

  /** Whether a module means the same apart from its bundle: an ES module that imports such modules, by statements alone. */
  #isReplaceable(path: string): boolean {
    const input = this.#inputs[path]
    const isModule = /\.m?[jt]sx?$/.test(path) && input?.format === "esm" && this.#names.has(path)
    return isModule && importsOf(input).every((item) => this.#isPlain(item))
  }

  #isPlain({ path, kind, external, with: attributes }: Import): boolean {
    if (external) return kind === "dynamic-import" || (kind === "import-statement" && !attributes)
    return kind === "import-statement" && this.#names.has(path) && isLinkable(path, this.#inputs[path])
  }

  /** Modules that import each other run in an order that only a bundle knows. */
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

/** Whether another module may get this one's exports from the entry: an ES module's are getters, and JSON does not change. */
function isLinkable(path: string, input: Input | undefined): boolean {
  return !input?.with && (input?.format === "esm" || path.endsWith(".json"))
}
