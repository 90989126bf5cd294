/** A program of a project's types that stays open between calls: their order, what has changed since, and its end. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Untyped } from "../tools/typescript/api.ts"
import { type OpenOptions, openTypes, type TypeProgram } from "../tools/typescript/program.ts"
import { ScanSource } from "./scan-source.ts"
import { type SourceChanges, SourceFiles } from "./source-files.ts"

/** A program that stays open. What is asked of it runs in turn. */
export abstract class KeptProgram {
  protected readonly root: string
  protected files: SourceFiles
  protected program: TypeProgram | undefined
  readonly #idle: number
  #turn: Promise<unknown> = Promise.resolve()
  #running = 0
  #timer: NodeJS.Timeout | undefined

  /** @param idle TypeScript's process ends after so many milliseconds in which nothing was asked. */
  constructor(root: string, idle = Number.POSITIVE_INFINITY) {
    this.root = root
    this.files = new SourceFiles(root)
    this.#idle = idle
  }

  /** Whether a process of TypeScript is kept. */
  get isOpen(): boolean {
    return this.program !== undefined
  }

  /** Ends TypeScript's process, after what is under way. */
  async close(): Promise<void> {
    await this.#turn.catch(() => {})
    this.forget()
  }

  /** Runs something after all that was asked before it. */
  protected inTurn<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.#timer)
    this.#running += 1
    const done = this.#turn.then(work, work)
    this.#turn = done
    const rest = () => this.#rest()
    done.then(rest, rest)
    return done
  }

  /** Closes the program, and forgets what is known of the files. */
  protected forget(): void {
    clearTimeout(this.#timer)
    this.program?.close()
    this.program = undefined
    this.files = new SourceFiles(this.root)
  }

  /** Opens a program of the project as it is now. */
  protected async open(options: OpenOptions): Promise<TypeProgram | Untyped> {
    this.files.look()
    const program = await openTypes(this.root, { ...options, kept: true })
    if (!("untyped" in program)) this.program = program
    return program
  }

  /** Follows every module that the program is made of. */
  protected follow(program: TypeProgram): void {
    const { files, paths } = program.surroundings
    const pairs = Object.entries({ ...importsOf(this.root), ...paths })
    this.files.aliases = pairs.flatMap(([name, targets]) => targets.map((target) => [name, target] as const))
    this.files.follow(files)
  }

  /** What has changed since the program was opened or updated; null where it cannot be used any more. */
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

/** `imports` of package.json, each with all that it may stand for. */
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

/** The programs of this process by their kind and project, where it keeps some. */
interface Shared {
  readonly programs: Map<string, KeptProgram[]>
  readonly sources: Map<string, ScanSource>
  readonly idle: number | undefined
}

let shared: Shared | undefined

/**
 * From now on programs stay open, one of each kind for a project: for a process that is asked more than once.
 *
 * @param idle TypeScript's process ends after so many milliseconds in which nothing was asked. Default: never.
 * @returns ends this, and TypeScript's processes.
 */
export function keepTypes(idle?: number): () => Promise<void> {
  const own: Shared = { programs: new Map(), sources: new Map(), idle }
  shared = own
  return async () => {
    if (shared === own) shared = undefined
    await Promise.all([...own.programs.values()].flat().map((program) => program.close()))
  }
}

/** The project's program of a kind that stays open; undefined in a process that keeps none. */
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

/** The project's directories, with what was read of them before; undefined in a process that keeps no programs. */
export function keptSource(root: string): ScanSource | undefined {
  if (!shared) return undefined
  const source = shared.sources.get(root) ?? new ScanSource(root)
  shared.sources.set(root, source)
  return source
}
