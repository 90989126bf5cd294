/**
 * A program of a project's types that stays open between calls: the order of calls, the changes since the
 * last, and its end.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Untyped } from "../tools/typescript/api.ts"
import { type OpenOptions, openTypes, type TypeProgram } from "../tools/typescript/program.ts"
import { ScanSource } from "./scan-source.ts"
import { type SourceChanges, SourceFiles } from "./source-files.ts"

/** A program that stays open. Work with it runs one after the other. */
export abstract class KeptProgram {
  protected readonly root: string
  protected files: SourceFiles
  protected program: TypeProgram | undefined
  readonly #idle: number
  #turn: Promise<unknown> = Promise.resolve()
  #running = 0
  #timer: NodeJS.Timeout | undefined

  /**
   * Creates it.
   *
   * @param idle milliseconds without work after which TypeScript's process ends.
   */
  constructor(root: string, idle = Number.POSITIVE_INFINITY) {
    this.root = root
    this.files = new SourceFiles(root)
    this.#idle = idle
  }

  /** True while a process of TypeScript is running. */
  get isOpen(): boolean {
    return this.program !== undefined
  }

  /** Ends TypeScript's process, after running work. */
  async close(): Promise<void> {
    await this.#turn.catch(() => {})
    this.forget()
  }

  /** Runs work after all earlier work. */
  protected inTurn<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.#timer)
    this.#running += 1
    const done = this.#turn.then(work, work)
    this.#turn = done
    const rest = () => this.#rest()
    done.then(rest, rest)
    return done
  }

  /** Closes the program, and drops the state of the files. */
  protected forget(): void {
    clearTimeout(this.#timer)
    this.program?.close()
    this.program = undefined
    this.files = new SourceFiles(this.root)
  }

  /** Opens a program of the project's current files. */
  protected async open(options: OpenOptions): Promise<TypeProgram | Untyped> {
    this.files.look()
    const program = await openTypes(this.root, { ...options, kept: true })
    if (!("untyped" in program)) this.program = program
    return program
  }

  /** Tracks every module of the program. */
  protected follow(program: TypeProgram): void {
    const { files, paths } = program.surroundings
    const pairs = Object.entries({ ...importsOf(this.root), ...paths })
    this.files.aliases = pairs.flatMap(([name, targets]) => targets.map((target) => [name, target] as const))
    this.files.follow(files)
  }

  /** Returns the changes since the program was opened or updated; null if it cannot be used any more. */
  protected changes(): SourceChanges | null {
    const changes = this.files.look()
    return changes.ground || !this.program?.answers() ? null : changes
  }

  #rest(): void {
    this.#running -= 1
    if (this.#running > 0 || !this.program || this.#idle === Number.POSITIVE_INFINITY) return
    this.#timer = setTimeout(() => this.forget(), this.#idle)
    this.#timer.unref()
  }
}

/** Returns `imports` of package.json, each with all its possible targets. */
function importsOf(root: string): Record<string, readonly string[]> {
  try {
    const { imports = {} } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      imports?: object
    }
    return Object.fromEntries(Object.entries(imports).map(([name, target]) => [name, textsIn(target)]))
  } catch {
    return {}
  }
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value]
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : []
}

type Kind<Program extends KeptProgram> = new (root: string, idle?: number) => Program

/** The open programs of this process, by kind and project. */
interface Shared {
  readonly programs: Map<string, KeptProgram[]>
  readonly sources: Map<string, ScanSource>
  readonly idle: number | undefined
}

let shared: Shared | undefined

/**
 * Keeps programs open, one of each kind per project, for a process that uses them more than once.
 *
 * @param idle milliseconds without work after which TypeScript's process ends. Default: never.
 * @returns a function that ends this, and TypeScript's processes.
 */
export function keepTypes(idle?: number): () => Promise<void> {
  const own: Shared = { programs: new Map(), sources: new Map(), idle }
  shared = own
  return async () => {
    if (shared === own) shared = undefined
    await Promise.all([...own.programs.values()].flat().map((program) => program.close()))
  }
}

/** Returns the project's open program of a kind; undefined in a process that keeps none. */
export function keptProgram<Program extends KeptProgram>(
  kind: Kind<Program>,
  root: string,
): Program | undefined {
  if (!shared) return undefined
  const all = shared.programs.get(root) ?? []
  shared.programs.set(root, all)
  const known = all.find((program) => program instanceof kind) as Program | undefined
  if (known) return known
  const made = new kind(root, shared.idle)
  all.push(made)
  return made
}

/** Returns the project's directories with their cache; undefined in a process that keeps no programs. */
export function keptSource(root: string): ScanSource | undefined {
  if (!shared) return undefined
  const source = shared.sources.get(root) ?? new ScanSource(root)
  shared.sources.set(root, source)
  return source
}
