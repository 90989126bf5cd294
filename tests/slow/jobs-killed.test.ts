/**
 * Tests of processes that are killed and stopped while they run jobs: no job is lost, and jobs that may not run
 * together never do. `KILLS` is how often a process is killed, and `JOBS` how many jobs four processes add together.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { machineClock } from "../../lib/jobs/clock.ts"
import type { JobEngine, JobQueue } from "../../lib/jobs/engine.ts"
import { makeCheckoutDirectory } from "../support/checkout-directory.ts"
import { createTestEngine, startServers, type TestEngine } from "../support/jobs/engines.ts"
import { createJob } from "../support/jobs/workshop.ts"
import { continueOnNode24 } from "../support/node-24.ts"
import { endWithTest } from "../support/store/server.ts"
import { until } from "../support/store/until.ts"
import { root } from "../support/tsc.ts"

// pg-boss needs Node 22.12 or later.
await continueOnNode24()

const kills = Number(process.env.KILLS ?? 6)
const jobs = Number(process.env.JOBS ?? 400)
const leaseMs = 300

const directory = makeCheckoutDirectory("jobs")
const [major = 0] = process.versions.node.split(".").map(Number)
const flags = ["--conditions=fw-source", ...(major < 24 ? ["--import=./scripts/loader.mjs"] : [])]

const queue = (name: string, most?: number): JobQueue => ({
  name,
  maxRunning: most,
  maxAttempts: 1001,
  hasKeys: false,
})
const queues = [queue("many"), queue("single", 1)]

/** An event that a process has recorded. */
interface Note {
  readonly what: "begin" | "end" | "lost"
  readonly key: string
  readonly pid: number
}

/** All processes that run. A test that fails leaves some behind, which would take the jobs of later tests. */
const children = new Set<ChildProcess>()

/** The processes of one engine. */
class Processes {
  readonly running = new Set<ChildProcess>()
  readonly killed = new Set<number>()
  #failure = ""
  readonly #env: NodeJS.ProcessEnv
  readonly #notes: string

  constructor(kind: string, address: string, name: string, lease = leaseMs) {
    this.#notes = join(directory, `${name}.notes`)
    this.#env = { ...process.env, ENGINE: kind, ADDRESS: address, NOTES: this.#notes, LEASE: `${lease}` }
  }

