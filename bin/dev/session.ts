/** A run of `fw dev`: watches, generates, builds, replaces servers, and reports. */
import { dirname, join, sep } from "node:path"
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { OwnDevFile } from "../project/dev-file.ts"
import type { ErrorData } from "../project/error-data.ts"
import { provideFramework } from "../project/local-copy.ts"
import { namesOf, type Problem, problemsOf } from "../project/problems.ts"
import { checkProject, isGround, kindOf, type Project } from "../project/project.ts"
import { ProjectWatcher } from "../system/watch.ts"
import { BackgroundWork } from "./background.ts"
import { Builder, type Built } from "./builder.ts"
import type { Program } from "./bundle.ts"
import { DevEntry } from "./entry.ts"
import { DevFiles } from "./files.ts"
import { type Backend, Front } from "./front.ts"
import type { InspectAddress } from "./inspector.ts"
import { OwnPaths } from "./own-paths.ts"
import { type Changes, PendingChanges } from "./pending-changes.ts"
import { Pool } from "./pool.ts"
import type { Upstream } from "./proxy.ts"
import { Reporter } from "./reporter.ts"
import { RequestHold } from "./request-hold.ts"
import { serverSettings } from "./server-settings.ts"
import { ServerSwap } from "./server-swap.ts"
import { slowStart } from "./slow-start.ts"
import { endProblem, lostMain, startProblem } from "./start-problem.ts"
import { Styles } from "./styles.ts"

/** Options of the command. */
export interface SessionOptions {
  readonly project: Project
  readonly host: string
  readonly port: number
  /** The host names that requests may have besides localhost. */
  readonly names: readonly string[]
  /** The debugger of the program; null for none. */
  readonly inspect: InspectAddress | null
}

/** Running requests may take so long when the command ends. */
const shutdownLimit = 10_000

/** The state of a run. */
export class Session implements Backend {
  readonly #project: Project
  readonly #io: Io
  readonly #reporter: Reporter
  readonly #inspect: InspectAddress | null
  readonly #front: Front
  readonly #file: OwnDevFile
  readonly #hold = new RequestHold()
  readonly #styles: Styles
  readonly #background: BackgroundWork
  readonly #entry: DevEntry
  readonly #watcher: ProjectWatcher
  /** True from an event of a file of the program until the burst of events has ended. */
  #isChanging = false
  #pool: Pool | undefined
  #builder: Builder | undefined
  #servers: ServerSwap | undefined
  #inputs: ReadonlySet<string> = new Set()
  #staticDir: string
  /** The main file of the last program that ran. */
  #main: string | null = null
  readonly #changes = new PendingChanges()
  #working: Promise<void> | undefined
  #closing = false
  #hasCrashed = false
  #onBug: (error: unknown) => void = () => {}
  /** Rejects with an error that the project did not cause: a bug of fw, or a problem of the machine. */
  readonly broken = new Promise<never>((_, reject) => {
    this.#onBug = reject
  })

