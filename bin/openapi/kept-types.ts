/**
 * The types of a project, in a program that stays open: after a change, only dependent files are read again.
 */
import { join } from "node:path"
import type { Facts, MainDescription, NamedType } from "../../lib/openapi/model.ts"
import { moduleFile, type RouteTree } from "../../lib/tree.ts"
import { KeptProgram } from "../project/kept-program.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import { slashes } from "../tools/typescript/config.ts"
import { type Described, describe, describedFiles } from "./types/handlers.ts"

/** If more than this part of the files changes, reading everything is as fast. */
const mostAgain = 0.5

/** The types of a project. Descriptions are made one after the other. */
export class KeptTypes extends KeptProgram {
  #last: { readonly files: readonly string[]; readonly described: Described } | undefined
  #read = 0

  /** Number of times that files were read for their handlers since the start. */
  get filesRead(): number {
    return this.#read
  }

  /** Describes the project's current files. */
  describe(tree: RouteTree, main: string | null): Promise<Described | Untyped> {
    return this.inTurn(() => this.#describe(tree, main))
  }

  protected override forget(): void {
    super.forget()
    this.#last = undefined
  }

  async #describe(tree: RouteTree, main: string | null): Promise<Described | Untyped> {
    const files = describedFiles(tree, main)
    const again = this.program && (await this.#again(tree, main, files))
    if (again) return again
    this.forget()
    const made = await this.#whole(tree, main, files)
    // A process that the system has killed, maybe to free memory, is started once more.
    return made ?? (await this.#whole(tree, main, files)) ?? lost
  }

  /** Reads everything with a new program; null if TypeScript's process ended. */
  async #whole(
    tree: RouteTree,
    main: string | null,
    files: readonly string[],
  ): Promise<Described | Untyped | null> {
    const program = await this.open({ files })
    if ("untyped" in program) return program
    const described = describe(program, tree, main)
    this.#read += files.length
    if (!program.answers()) return null
    this.follow(program)
    this.#last = { files, described }
    return described
  }

  /** Reads what depends on the changes; null if everything must be read. */
  async #again(tree: RouteTree, main: string | null, files: readonly string[]): Promise<Described | null> {
    const changes = this.changes()
    const { program } = this
    const last = this.#last
    if (!changes || !program || !last) return null
    const { changed, created, deleted } = changes
    const touched = [...changed, ...created, ...deleted]
    const isSame = files.join() === last.files.join()
    if (touched.length === 0 && isSame) return last.described
    const dependents = this.files.dependents(touched)
    if (!dependents) return null
    const known = new Set(last.files)
    const stale = files.filter((file) => dependents.has(slashes(join(this.root, file))) || !known.has(file))
    if (stale.length > Math.max(1, files.length * mostAgain)) return null
    try {
      program.update({ changed, created, deleted }, { files })
    } catch {
      return null
    }
    const again = new Set(stale)
    const isMain = main !== null && again.has(moduleFile(main))
    const fresh = describe(program, partOf(tree, again), isMain ? main : null)
    this.#read += stale.length
    if (!program.answers()) return null
    this.follow(program)
    const described = merged(last.described, fresh, { tree, again, isMain })
    this.#last = { files, described }
    return described
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
  const { proxy: _, ...rest } = withMain(old, isMain ? fresh : old)
  const proxy = tree.proxy && (isOld(tree.proxy.file) ? old.proxy : fresh.proxy)
  return {
    ...rest,
    handlers: latest(old.handlers, fresh.handlers, keys, (key) => isOld(key.slice(0, key.lastIndexOf("#")))),
    middleware: latest(old.middleware, fresh.middleware, files, isOld),
    ...(proxy && { proxy }),
    types: typesOf(old.types, fresh.types),
    warnings: [...old.warnings.filter(({ at }) => at === undefined || isOld(at.file)), ...fresh.warnings],
    schemaPlaces: new Map([...old.schemaPlaces, ...fresh.schemaPlaces]),
  }
}

/** The parts that come from `main.ts`. A missing one does not compile. */
const partsOfMain = Object.keys({
  global: true,
  registered: true,
  error: true,
  errorStatuses: true,
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
