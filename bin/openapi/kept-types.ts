/**
 * The types of a project, in a program that stays open: after a change, only dependent files are read again.
 */
import { join } from "node:path"
import type { Facts, MainDescription, NamedType } from "../../lib/openapi/model.ts"
import { moduleFile, type RouteTree } from "../../lib/tree.ts"
import { importsOf } from "../project/import-names.ts"
import { type SourceChanges, SourceFiles } from "../project/source-files.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { slashes } from "../tools/typescript/config.ts"
import { openTypes, type TypeProgram } from "../tools/typescript/program.ts"
import { describedFiles } from "./described-files.ts"
import { brokenSyntax } from "./types/broken-syntax.ts"
import { type Described, describe } from "./types/handlers.ts"

/** If more than this part of the files changes, reading everything is as fast. */
const mostAgain = 0.5

/** The current program, as one of its readers sees it. */
export interface CurrentTypes {
  readonly program: TypeProgram
  /** The files that depend on the changes since this reader's last call, absolute; null for all files. */
  readonly stale: ReadonlySet<string> | null
}

/** The types of a project. They are read once per change, for every reader: the document, and the validators of calls. */
export class KeptTypes {
  readonly #root: string
  #files: SourceFiles
  #program: TypeProgram | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #last: { readonly files: readonly string[]; readonly described: Described } | undefined
  #read = 0
  /** The files that each reader needs, and the changes that it has not seen; null if that is everything. */
  readonly #readers = new Map<string, { files: readonly string[]; touched: Set<string> | null }>()
  /** The files with which the program was opened or updated. */
  #open = ""

  constructor(root: string) {
    this.#root = root
    this.#files = new SourceFiles(root)
  }

  /** Number of times that files were read for their handlers since the start. */
  get filesRead(): number {
    return this.#read
  }