  /** Creates a session. @throws FwError if there is no project. */
  constructor({ project, host, port, names, inspect }: SessionOptions, io: Io) {
    checkProject(project)
    this.#project = project
    this.#io = io
    this.#inspect = inspect
    this.#reporter = new Reporter(io)
    this.#entry = new DevEntry(project.root)
    this.#staticDir = join(project.root, "static")
    this.#file = new OwnDevFile(project.root)
    const own = new OwnPaths({ project, io, reporter: this.#reporter, hold: this.#hold, file: this.#file })
    this.#front = new Front({ host, port, names }, this, own)
    this.#background = new BackgroundWork(project, this.#reporter)
    this.#styles = new Styles(project, io, (text) => this.#reporter.say("stderr", text))
    this.#watcher = new ProjectWatcher({
      root: project.root,
      onEvent: (path) => {
        this.#background.touch(path)
        if (this.#kind(path) !== "program") return
        this.#hold.start()
        this.#isChanging = true
      },
      onBurst: (paths) => this.#burst(paths),
      onError: (error) => this.#reporter.say("stderr", error.toString()),
    })
  }

  /** The port in use. */
  get port(): number {
    return this.#front.address.port
  }

  /** Starts; resolves when the first program answers, or its problems are known. @throws FwError if it cannot start. */
  async open(): Promise<void> {
    const { root } = this.#project
    await this.#front.listen()
    // Until the first build takes it, no burst of events lets requests pass.
    this.#changes.add(null)
    this.#hold.start()
    await this.#file.write(this.#front.address)
    await provideFramework(root, (text) => this.#reporter.say("stderr", text))
    this.#styles.update()
    const parts = {
      project: this.#project,
      io: this.#io,
      reporter: this.#reporter,
      background: this.#background,
      current: () => this.#servers?.target,
    }
    const pool = new Pool(await DevFiles.open(root), () => serverSettings(parts, this.port))
    this.#pool = pool
    this.#servers = new ServerSwap({
      pool,
      inspect: this.#inspect,
      addr: `localhost:${this.port}`,
      onCrash: (error, again) => this.#crashed(error, again),
      onOneAtATime: (notice) => this.#reporter.say("stderr", notice),
      onSlowStart: (isBusy) => void this.#warnSlow(isBusy),
    })
    pool.prepare()
    this.#builder = new Builder({ project: this.#project, entry: this.#entry, directory: pool.directory })
    await this.#builder.open()
    await this.#watcher.start()
    this.#working ??= this.#work()
    await this.#working
    await this.#styles.ready()
  }

  /** Ends gracefully, without leaving processes or files. */
  async close(): Promise<void> {
    this.#closing = true
    const signal = AbortSignal.timeout(shutdownLimit)
    await this.#file.remove()
    this.#watcher.close()
    this.#reporter.events.close()
    this.#hold.end()
    this.#servers?.close()
    this.#pool?.release()
    await Promise.all([
      this.#background.close(),
      this.#styles.close(),
      this.#builder?.close(),
      this.#front.close(signal),
    ])
    await this.#pool?.close(signal)
  }

  documented = () => this.#background.documented()
  styled = (url: string) => this.#styles.awaited(url)
  /** The current problems. */
  get problems(): readonly Problem[] {
    return this.#reporter.problems
  }

