/** A run of `fw dev`: it watches files, generates code, builds programs, replaces servers, and reports problems. */
import { dirname, join, sep } from "node:path"
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { migrationsDir } from "../project/database-files.ts"
import { OwnDevFile } from "../project/dev-file.ts"
import type { ErrorData } from "../project/error-data.ts"
import { provideFramework } from "../project/local-copy.ts"
import { formatChangedFiles, type Problem, toProblems } from "../project/problems.ts"
import { type ChangeKind, checkProject, classifyChange, isProcessInput, type Project } from "../project/project.ts"
import { ProjectWatcher } from "../system/watch.ts"
import { BackgroundWork } from "./background-work.ts"
import { BrowserFiles } from "./browser-files.ts"
import { Builder, type BuildOutcome } from "./bundle/builder.ts"
import type { Program } from "./bundle/bundler.ts"
import { DevEntry } from "./bundle/dev-entry.ts"
import { DevFiles } from "./dev-files.ts"
import { type Backend, FrontServer } from "./front-server.ts"
import type { Upstream } from "./pass-request.ts"
import { type Changes, PendingChanges } from "./pending-changes.ts"
import { PendingMigrations } from "./pending-migrations.ts"
import { Reporter } from "./problems/reporter.ts"
import { RequestHold } from "./request-hold.ts"
import { KeptRequests } from "./requests/kept-requests.ts"
import type { RequestDetail } from "./requests/view.ts"
import type { InspectAddress } from "./server/inspector.ts"
import { ServerPool } from "./server/server-pool.ts"
import { createServerSettings } from "./server/server-settings.ts"
import { ServerSwap, slowStartWarning } from "./server/server-swap.ts"
import { findRemovedMain, findStartProblem, toEndProblem } from "./server/start-problem.ts"
import { Styles } from "./styles.ts"
import { OwnPaths } from "./tools/own-paths.ts"

/** Options of a run. */
export interface SessionOptions {
  readonly project: Project
  readonly host: string
  readonly port: number
  /** Host names that requests may have besides localhost. */
  readonly allowedHosts: readonly string[]
  /** The debugger of the program; null if none was requested. */
  readonly inspect: InspectAddress | null
  /** Writes a test for a request and returns its file. */
  readonly makeTest: (request: RequestDetail) => Promise<string>
}

/** How long running requests may take when the command ends, in milliseconds. */
const shutdownMs = 10_000

/** Returns true for changes that need a build. */
function needsBuild(kind: ChangeKind | undefined): boolean {
  return kind === "program" || kind === "browser"
}

/** A run of `fw dev` and its state. */
export class Session implements Backend {
  readonly #project: Project
  readonly #io: Io
  readonly #reporter: Reporter
  readonly #inspect: InspectAddress | null
  readonly #front: FrontServer
  readonly #devFile: OwnDevFile
  readonly #hold = new RequestHold()
  readonly #requests = new KeptRequests()
  readonly #styles: Styles
  readonly #browser: BrowserFiles
  readonly #background: BackgroundWork
  readonly #migrations: PendingMigrations
  readonly #entry: DevEntry
  readonly #watcher: ProjectWatcher
  /** True from the first event about a program file until the end of the burst of events. */
  #isChanging = false
  #pool: ServerPool | undefined
  #builder: Builder | undefined
  #servers: ServerSwap | undefined
  #inputs: ReadonlySet<string> = new Set()
  #staticDir: string
  /** The main file of the last program that ran. */
  #main: string | null = null
  /** The manifest of the browser files that the last running program has, as JSON. */
  #runningManifest: string | undefined
  readonly #changes = new PendingChanges()
  #currentWork: Promise<void> | undefined
  #isClosing = false
  #hasCrashed = false
  #fail: (error: unknown) => void = () => {}
  /** Rejects with an error that the project did not cause: a bug in fw, or a problem of the machine. */
  readonly failure = new Promise<never>((_, reject) => {
    this.#fail = reject
  })