  /** Describes the project's current files. */
  describe(tree: RouteTree, main: string | null): Promise<Described | Untyped> {
    return this.current("document", describedFiles(tree, main), (types) => this.#describe(types, tree, main))
  }

  /**
   * Calls a function with a program of the current files.
   *
   * @param reader its name.
   * @param files the files that it needs.
   * @param read is called once more if TypeScript's process ended meanwhile.
   */
  current<T>(
    reader: string,
    files: readonly string[],
    read: (types: CurrentTypes) => T,
  ): Promise<T | Untyped> {
    const work = async () => {
      const first = await this.#once(reader, files, read)
      if (first !== null) return first
      // A process that the system has killed, maybe to free memory, is started once more.
      this.#forget()
      return (await this.#once(reader, files, read)) ?? lost
    }
    // After all earlier work.
    const done = this.#turn.then(work, work)
    this.#turn = done
    return done
  }

  /** Ends TypeScript's process, after running work. */
  async close(): Promise<void> {
    await this.#turn.catch(() => {})
    this.#forget()
  }

  /** Closes the program, and drops the state of the files. */
  #forget(): void {
    this.#program?.close()
    this.#program = undefined
    this.#files = new SourceFiles(this.#root)
    this.#last = undefined
    for (const reader of this.#readers.values()) reader.touched = null
  }

  async #once<T>(reader: string, files: readonly string[], read: (types: CurrentTypes) => T) {
    const known = this.#readers.get(reader) ?? { files, touched: null }
    this.#readers.set(reader, known)
    known.files = files
    const program = this.#updated() ?? (await this.#opened())
    if ("untyped" in program) return program
    const { touched } = known
    const stale = touched === null ? null : this.#files.dependents([...touched])
    const result = unlessEnded(program, () => read({ program, stale }))
    if (result === null) return null
    this.#follow(program)
    known.touched = new Set()
    return result
  }

  /** Tracks every module of the program. */
  #follow(program: TypeProgram): void {
    const { files, paths } = program.surroundings
    const pairs = Object.entries({ ...importsOf(this.#root), ...paths })
    this.#files.aliases = pairs.flatMap(([name, targets]) => targets.map((target) => [name, target] as const))
    this.#files.follow(files)
  }

  /** The files of every reader. */
  get #wanted(): readonly string[] {
    return [...new Set([...this.#readers.values()].flatMap(({ files }) => files))].sort()
  }

  async #opened(): Promise<TypeProgram | Untyped> {
    this.#forget()
    const files = this.#wanted
    this.#open = files.join()
    this.#files.look()
    const program = await openTypes(this.#root, { files })
    if (!("untyped" in program)) this.#program = program
    return program
  }

  /** Brings the program up to date; null if it must be opened again. */
  #updated(): TypeProgram | null {
    const program = this.#program
    const { changed, created, deleted, ground } = program ? this.#files.look() : none
    if (!program || ground || !program.answers()) return null
    const touched = [...changed, ...created, ...deleted]
    const files = this.#wanted
    if (touched.length === 0 && files.join() === this.#open) return program
    for (const reader of this.#readers.values()) for (const path of touched) reader.touched?.add(path)
    try {
      program.update({ changed, created, deleted }, files)
    } catch {
      return null
    }
    this.#open = files.join()
    return program
  }

  #describe({ program, stale }: CurrentTypes, tree: RouteTree, main: string | null): Described {
    const files = describedFiles(tree, main)
    const last = this.#last
    const known = new Set(last?.files)
    const isStale = (file: string) => stale === null || stale.has(slashes(join(this.#root, file)))
    const fresh = files.filter((file) => isStale(file) || !known.has(file))
    if (last && fresh.length === 0 && files.join() === last.files.join())
      return { ...last.described, broken: brokenSyntax(program) }
    const isPart = last !== undefined && fresh.length <= Math.max(1, files.length * mostAgain)
    this.#read += isPart ? fresh.length : files.length
    const described = isPart ? again(last.described, fresh) : describe(program, tree, main)
    this.#last = { files, described }
    return described

    function again(old: Described, stale: readonly string[]): Described {
      const again = new Set(stale)
      const isMain = main !== null && again.has(moduleFile(main))
      return merged(old, describe(program, partOf(tree, again), isMain ? main : null), {
        tree,
        again,
        isMain,
      })
    }
  }
}

const none: SourceChanges = { changed: [], created: [], deleted: [], ground: false }

/** Calls a function; returns null if TypeScript's process has ended meanwhile. */
function unlessEnded<T>(program: TypeProgram, read: () => T): T | null {
  try {
    const result = read()
    return program.answers() ? result : null
  } catch (error) {
    if (program.answers()) throw error
    return null
  }
}

const lost: Untyped = {
  untyped: "TypeScript's process ended before it had read the project",
  fix: "Make sure that there is enough memory, then run this again.",
}

/** Returns the tree with only some files. */
function partOf(tree: RouteTree, files: ReadonlySet<string>): RouteTree {
  const isIn = ({ file }: { readonly file: string }) => files.has(moduleFile(file))
  const { proxy, ...rest } = tree
  return {
    ...rest,
    routes: tree.routes.filter(isIn),
    middleware: tree.middleware.filter(isIn),
    ...(proxy && isIn(proxy) && { proxy }),
  }
}

interface Change {
  readonly tree: RouteTree
  /** The files that were read again. */
  readonly again: ReadonlySet<string>
  /** True if the main file is one of them. */
  readonly isMain: boolean
}

/** Merges a description of files that were read again into the old one. */
function merged(old: Described, fresh: Described, { tree, again, isMain }: Change): Described {
  const keys = tree.routes.map((route) => `${route.file}#${route.export}`)
  const files = tree.middleware.map(({ file }) => file)
  const isOld = (file: string) => !again.has(moduleFile(file))
  const { proxy: _, broken: __, ...rest } = withMain(old, isMain ? fresh : old)
  const proxy = tree.proxy && (isOld(tree.proxy.file) ? old.proxy : fresh.proxy)
  return {
    ...rest,
    handlers: latest(old.handlers, fresh.handlers, keys, (key) => isOld(key.slice(0, key.lastIndexOf("#")))),
    middleware: latest(old.middleware, fresh.middleware, files, isOld),
    ...(proxy && { proxy }),
    types: typesOf(old.types, fresh.types),
    warnings: [...old.warnings.filter(({ at }) => at === undefined || isOld(at.file)), ...fresh.warnings],
    schemaPlaces: new Map([...old.schemaPlaces, ...fresh.schemaPlaces]),
    broken: fresh.broken,
  }
}

/** The parts that come from `main.ts`. A missing one does not compile. */
const partsOfMain = Object.keys({
  global: true,
  registered: true,
  error: true,
  errorMedias: true,
  errorStatuses: true,
  issueStatuses: true,
  info: true,
} satisfies Record<keyof MainDescription, true>)

/** Returns a description with the parts of `main.ts` from another. */
function withMain(described: Described, main: Described): Described {
  const entries = (one: Described, wanted: boolean) =>
    Object.entries(one).filter(([name]) => partsOfMain.includes(name) === wanted)
  return Object.fromEntries([...entries(described, false), ...entries(main, true)]) as unknown as Described
}

/** Merges the facts under some keys, in their order. */
function latest(
  old: ReadonlyMap<string, Facts>,
  fresh: ReadonlyMap<string, Facts>,
  keys: readonly string[],
  isOld: (key: string) => boolean,
): ReadonlyMap<string, Facts> {
  const found = new Map<string, Facts>()
  for (const key of keys) {
    const facts = (isOld(key) ? old : fresh).get(key)
    if (facts) found.set(key, facts)
  }
  return found
}

/** Merges types by their id. One without references does no harm. */
function typesOf(old: readonly NamedType[], fresh: readonly NamedType[]): readonly NamedType[] {
  return [...new Map([...old, ...fresh].map((type) => [type.id, type])).values()]
}

/** The open programs of this process, by project. */
let shared: Map<string, KeptTypes> | undefined

/**
 * Keeps one program per project open, for a process that uses it more than once.
 *
 * @returns a function that ends this, and TypeScript's processes.
 */
export function keepTypes(): () => Promise<void> {
  const own = new Map<string, KeptTypes>()
  shared = own
  return async () => {
    if (shared === own) shared = undefined
    await Promise.all([...own.values()].map((types) => types.close()))
  }
}

/** Returns the project's open program; undefined in a process that keeps none. */
export function keptTypes(root: string): KeptTypes | undefined {
  const types = shared?.get(root) ?? (shared && new KeptTypes(root))
  if (types) shared?.set(root, types)
  return types
}