  async target(): Promise<Upstream | readonly Problem[]> {
    if (this.#hasCrashed && !this.#closing) this.#enqueue([])
    await this.#hold.ended
    const target = this.#servers?.target
    if (target) return target
    const found = [...this.problems, ...this.#reporter.of("start")]
    return found.length > 0 ? found : [{ message: "the program has not started yet" }]
  }

  async lost(target: Upstream): Promise<readonly Problem[] | null> {
    const ended = await this.#servers?.lost(target)
    return ended && this.problems.length > 0 ? this.problems : null
  }

  #kind(path: string) {
    const [failed, staticDir] = [this.problems.length > 0, this.#staticDir]
    return kindOf(this.#project, path, { inputs: this.#inputs, failed, staticDir })
  }

  #burst(paths: ReadonlySet<string>): void {
    this.#styles.update()
    const kinds = new Map([...paths].map((path) => [path, this.#kind(path)]))
    const program = [...paths].filter((path) => kinds.get(path) === "program")
    this.#isChanging = false
    if (program.length > 0) this.#enqueue(program)
    this.#reporter.events.stylesheets(kinds, this.#staticDir)
    if (program.length === 0 && [...kinds.values()].includes("asset")) this.#reporter.events.reload()
    if (program.length === 0 && this.problems.length === 0) this.#background.note(kinds)
    // The event may not have changed the program.
    if (!this.#working) this.#release()
  }

  /** Lets requests pass, unless files change. */
  #release(): void {
    if (this.#changes.isEmpty && !this.#isChanging) this.#hold.end()
  }

  #enqueue(paths: Iterable<string>): void {
    this.#hasCrashed = false
    this.#hold.start()
    this.#background.change()
    this.#changes.add(paths)
    this.#servers?.dropSlowStart()
    this.#working ??= this.#work().catch((error) => this.#onBug(error))
  }

  /** Builds until all changes are included. */
  async #work(): Promise<void> {
    for (let next = this.#changes.take(); next !== undefined; next = this.#changes.take())
      await this.#round(next)
    this.#working = undefined
    this.#release()
  }

  async #round(changed: Changes): Promise<void> {
    const began = performance.now()
    try {
      const program = await this.#build(changed)
      // Newer changes: the next build includes them.
      if (this.#changes.replace(changed) || this.#closing) return
      if ("problems" in program) return this.#reporter.fail(program.problems)
      await this.#show(program, changed, began)
    } catch (error) {
      if (this.#closing) return
      if (!(error instanceof FwError)) throw error
      this.#reporter.fail(problemsOf(this.#project.root, error))
    }
  }

  async #build(given: Changes): Promise<Built> {
    const builder = this.#builder as Builder
    const changed = (await this.#restore()) ? null : given
    if (changed && [...changed].some((path) => isGround(this.#project, path))) {
      this.#pool?.refresh()
      await builder.refresh()
    }
    // While there are problems, the last program is unknown.
    return this.#followed(await builder.build(changed, this.problems.length === 0))
  }

  /** Writes the generated files again if somebody has removed `.fw`. @returns true if so: then every file counts as changed. */
  async #restore(): Promise<boolean> {
    if (!(await this.#pool?.restore())) return false
    await this.#file.write(this.#front.address)
    return true
  }

  /** Returns a program whose files are watched, also those outside the project. */
  #followed(program: Built): Built {
    if ("problems" in program) return program
    const { inputs, warnings } = program.bundle
    this.#inputs = new Set(inputs)
    const { root } = this.#project
    for (const path of inputs) if (!path.startsWith(root + sep)) this.#watcher.add(dirname(path))
    this.#reporter.warn("bundle", warnings)
    return program
  }

  async #show(program: Program, changed: Changes, began: number): Promise<void> {
    const started = await (this.#servers as ServerSwap).swapTo(program, this.#entry.parts)
    // A program that did not start in time for a newer one was killed.
    if (this.#closing || ("error" in started && !this.#changes.isEmpty)) return
    const { root } = this.#project
    if ("error" in started) {
      if (program.patches.length > 0) return this.#showWhole(changed, began)
      return this.#reporter.fail([await startProblem(this.#project, this.#inputs, started.error)])
    }
    this.#staticDir = join(root, started.staticDir)
    this.#background.update(changed === null)
    this.#reporter.clear()
    const lost = lostMain(this.#main, this.#entry.parts.main)
    if (lost) this.#reporter.warnOfProgram(lost)
    this.#main = this.#entry.parts.main
    this.#release()
    // Not after a crash: pages would reload, and could crash the program again without end.
    if (changed === null || changed.size > 0) this.#reporter.events.swapped()
    if (changed && changed.size > 0) this.#reporter.rebuilt(performance.now() - began, namesOf(root, changed))
  }

  async #warnSlow(isBusy: boolean): Promise<void> {
    this.#reporter.warn("start", [await slowStart(this.#project.root, this.#inputs, isBusy)])
    this.#hold.explain()
  }

  /** Bundles the whole project after a patched program failed, because the bundler's message covers all modules. */
  async #showWhole(changed: Changes, began: number): Promise<void> {
    const program = this.#followed(await (this.#builder as Builder).bundle(null))
    if (!this.#changes.isEmpty || this.#closing) return
    if ("problems" in program) this.#reporter.fail(program.problems)
    else await this.#show(program, changed, began)
  }

  #crashed(error: ErrorData, again: boolean): void {
    if (again) return void this.#enqueue([])
    const problem = endProblem(this.#project.root, error)
    this.#hasCrashed = true
    this.#reporter.fail([{ ...problem, fix: problem.fix ?? "The next request starts the program again." }])
  }
}
