/** Tests of the contract of job engines on real servers: what a program may rely on with every engine. */
import { spawn } from "node:child_process"
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Redis } from "ioredis"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { Database } from "../../adapters/db.ts"
import { machineClock } from "../../lib/jobs/clock.ts"
import type { JobContext, JobOptions } from "../../lib/jobs/definition.ts"
import type { ClaimedJob, JobQueue } from "../../lib/jobs/engine.ts"
import { createTestEngine, startServers, type TestEngine } from "../support/jobs/engines.ts"
import { createJob as job, startProcess, type TestJob, type TestProcess } from "../support/jobs/workshop.ts"
import { continueOnNode24 } from "../support/node-24.ts"
import { endWithTest } from "../support/store/server.ts"
import { until } from "../support/store/until.ts"

// pg-boss needs Node 22.12 or later.
await continueOnNode24()

const directory = mkdtempSync(join(tmpdir(), "fw-jobs-"))
process.once("exit", () => rmSync(directory, { recursive: true, force: true }))
/** How long a claim holds: longer than a busy machine stops a process, or so short that a test can wait for its end. */
const [longLeaseMs, shortLeaseMs] = [30_000, 300]

type Work = (payload: unknown, job: JobContext) => unknown

const file = (Job: Work, options: JobOptions = {}): TestJob => ({ Job: Job as TestJob["Job"], options })
const createQueue = (name: string): JobQueue => ({
  name,
  maxRunning: undefined,
  maxAttempts: 6,
  hasKeys: false,
})

/** Returns how many statements a function sends to a database, or commands to Redis. */
async function countStatements(kind: string, run: () => Promise<unknown>): Promise<number> {
  let count = 0
  const note = () => void count++
  if (kind !== "bullmq") {
    subscribe("fw:query:start", note)
    await run()
    unsubscribe("fw:query:start", note)
    return count
  }
  const { sendCommand } = Redis.prototype
  Redis.prototype.sendCommand = function (...sent) {
    note()
    return sendCommand.apply(this, sent)
  }
  await run()
  Redis.prototype.sendCommand = sendCommand
  return count
}