  /**
   * Creates a run.
   *
   * @throws FwError if there is no project.
   */
  constructor({ project, host, port, allowedHosts, inspect, makeTest }: SessionOptions, io: Io) {
    checkProject(project)
    this.#project = project
    this.#io = io
    this.#inspect = inspect
    this.#reporter = new Reporter(io)
    this.#entry = new DevEntry(project.root)
    this.#staticDir = join(project.root, "static")
    this.#devFile = new OwnDevFile(project.root)
    this.#migrations = new PendingMigrations(project, io, this.#reporter)
    const migrate = () => this.#migrate()
    const own = new OwnPaths({
      project,
      io,
      reporter: this.#reporter,
      hold: this.#hold,
      file: this.#devFile,
      migrate,
      requests: this.#requests,
      makeTest,
      runJobCommand: async (args) =>
        this.#entry.hasJobs ? ((await this.#servers?.runJobCommand(args)) ?? null) : null,
    })
    this.#front = new FrontServer({ host, port, allowedHosts }, this, own)
    this.#background = new BackgroundWork(project, this.#reporter)
    const say = (text: string) => this.#reporter.say("stderr", text)
    this.#styles = new Styles(project, io, { say })
    this.#browser = new BrowserFiles({ project, io, say, onStyles: (path) => this.#enqueue([path]) })
    this.#watcher = new ProjectWatcher({
      root: project.root,
      onEvent: (path) => {
        this.#background.markTypesOld(path)
        if (!needsBuild(this.#findKind(path))) return
        this.#hold.start()
        this.#isChanging = true
      },
      onBurst: (paths) => this.#handleBurst(paths),
      onError: (error) => this.#reporter.say("stderr", error.toString()),
    })
  }

  /** The port on which the server listens. */
  get port(): number {
    return this.#front.address.port
  }