  start(program = "program.ts", env: NodeJS.ProcessEnv = {}): ChildProcess {
    const child = spawn(process.execPath, [...flags, `tests/support/jobs/${program}`], {
      env: { ...this.#env, ...env },
      stdio: "inherit",
      cwd: root,
    })
    endWithTest(child)
    this.running.add(child)
    children.add(child)
    child.once("exit", (code) => {
      this.running.delete(child)
      children.delete(child)
      if (code) this.#failure = `a process ended with ${code}`
    })
    return child
  }

  get notes(): Note[] {
    if (this.#failure) throw new Error(this.#failure)
    const text = existsSync(this.#notes) ? readFileSync(this.#notes, "utf8") : ""
    return text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => {
        const [what, key, pid] = line.split(" ")
        return { what: what as Note["what"], key: key as string, pid: Number(pid) }
      })
  }

  /**
   * Kills the process that started the latest job, unless this job has ended. Returns true if it killed a process.
   */
  killOne(): boolean {
    const last = this.notes.findLast(({ what }) => what === "begin")
    const child = [...this.running].find(({ pid }) => pid === last?.pid)
    if (!child || this.killed.has(child.pid as number)) return false
    this.killed.add(child.pid as number)
    child.kill("SIGKILL")
    return true
  }

  async end(): Promise<void> {
    const ends = [...this.running].map((child) => new Promise((resolve) => child.once("exit", resolve)))
    for (const child of this.running) child.kill("SIGTERM")
    await Promise.all(ends)
  }
}

/**
 * Returns the keys of jobs with a limit of one that began while the claim of another one was valid. A process that was
 * killed has lost its claim, and so has one that a busy machine has not run for the time of a lease. The process learns
 * that at the latest when it ends the job.
 */
function findOverlaps({ notes, killed }: Processes): string[] {
  const overlaps: string[] = []
  const hasLost = ({ key, pid }: Note) =>
    killed.has(pid) || notes.some((one) => one.what === "lost" && one.key === key && one.pid === pid)
  let holder: Note | undefined
  for (const note of notes.filter(({ key }) => key.startsWith("single"))) {
    if (note.what === "begin") {
      if (holder && !hasLost(holder)) overlaps.push(`${holder.key} ${note.key}`)
      holder = note
    } else if (holder?.pid === note.pid && holder.key === note.key) holder = undefined
  }
  return overlaps
}

async function add(engine: JobEngine, name: string, key: string, wait: number, file?: string): Promise<void> {
  await engine.add(createJob(name, { payload: JSON.stringify({ key, wait, file }) }))
}

/** Waits until no job is left, as long as their number goes down. */
async function untilEmpty(engine: JobEngine): Promise<void> {
  const countLeft = async () => (await engine.count()).reduce((sum, { count }) => sum + count, 0)
  let left = await countLeft()
  while (left > 0) {
    const before = left
    await until(async () => {
      left = await countLeft()
      return left < before
    })
  }
}

for (const [kind, server] of await startServers()) {
  const test = suite(`jobs on ${kind}`)
  const getAddress = (name: string) => (server ? `${server.port}` : join(directory, `${name}.db`))
  const opened: TestEngine[] = []

  /** Opens an engine for the test itself. It is closed after the test, also after one that fails. */
  async function openEngine(address: string, lease = leaseMs): Promise<JobEngine> {
    const made = await createTestEngine(kind, address)
    opened.push(made)
    await made.engine.open({ queues, leaseMs: lease, clock: machineClock })
    return made.engine
  }

  test(`no job is lost when processes are killed ${kills} times`, async () => {
    const address = getAddress("killed")
    const processes = new Processes(kind, address, `${kind}-killed`)
    const engine = await openEngine(address)
    const keys: string[] = []
    const addSome = async () => {
      for (let i = 0; i < 4; i++) {
        const key = `${i === 0 ? "single" : "many"}-${keys.length}`
        keys.push(key)
        await add(engine, i === 0 ? "single" : "many", key, 10)
      }
    }
    for (let i = 0; i < 3; i++) processes.start()
    for (let round = 0; round < kills; round++) {
      await addSome()
      await until(() => processes.killOne())
      processes.start()
    }
    await untilEmpty(engine)
    await processes.end()
    const ended = new Set(processes.notes.filter(({ what }) => what === "end").map(({ key }) => key))
    assert.equal(
      keys.filter((key) => !ended.has(key)),
      [],
    )
    assert.equal(findOverlaps(processes), [])
    assert.is(processes.killed.size, kills)
  })

  test(`each of ${jobs} jobs that four processes add has its effect once`, async () => {
    const address = getAddress("added")
    const lease = 15_000
    const processes = new Processes(kind, address, `${kind}-added`, lease)
    const engine = await openEngine(address, lease)
    for (let i = 0; i < 2; i++) processes.start()
    const adders = Array.from({ length: 4 }, () => processes.start("many-adding-program.ts", { COUNT: `${jobs / 4}` }))
    await Promise.all(adders.map((adder) => new Promise((resolve) => adder.once("exit", resolve))))
    await untilEmpty(engine)
    await processes.end()
    const { notes } = processes
    const lost = new Set(notes.filter(({ what }) => what === "lost").map(({ key, pid }) => `${key} ${pid}`))
    const effects = notes.filter(({ what, key, pid }) => what === "end" && !lost.has(`${key} ${pid}`))
    assert.is(effects.length, jobs)
    assert.is(new Set(effects.map(({ key }) => key)).size, jobs)
  })

  test("a process that is stopped for three leases loses its job to another process, and cannot end the job", async () => {
    const address = getAddress("stopped")
    const processes = new Processes(kind, address, `${kind}-stopped`)
    const engine = await openEngine(address)
    const stopped = processes.start()
    const file = join(directory, `${kind}-may-end`)
    await add(engine, "single", "single-1", 10, file)
    await until(() => processes.notes.length >= 1)
    stopped.kill("SIGSTOP")
    processes.start()
    await until(() => processes.notes.some(({ what, pid }) => what === "begin" && pid !== stopped.pid))
    await new Promise((resolve) => setTimeout(resolve, 3 * leaseMs))
    stopped.kill("SIGCONT")
    // The stopped process learns that its claim has expired. It cannot end the job, which is still there.
    await until(() => processes.notes.some(({ what, pid }) => what === "lost" && pid === stopped.pid))
    assert.equal(
      (await engine.count()).map(({ count }) => count),
      [1],
    )
    writeFileSync(file, "")
    await until(async () => (await engine.count()).length === 0)
    const [first, second] = processes.notes.filter(({ pid }) => pid === stopped.pid)
    assert.equal([first?.what, second?.what], ["begin", "lost"])
    await processes.end()
  })

  if (server)
    test("a server that is killed and starts again loses no job", async () => {
      const processes = new Processes(kind, `${server.port}`, `${kind}-server`)
      const engine = await openEngine(`${server.port}`)
      for (let i = 0; i < 2; i++) processes.start()
      const keys: string[] = []
      // One process may run all jobs before the other one has started.
      await until(async () => {
        const hasEnded = (await engine.count()).length === 0
        for (let i = 0; hasEnded && i < 20; i++) {
          const key = `many-${keys.length}`
          keys.push(key)
          await add(engine, "many", key, 300)
        }
        return new Set(processes.notes.map(({ pid }) => pid)).size === 2
      })
      await server.kill()
      await server.start()
      await until(async () => (await engine.count()).length === 0)
      const ended = new Set(processes.notes.filter(({ what }) => what === "end").map(({ key }) => key))
      assert.equal(
        keys.filter((key) => !ended.has(key)),
        [],
      )
      await processes.end()
    })

  test.after.each(async () => {
    for (const child of children) child.kill("SIGKILL")
    for (const { engine, disconnect } of opened.splice(0)) {
      await engine.close()
      await disconnect()
    }
  })
  test.after(() => server?.end())
  test.run()
}