for (const [kind, server] of await startServers()) {
  const test = suite(`the contract of ${kind}`)
  let opened: (TestProcess & TestEngine)[] = []
  let nameCount = 0

  /** Opens processes with job files. Each case has its own job names, because the cases share a server. */
  async function open(
    files: Readonly<Record<string, TestJob>>,
    { count = 1, slots = 10, leaseMs = longLeaseMs, clock = machineClock } = {},
  ) {
    const processes: (TestProcess & TestEngine)[] = []
    for (let i = 0; i < count; i++) {
      const made = await createTestEngine(kind, server ? `${server.port}` : join(directory, "jobs.db"))
      processes.push({ ...made, ...(await startProcess(files, made.engine, clock, slots, leaseMs)) })
    }
    opened.push(...processes)
    const [first] = processes as [TestProcess & TestEngine]
    const left = async () => (await first.engine.count()).filter(({ name }) => name in files)
    return { ...first, processes, isDone: async () => (await left()).length === 0, left }
  }

  const newName = () => `case/${++nameCount}`

  test.after.each(async () => {
    for (const { runner } of opened) await runner.stop(0)
    for (const { engine, disconnect } of opened) {
      await engine.close()
      await disconnect()
    }
    opened = []
  })

  test("a job that fails is repeated, remembers its steps, and is a dead letter at the end", async () => {
    const name = newName()
    const calls: string[] = []
    const work: Work = async (payload, { step, attempt, progress }) => {
      calls.push(`${attempt} ${await step("number", () => calls.push(`step ${payload}`))}`)
      await progress(0.5)
      // Not every database keeps these characters.
      throw new Error("no mail server \0 \ud800")
    }
    const { runner, engine, left } = await open({ [name]: file(work, { retries: 1, backoff: 0.01 }) })
    runner.start()
    const id = await engine.add(job(name, { payload: "7" }))
    await until(async () => (await left())[0]?.state === "failed")
    assert.equal(calls, ["step 7", "1 1", "2 1"])
    const [failed] = await engine.list({ id: id as string }, 1)
    assert.equal([failed?.name, failed?.state, failed?.attempt, failed?.payload], [name, "failed", 2, "7"])
    assert.match(failed?.error ?? "", "no mail server")
    assert.is(await engine.retry({ id: id as string }), 1)
    await until(() => calls.length === 5)
    await until(async () => (await left())[0]?.state === "failed")
    assert.equal(calls.slice(3), ["1 1", "2 1"])
    assert.is(await engine.clear({ name }), 1)
    assert.equal(await left(), [])
  })

  test("steps that run at the same time are all remembered", async () => {
    const name = newName()
    const calls: string[] = []
    const work: Work = async (_payload, { step, attempt }) => {
      await Promise.all(["a", "b", "c"].map((one) => step(one, () => calls.push(one))))
      if (attempt === 1) throw new Error("no mail server")
    }
    const { runner, engine, isDone } = await open({ [name]: file(work, { backoff: 0.01 }) })
    runner.start()
    await engine.add(job(name))
    await until(isDone)
    assert.equal(calls, ["a", "b", "c"])
  })

  test("a unique key stays in use until its job has ended", async () => {
    const name = newName()
    let end: (() => void) | undefined
    const work: Work = () => new Promise<void>((resolve) => (end = resolve))
    const { runner, engine, isDone } = await open({ [name]: file(work, { unique: true }) })
    const add = () => engine.add(job(name, { unique: "a" }))
    assert.is(typeof (await add()), "string")
    assert.is(await add(), null)
    runner.start()
    await until(() => end !== undefined)
    assert.is(await add(), null)
    end?.()
    await until(isDone)
    assert.is(typeof (await add()), "string")
    await engine.clear({ name })
  })

  test("a job waits for its time, and the highest priority of a name runs first", async () => {
    const name = newName()
    const order: string[] = []
    const due = Date.now() + 700
    const work: Work = (payload) => {
      if (payload !== "later") order.push(payload as string)
      else if (Date.now() < due) order.push("later, too early")
    }
    const { runner, engine, isDone } = await open({ [name]: file(work, { priority: 0 }) }, { slots: 1 })
    await engine.add(job(name, { payload: '"later"', delay: 700, priority: 100 }))
    for (const [payload, priority] of [
      ["second", 0],
      ["third", -5],
      ["first", 10],
    ] as const)
      await engine.add(job(name, { payload: `"${payload}"`, priority }))
    runner.start()
    await until(isDone)
    assert.equal(order, ["first", "second", "third"])
  })

  test("many jobs of two names run, each once and without an error", async () => {
    const [first, second] = [newName(), newName()]
    const ran: unknown[] = []
    const work = file((payload) => ran.push(payload))
    const { runner, engine, isDone, errors, lines } = await open({ [first]: work, [second]: work }, { slots: 4 })
    const payloads = Array.from({ length: 60 }, (_, i) => `${i}`)
    for (const payload of payloads) await engine.add(job(Number(payload) % 2 ? first : second, { payload }))
    runner.start()
    await until(isDone)
    assert.equal(ran.map(String).sort(), payloads.sort())
    assert.equal([errors, lines], [[], []])
  })

  test("a limit of one applies to all processes together", async () => {
    const name = newName()
    let [running, most, ended] = [0, 0, 0]
    const work: Work = async () => {
      most = Math.max(most, ++running)
      await new Promise(setImmediate)
      running -= 1
      ended += 1
    }
    const { processes, engine, isDone } = await open({ [name]: file(work, { concurrency: 1 }) }, { count: 3 })
    for (let i = 0; i < 12; i++) await engine.add(job(name))
    for (const { runner } of processes) runner.start()
    await until(isDone)
    assert.equal([most, ended], [1, 12])
  })

  test("a limit for each key applies to all processes together, if the engine supports it", async () => {
    const name = newName()
    const running: unknown[] = []
    let [most, ended, together] = [0, 0, 0]
    const work: Work = async (key) => {
      running.push(key)
      most = Math.max(most, running.filter((one) => one === key).length)
      together = Math.max(together, running.length)
      await new Promise((resolve) => setTimeout(resolve, 20))
      running.splice(running.indexOf(key), 1)
      ended += 1
    }
    const options = { concurrency: { limit: 2, key: (payload: string) => payload } } as JobOptions
    const files = { [name]: file(work, options) }
    if (kind === "bullmq") return
    const { processes, engine, isDone } = await open(files, { count: 3 })
    for (let i = 0; i < 24; i++) {
      const key = i % 2 ? "ada" : "bob"
      await engine.add(job(name, { payload: `"${key}"`, group: key }))
    }
    for (const { runner } of processes) runner.start()
    await until(isDone)
    assert.equal([most, ended], [2, 24])
    assert.ok(together > 2)
  })

  test("a job that is added in a transaction exists when the transaction is committed, if the engine supports it", async () => {
    const name = newName()
    const { engine, database, left } = await open({ [name]: file(() => {}) })
    if (!database) return
    const add = (tx: object) => engine.add(job(name), tx)
    const undone = database.transaction(async (tx) => {
      await add(tx)
      throw new TypeError("no")
    })
    assert.is(await undone.catch(({ message }) => message), "no")
    assert.equal(await left(), [])
    await database.transaction(add)
    assert.equal(await left(), [{ name, state: "waiting", count: 1 }])
    await engine.clear({ name })
  })

  test("adding a job is one statement", async () => {
    const name = newName()
    const { engine } = await open({ [name]: file(() => {}, { unique: true }) })
    const add = (unique: string) => engine.add(job(name, { unique }))
    // With the first job, BullMQ also loads its script.
    await add("first")
    assert.is(await countStatements(kind, () => add("second")), 1)
    await engine.clear({ name })
  })

  test("only the current claim can end a job", async () => {
    const name = newName()
    let end: (() => void) | undefined
    const work: Work = () => new Promise<void>((resolve) => (end = resolve))
    const { processes, isDone, left } = await open({ [name]: file(work) }, { count: 2, leaseMs: shortLeaseMs })
    const [first, second] = processes as unknown as [TestProcess, TestProcess]
    await first.engine.add(job(name))
    const [stale] = (await first.engine.claim([createQueue(name)], 1)) as [ClaimedJob]
    second.runner.start()
    // Now the other process runs the job.
    await until(() => end !== undefined)
    const calls: readonly (() => Promise<unknown>)[] = [
      () => first.engine.finish(stale),
      () => first.engine.release(stale, 0),
      () => first.engine.release(stale, null),
      () => first.engine.save(stale),
      () => first.engine.renew(stale),
    ]
    for (const call of calls) assert.is(await call(), false)
    assert.equal(await left(), [{ name, state: "running", count: 1 }])
    // On a busy machine, the second process may lose its claim too, and run the job again.
    await until(() => {
      end?.()
      return isDone()
    })
    assert.is(await first.engine.finish(stale), false)
  })

  test("a job that is released does not count its attempt", async () => {
    const name = newName()
    const attempts: number[] = []
    const { runner, engine, isDone } = await open({ [name]: file((_payload, { attempt }) => attempts.push(attempt)) })
    await engine.add(job(name))
    const [claimed] = (await engine.claim([createQueue(name)], 1)) as [ClaimedJob]
    assert.is(await engine.renew(claimed), true)
    claimed.data.uncountedAttempts += 1
    assert.is(await engine.release(claimed, 0), true)
    runner.start()
    await until(isDone)
    assert.equal(attempts, [1])
  })

  test("one time of a schedule adds one job over all processes", async () => {
    const name = newName()
    const { processes, engine, left } = await open({ [name]: file(() => {}) }, { count: 3 })
    assert.is(await engine.lastTick(name), null)
    const time = Date.UTC(2026, 0, 1)
    const ticks = processes.map((one) => one.engine.tick(name, time, null, job(name, { scheduled: time })))
    assert.equal((await Promise.all(ticks)).filter(Boolean).length, 1)
    assert.equal(await left(), [{ name, state: "waiting", count: 1 }])
    assert.is(await engine.tick(name, time + 1, null, job(name)), false)
    assert.is(await engine.tick(name, time + 1, time, undefined), true)
    assert.is(await engine.lastTick(name), time + 1)
    const [claimed] = (await engine.claim([createQueue(name)], 2)) as [ClaimedJob]
    assert.is(claimed.data.scheduled, time)
    await engine.finish(claimed)
  })

  test("a process that only adds a job, as a test does, ends when its database is closed", async () => {
    const env = { ...process.env, ENGINE: kind, ADDRESS: server ? `${server.port}` : join(directory, "jobs.db") }
    const program = [...process.execArgv, "tests/support/jobs/adding-program.ts"]
    const child = spawn(process.execPath, program, { env, stdio: "inherit" })
    endWithTest(child)
    const [code] = await once(child, "exit")
    assert.is(code, 0)
  })

  test("a clock that jumps ends no claim, and delays no job that is added or tried again after the jump", async () => {
    const name = newName()
    let jumpMs = 0
    const clock = { ...machineClock, now: () => Date.now() + jumpMs }
    const calls: string[] = []
    let end: (() => void) | undefined
    const work: Work = async (payload, { attempt }) => {
      calls.push(`${payload} ${attempt}`)
      if (payload === 1 && attempt === 1) {
        await new Promise<void>((resolve) => (end = resolve))
        throw new Error("no mail server")
      }
    }
    const { processes, engine, isDone, left } = await open(
      { [name]: file(work, { backoff: 0.01 }) },
      { count: 2, clock },
    )
    await engine.add(job(name, { payload: "1" }))
    for (const { runner } of processes) runner.start()
    await until(() => end !== undefined)
    for (const hours of [1, -2]) {
      jumpMs += hours * 3_600_000
      // The second search would take a job over whose claim was not renewed since the first one.
      for (const { engine } of [...processes, ...processes]) await engine.reclaim()
      assert.equal(await left(), [{ name, state: "running", count: 1 }])
    }
    end?.()
    await engine.add(job(name, { payload: "2" }))
    await until(isDone)
    assert.equal(calls.sort(), ["1 1", "1 2", "2 1"])
  })

  test("of two versions of a program, each runs the jobs that it has, with the payloads that it knows", async () => {
    const [name, newest] = [newName(), newName()]
    const ran: unknown[] = []
    const work = file((payload) => ran.push(payload))
    const $payload = {
      "~standard": {
        validate: (value: { payload: { email?: string } }) =>
          value.payload.email ? { value } : { issues: [{ message: "it is missing", path: ["payload", "email"] }] },
      },
    }
    const old = await open({ [name]: work })
    const next = await open({ [name]: { ...work, $payload }, [newest]: work })
    await next.engine.add(job(newest, { payload: '"newest"' }))
    await next.engine.add(job(name, { payload: '{"email":"ada"}' }))
    old.runner.start()
    await until(async () => (await old.left()).length === 0)
    assert.equal(ran, [{ email: "ada" }])
    assert.equal(await next.left(), [{ name: newest, state: "waiting", count: 1 }])
    await old.runner.stopClaiming()
    const id = await old.engine.add(job(name, { payload: '{"to":"bob"}' }))
    next.runner.start()
    await until(async () => (await next.left()).every(({ state }) => state === "failed"))
    assert.equal(ran.slice(1), ["newest"])
    const [failed] = await old.engine.list({ id: id as string }, 1)
    assert.equal([failed?.name, failed?.state, failed?.attempt], [name, "failed", 1])
    assert.match(failed?.error ?? "", "email: it is missing")
    await old.engine.clear({ name })
  })

  test("a paused job is not claimed", async () => {
    const name = newName()
    const { engine } = await open({ [name]: file(() => {}) })
    await engine.setPaused(name, true)
    assert.equal(await engine.listPaused(), [name])
    await engine.add(job(name))
    assert.equal(await engine.claim([createQueue(name)], 1), [])
    await engine.setPaused(name, false)
    const claims = await engine.claim([createQueue(name)], 1)
    assert.is(claims.length, 1)
    await engine.finish(claims[0] as ClaimedJob)
  })

  if (kind === "pgboss")
    test("a process that is stopped while it claims does not keep others from claiming", async () => {
      const name = newName()
      const { processes } = await open(
        { [name]: file(() => {}, { concurrency: 1 }) },
        { count: 2, leaseMs: shortLeaseMs },
      )
      const [stopped, other] = processes as unknown as [TestEngine, TestEngine]
      const { database: db } = stopped as { database: Database }
      let goOn = () => {}
      const continued = new Promise<void>((resolve) => (goOn = resolve))
      let noteLock = () => {}
      const locked = new Promise<void>((resolve) => (noteLock = resolve))
      const begin = db.transaction
      const stopAtLock = async <Row>(sql: string, rows: Row): Promise<Row> => {
        if (!sql.includes("FOR UPDATE")) return rows
        noteLock()
        await continued
        return rows
      }
      db.transaction = (run, options) =>
        begin(
          (tx) => run({ ...tx, query: async (sql, values) => stopAtLock(sql, await tx.query(sql, values)) }),
          options,
        )
      const queues = [{ ...createQueue(name), maxRunning: 1 }]
      await other.engine.add(job(name))
      const claiming = stopped.engine.claim(queues, 1).catch((error: unknown) => error)
      await locked
      let claim: ClaimedJob | undefined
      void other.engine.claim(queues, 1).then(([first]) => (claim = first))
      await until(() => claim !== undefined).finally(goOn)
      assert.instance(await claiming, Error)
      db.transaction = begin
      assert.is(await other.engine.finish(claim as ClaimedJob), true)
    })

  test.after(() => server?.end())
  test.run()
}