  /**
   * Starts the run. Resolves when the first program answers, or its problems are known.
   *
   * @throws FwError if the run cannot start.
   */
  async open(): Promise<void> {
    const { root } = this.#project
    await this.#front.listen()
    // Until the first build takes this change, requests wait.
    this.#changes.add(null)
    this.#hold.start()
    await this.#devFile.write(this.#front.address)
    await provideFramework(root, (text) => this.#reporter.say("stderr", text))
    this.#styles.update()
    const parts = {
      project: this.#project,
      io: this.#io,
      reporter: this.#reporter,
      background: this.#background,
      requests: this.#requests,
      current: () => this.#servers?.target,
    }
    const pool = new ServerPool(await DevFiles.open(root), () => createServerSettings(parts, this.port))
    this.#pool = pool
    this.#servers = new ServerSwap({
      pool,
      inspect: this.#inspect,
      addr: `localhost:${this.port}`,
      onCrash: (error, isRestart) => this.#handleCrash(error, isRestart),
      onOneAtATime: (notice) => this.#reporter.say("stderr", notice),
      onSlowStart: () => this.#reporter.showWarnings("start", [slowStartWarning]),
    })
    pool.prepareSpare()
    this.#builder = new Builder({
      project: this.#project,
      entry: this.#entry,
      directory: pool.directory,
      bundleForBrowser: (changed) => this.#bundleForBrowser(changed),
    })
    await this.#builder.open()
    this.#watcher.start()
    this.#currentWork ??= this.#buildPending()
    await this.#currentWork
    await this.#styles.waitUntilReady()
  }

  /** Ends the run: removes `.fw/dev.json`, and waits until all processes have ended. */
  async close(): Promise<void> {
    this.#isClosing = true
    const signal = AbortSignal.timeout(shutdownMs)
    await this.#devFile.remove()
    this.#watcher.close()
    this.#reporter.events.close()
    this.#hold.end()
    this.#servers?.close()
    this.#pool?.endLongConnections()
    await Promise.all([
      this.#background.close(),
      this.#styles.close(),
      this.#browser.close().then(() => this.#builder?.close()),
      this.#front.close(signal),
    ])
    await this.#pool?.close(signal)
  }

  waitForDocument = () => this.#background.waitForDocument()
  waitForStyles = (url: string) => this.#styles.waitForURL(url) ?? this.#browser.waitForURL(url)
  /** The current problems. */
  get problems(): readonly Problem[] {
    return this.#reporter.problems
  }

  async waitForTarget(): Promise<Upstream | readonly Problem[]> {
    const isWaiting = this.#hasCrashed || (this.#migrations.isPending && !this.#currentWork)
    if (isWaiting && !this.#isClosing) this.#enqueue([])
    await this.#hold.ended
    const target = this.#servers?.target
    if (target) return target
    const found = [...this.problems, ...this.#reporter.getWarnings("start")]
    return found.length > 0 ? found : [{ message: "the program has not started yet" }]
  }

  async explainLost(target: Upstream): Promise<readonly Problem[] | null> {
    const ended = await this.#servers?.waitForEnd(target)
    return ended && this.problems.length > 0 ? this.problems : null
  }

  #findKind(path: string) {
    const [hasProblems, staticDir] = [this.problems.length > 0, this.#staticDir]
    const kind = classifyChange(this.#project, path, { inputs: this.#inputs, hasFailed: hasProblems, staticDir })
    return kind !== "program" && this.#browser.needsUpdate(path) ? "browser" : kind
  }

  #handleBurst(paths: ReadonlySet<string>): void {
    this.#styles.update()
    const kinds = new Map([...paths].map((path) => [path, this.#findKind(path)]))
    const buildPaths = [...paths].filter((path) => needsBuild(kinds.get(path)))
    this.#isChanging = false
    if (buildPaths.length > 0) this.#enqueue(buildPaths)
    this.#reporter.events.sendStylesheets(kinds, this.#staticDir)
    const hasStatic = [...kinds.values()].includes("asset")
    if (hasStatic) void this.#browser.writeModule().catch((error) => this.#fail(error))
    if (buildPaths.length === 0 && hasStatic) this.#reporter.events.reload()
    if (buildPaths.length === 0 && this.problems.length === 0) this.#background.handleOtherChanges(kinds)
    // The event may not have changed the program.
    if (!this.#currentWork) this.#releaseRequests()
  }

  /** Lets requests pass, unless files are changing. */
  #releaseRequests(): void {
    if (this.#changes.isEmpty && !this.#isChanging) this.#hold.end()
  }

  #enqueue(paths: Iterable<string>): void {
    this.#hasCrashed = false
    this.#hold.start()
    this.#background.handleChange()
    this.#changes.add(paths)
    this.#servers?.dropSlowStart()
    this.#currentWork ??= this.#buildPending().catch((error) => this.#fail(error))
  }

  /** Builds until all changes are included. */
  async #buildPending(): Promise<void> {
    for (let next = this.#changes.take(); next !== undefined; next = this.#changes.take()) await this.#buildOnce(next)
    this.#currentWork = undefined
    this.#releaseRequests()
  }

  async #buildOnce(pendingChanges: Changes): Promise<void> {
    const startedAt = performance.now()
    try {
      const changed = await this.#prepare(pendingChanges)
      const program = await this.#build(changed)
      if (program === null) return this.#reloadPages(changed as ReadonlySet<string>, startedAt)
      // There are newer changes, which the next build includes.
      if (this.#changes.restoreIfOutdated(pendingChanges) || this.#isClosing) return
      if ("problems" in program) return this.#reporter.showProblems(program.problems)
      const pending = await this.#migrations.find(changed)
      if (pending) return this.#reporter.showProblems([pending])
      await this.#startProgram(program, pendingChanges, startedAt)
    } catch (error) {
      if (this.#isClosing) return
      if (!(error instanceof FwError)) throw error
      this.#reporter.showProblems(toProblems(this.#project.root, error))
    }
  }

  /**
   * Restores generated files and restarts what a change of settings affects.
   *
   * @returns the files that count as changed.
   */
  async #prepare(pendingChanges: Changes): Promise<Changes> {
    const changed = (await this.#restore()) ? null : pendingChanges
    if (!changed || ![...changed].some((path) => isProcessInput(this.#project, path))) return changed
    this.#pool?.dropSpare()
    await this.#browser.refresh()
    await this.#builder?.refresh()
    return changed
  }

  /**
   * Bundles the browser files.
   *
   * @returns the program's modules that were written; null if only open pages must be updated.
   */
  async #bundleForBrowser(changed: Changes): Promise<readonly string[] | null> {
    const { isBundled, problems, warnings, manifest, written } = await this.#browser.update(changed)
    if (isBundled) {
      this.#reporter.showBrowserProblems(problems)
      this.#reporter.showWarnings("browser", warnings)
    }
    this.#entry.assets = manifest
    const isForPages = changed?.size && [...changed].every((path) => this.#findKind(path) !== "program")
    return isBundled && isForPages && JSON.stringify(manifest) === this.#runningManifest ? null : written
  }

  /** Makes open pages load changed files, without a new program. */
  #reloadPages(changed: ReadonlySet<string>, startedAt: number): void {
    this.#reloadFiles()
    this.#background.handleProgram(false)
    if (this.#reporter.browserProblems.length === 0)
      this.#reporter.sayRebuilt(performance.now() - startedAt, formatChangedFiles(this.#project.root, changed))
  }

  /** Makes open pages load the browser files that have changed. */
  #reloadFiles(): void {
    const { hasScripts, stylesheets } = this.#browser.takeChanges()
    if (hasScripts) this.#reporter.events.reload()
    else for (const name of stylesheets) this.#reporter.events.sendStyles(name, false)
  }

  /**
   * Writes the generated files again if `.fw` was removed.
   *
   * @returns true if it was removed; then every file counts as changed.
   */
  async #restore(): Promise<boolean> {
    if (!(await this.#pool?.restore())) return false
    await this.#devFile.write(this.#front.address)
    return true
  }

  async #build(changed: Changes): Promise<BuildOutcome | null> {
    // If there were problems, it is not known which program ran last, so nothing can be patched.
    const program = await (this.#builder as Builder).build(changed, this.problems.length === 0)
    return program && this.#watchInputs(program)
  }

  /** Watches the files of a program, also those outside the project, and returns the program. */
  #watchInputs(program: BuildOutcome): BuildOutcome {
    if ("problems" in program) return program
    const { inputs, warnings } = program.bundle
    this.#inputs = new Set(inputs)
    const { root } = this.#project
    for (const path of inputs) if (!path.startsWith(root + sep)) this.#watcher.add(dirname(path))
    this.#reporter.showWarnings("bundle", warnings)
    return program
  }

  async #startProgram(program: Program, changed: Changes, startedAt: number): Promise<void> {
    const result = await (this.#servers as ServerSwap).swapTo(program, this.#entry.parts)
    // If there is a newer program, one that started too slowly was killed.
    if (this.#isClosing || ("error" in result && !this.#changes.isEmpty)) return
    const { root } = this.#project
    if ("error" in result) {
      if (program.patches.length > 0) return this.#startFullBundle(changed, startedAt)
      return this.#reporter.showProblems([await findStartProblem(this.#project, this.#inputs, result.error)])
    }
    this.#staticDir = join(root, result.staticDir)
    this.#runningManifest = JSON.stringify(this.#entry.assets)
    this.#background.handleProgram(changed === null)
    this.#reporter.clearProblems()
    const removedMain = findRemovedMain(this.#main, this.#entry.parts.main)
    if (removedMain) this.#reporter.addProgramWarning(removedMain)
    this.#main = this.#entry.parts.main
    this.#releaseRequests()
    // Not after a crash: the pages would reload and could crash the program again and again.
    if (changed === null || changed.size > 0) {
      this.#reporter.events.reloadForProgram(this.#reporter.browserProblems)
      this.#reloadFiles()
    }
    if (changed && changed.size > 0)
      this.#reporter.sayRebuilt(performance.now() - startedAt, formatChangedFiles(root, changed))
  }

  /** Applies the pending migrations on request of a page. Then the program starts. */
  async #migrate(): Promise<void> {
    try {
      await this.#migrations.apply()
      this.#enqueue([join(this.#project.root, migrationsDir)])
    } catch (error) {
      if (!(error instanceof FwError)) throw error
      this.#reporter.showProblems(toProblems(this.#project.root, error))
    }
  }

  /**
   * Bundles the whole project after a patched program failed, so that esbuild checks all modules and its message is
   * complete.
   */
  async #startFullBundle(changed: Changes, startedAt: number): Promise<void> {
    const program = this.#watchInputs(await (this.#builder as Builder).bundle(null))
    if (!this.#changes.isEmpty || this.#isClosing) return
    if ("problems" in program) this.#reporter.showProblems(program.problems)
    else await this.#startProgram(program, changed, startedAt)
  }

  #handleCrash(error: ErrorData, isRestart: boolean): void {
    if (isRestart) return void this.#enqueue([])
    const problem = toEndProblem(this.#project.root, error)
    this.#hasCrashed = true
    this.#reporter.showProblems([{ ...problem, fix: problem.fix ?? "The next request starts the program again." }])
  }
}
