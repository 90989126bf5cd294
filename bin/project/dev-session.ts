/** One run of `fw dev`: watches, generates, builds, swaps servers, and says what happens. Called by `bin/commands/dev.ts`. */
import { basename, dirname, join, sep } from "node:path"
import { FwError } from "../../lib/errors.ts"
import { type Io, viewOf } from "../terminal.ts"
import { type Bundle, Bundler } from "./bundle.ts"
import { Beside } from "./dev-beside.ts"
import { Events } from "./dev-events.ts"
import { type Backstage, Front } from "./dev-front.ts"
import { generateAll, makeSteps } from "./dev-generate.ts"
import { Pool } from "./dev-pool.ts"
import {
  crashProblem,
  type ErrorData,
  namesOf,
  type Problem,
  problemsOf,
  problemText,
} from "./dev-problems.ts"
import { checkProject, isGround, kindOf, type Project, serverEnv } from "./dev-project.ts"
import type { Target } from "./dev-proxy.ts"
import { devEntry } from "./dev-routes.ts"
import { Stage } from "./dev-stage.ts"
import { Styles } from "./dev-styles.ts"
import { lendFramework } from "./local-copy.ts"
import { ProjectWatcher } from "./watch.ts"

/** What the command was given. */
export interface SessionOptions {
  readonly project: Project
  readonly host: string
  readonly port: number
}

/** A request waits no longer for a new program than this, in milliseconds. */
const patience = 30_000
/** Running requests may take so long when the command ends. */
const farewell = 10_000

/** The state of a run. */
export class Session implements Backstage {
  readonly #project: Project
  readonly #io: Io
  readonly #front: Front
  readonly #styles: Styles
  readonly #beside: Beside
  readonly #events = new Events()
  readonly #steps = makeSteps()
  readonly #watcher: ProjectWatcher
  #pool: Pool | undefined
  #bundler: Bundler | undefined
  #stage: Stage | undefined
  #port = 0
  #problems: readonly Problem[] = []
  readonly #warned = { bundle: "", types: "" }
  #inputs: ReadonlySet<string> = new Set()
  #staticDir: string
  /** What changed since the last round began; null is everything. */
  #changed: Set<string> | null | undefined
  #working: Promise<void> | undefined
  /** Closed from the first sign of a change until what it led to is known. */
  #gate: Promise<void> | undefined
  #openGate: (() => void) | undefined
  #closing = false
  #onBug: (error: unknown) => void = () => {}
  /** Rejects with what is no fault of the project: a bug of fw, or of the machine. */
  readonly broken = new Promise<never>((_, reject) => {
    this.#onBug = reject
  })

  /** @throws FwError where there is no project. */
  constructor({ project, host, port }: SessionOptions, io: Io) {
    checkProject(project)
    this.#project = project
    this.#io = io
    this.#staticDir = join(project.root, "static")
    this.#front = new Front({ host, port }, this)
    this.#beside = new Beside(project, (problems) => this.#warn("types", problems))
    this.#styles = new Styles(project, io, (text) => this.#say("stderr", text))
    this.#watcher = new ProjectWatcher({
      root: project.root,
      onEvent: (path) => this.#kind(path) === "program" && this.#closeGate(),
      onBurst: (paths) => this.#burst(paths),
      onError: (error) => this.#say("stderr", error.toString()),
    })
  }

  /** The port that is listened on. */
  get port(): number {
    return this.#port
  }

  /** Starts; resolves when the first program answers, or it is known why not. @throws FwError where nothing can start. */
  async open(): Promise<void> {
    const { root } = this.#project
    await this.#front.listen()
    this.#port = this.#front.port
    await lendFramework(root, (text) => this.#say("stderr", text))
    this.#closeGate()
    this.#styles.update()
    const pool = new Pool(root, () => this.#serverSettings())
    this.#pool = pool
    this.#stage = new Stage({
      pool,
      addr: `localhost:${this.port}`,
      onCrash: (error, again) => this.#crashed(error, again),
      onCrowded: (notice) => this.#say("stderr", notice),
    })
    pool.prepare()
    this.#bundler = await this.#openBundler(pool)
    await this.#watcher.start()
    this.#changed = null
    await this.#work()
  }

  /** Ends gracefully: nothing is left, neither process nor file. */
  async close(): Promise<void> {
    this.#closing = true
    const signal = AbortSignal.timeout(farewell)
    this.#watcher.close()
    this.#events.close()
    this.#openGate?.()
    this.#stage?.close()
    await Promise.all([
      this.#beside.close(),
      this.#styles.close(),
      this.#bundler?.close(),
      this.#front.close(signal),
    ])
    await this.#pool?.close(signal)
  }

  /** What is wrong now. */
  get problems(): readonly Problem[] {
    return this.#problems
  }

  async target(): Promise<Target | readonly Problem[]> {
    await this.#gate
    const target = this.#stage?.target
    if (target) return target
    return this.#problems.length > 0 ? this.#problems : [{ message: "the program has not started yet" }]
  }

  async lost(target: Target): Promise<readonly Problem[] | null> {
    const ended = await this.#stage?.lost(target)
    return ended && this.#problems.length > 0 ? this.#problems : null
  }

  listener(outgoing: Parameters<Backstage["listener"]>[0]): void {
    this.#events.add(outgoing)
  }

  #serverSettings() {
    const { root } = this.#project
    const { stdout, env } = this.#io
    return {
      root,
      env: { ...serverEnv(this.#project, env), PORT: String(this.port) },
      write: (stream: "stdout" | "stderr", text: string) => this.#io[stream].write(text),
      columns: stdout.isTerminal ? stdout.columns : undefined,
    }
  }

  #openBundler(pool: Pool): Promise<Bundler> {
    return Bundler.open({
      root: this.#project.root,
      entry: devEntry,
      outfile: join(pool.directory, "server.mjs"),
    })
  }

  #kind(path: string) {
    const known = { inputs: this.#inputs, failed: this.#problems.length > 0, staticDir: this.#staticDir }
    return kindOf(this.#project, path, known)
  }

  #closeGate(): void {
    if (this.#gate) return
    const opened = new Promise<void>((resolve) => {
      this.#openGate = resolve
    })
    const timer = setTimeout(() => this.#openGate?.(), patience)
    this.#gate = opened.then(() => {
      clearTimeout(timer)
      this.#gate = undefined
    })
  }

  #burst(paths: ReadonlySet<string>): void {
    this.#styles.update()
    const kinds = new Map([...paths].map((path) => [path, this.#kind(path)]))
    const program = [...paths].filter((path) => kinds.get(path) === "program")
    if (program.length > 0) this.#enqueue(program)
    for (const [path, kind] of kinds) {
      if (kind === "stylesheet") this.#events.styles(basename(path), path.startsWith(this.#staticDir + sep))
    }
    if (program.length === 0 && [...kinds.values()].includes("asset")) this.#events.reload()
    // What looked like a change of the program may be none after all.
    if (!this.#working) this.#openGate?.()
  }

  #enqueue(paths: Iterable<string>): void {
    this.#closeGate()
    if (this.#changed !== null) this.#changed = new Set([...(this.#changed ?? []), ...paths])
    this.#stage?.hurry()
    this.#working ??= this.#work().catch((error) => this.#onBug(error))
  }

  /** Rounds, until one has seen every change. */
  async #work(): Promise<void> {
    while (this.#changed !== undefined) {
      const changed = this.#changed
      this.#changed = undefined
      await this.#round(changed)
    }
    this.#working = undefined
    this.#openGate?.()
  }

  async #round(changed: ReadonlySet<string> | null): Promise<void> {
    const began = performance.now()
    try {
      const bundle = await this.#build(changed)
      // Newer changes: their round will start what comes of them all.
      if (this.#changed !== undefined || this.#closing) return
      if ("problems" in bundle) return this.#fail(bundle.problems)
      await this.#show(bundle, changed, began)
    } catch (error) {
      if (this.#closing) return
      if (!(error instanceof FwError)) throw error
      this.#fail(problemsOf(this.#project.root, error))
    }
  }

  async #build(changed: ReadonlySet<string> | null): Promise<Bundle | { problems: readonly Problem[] }> {
    const pool = this.#pool as Pool
    if (changed && [...changed].some((path) => isGround(this.#project, path))) {
      pool.refresh()
      await this.#bundler?.close()
      this.#bundler = undefined
    }
    const problems = await generateAll(this.#steps, this.#project, changed)
    if (problems.length > 0) return { problems }
    this.#bundler ??= await this.#openBundler(pool)
    const bundle = await this.#bundler.build()
    if (!("problems" in bundle)) this.#follow(bundle)
    return bundle
  }

  /** The files of a bundle are what is watched, also those outside the project. */
  #follow({ inputs, warnings }: Bundle): void {
    this.#inputs = new Set(inputs)
    const { root } = this.#project
    const outside = inputs.filter((path) => !path.startsWith(root + sep))
    for (const directory of new Set(outside.map(dirname))) this.#watcher.add(directory)
    this.#warn("bundle", warnings)
  }

  /** Tells warnings once, and again only when they are others. */
  #warn(source: "bundle" | "types", warnings: readonly Problem[]): void {
    const { style } = viewOf(this.#io.stderr, this.#io.env)
    const text = warnings.map((warning) => problemText(warning, style, "warning")).join("")
    if (text !== this.#warned[source] && text !== "") this.#say("stderr", text)
    this.#warned[source] = text
  }

  async #show(bundle: Bundle, changed: ReadonlySet<string> | null, began: number): Promise<void> {
    const started = await (this.#stage as Stage).show(bundle)
    // One that did not start in time for a newer program was killed.
    if (this.#closing || ("error" in started && this.#changed !== undefined)) return
    const { root } = this.#project
    if ("error" in started) return this.#fail([crashProblem(root, started.error)])
    this.#staticDir = join(root, started.staticDir)
    this.#beside.update()
    this.#problems = []
    if (this.#changed === undefined) this.#openGate?.()
    this.#events.swapped()
    if (changed && changed.size > 0)
      this.#say("stdout", `rebuilt in ${Math.round(performance.now() - began)} ms: ${namesOf(root, changed)}`)
  }

  #crashed(error: ErrorData, again: boolean): void {
    if (again) {
      this.#enqueue([])
      return
    }
    const problem = crashProblem(this.#project.root, error)
    this.#fail([{ ...problem, fix: problem.fix ?? "It starts again on the next change." }])
  }

  #fail(problems: readonly Problem[]): void {
    this.#problems = problems
    const { style } = viewOf(this.#io.stderr, this.#io.env)
    this.#say("stderr", problems.map((problem) => problemText(problem, style)).join("\n"))
    this.#events.tell(problems)
  }

  #say(stream: "stdout" | "stderr", text: string): void {
    this.#io[stream].write(text.endsWith("\n") ? text : `${text}\n`)
  }
}
