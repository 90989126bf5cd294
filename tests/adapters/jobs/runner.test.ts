/**
 * Tests of jobs on the embedded engine, with a clock that the tests move: attempts, limits, leases and schedules.
 */

import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { platform } from "#platform"
import { sqliteJobs } from "../../../adapters/jobs/sqlite.ts"
import { wait } from "../../../lib/jobs/clock.ts"
import type { JobContext, JobOptions } from "../../../lib/jobs/definition.ts"
import type { ClaimedJob, JobEngine } from "../../../lib/jobs/engine.ts"
import type { LogMessage } from "../../../lib/log/record.ts"
import type { Operation } from "../../../lib/trace/operations.ts"
import { settle, TestClock } from "../../support/jobs/test-clock.ts"
import {
  createJob as job,
  startProcess,
  type TestJob,
  type TestProcess,
  testLeaseMs,
} from "../../support/jobs/workshop.ts"

const directory = mkdtempSync(join(tmpdir(), "fw-jobs-"))
test.after(() => rmSync(directory, { recursive: true, force: true }))
let fileCount = 0

type Work = (payload: unknown, job: JobContext) => unknown

function file(Job: Work, options: JobOptions = {}): TestJob {
  return { Job: Job as TestJob["Job"], options }
}

/** Starts several runners that share a database file. */
async function open(files: Readonly<Record<string, TestJob>>, { count = 1, slots = 10, path = "" } = {}) {
  const clock = new TestClock()
  const shared = path || join(directory, `${++fileCount}.db`)
  const processes: TestProcess[] = []
  for (let i = 0; i < count; i++) processes.push(await startProcess(files, sqliteJobs({ file: shared }), clock, slots))
  const [first] = processes as [(typeof processes)[0]]
  const close = async () => {
    for (const { runner, engine } of processes) {
      const stopped = runner.stop(0)
      await clock.advance(5000)
      await stopped
      await engine.close()
    }
  }
  return { ...first, processes, clock, close, path: shared }
}

async function states(engine: JobEngine) {
  return (await engine.list({}, 100)).map(({ name, state, attempt }) => `${name} ${state} ${attempt}`).sort()
}

test("a job that fails is tried again with longer delays, then it is a dead letter", async () => {
  const times: number[] = []
  const { runner, engine, clock, errors, close } = await open({
    "mail/welcome": file(
      (_payload, { attempt }) => {
        times.push(clock.elapsed())
        throw new Error(`attempt ${attempt}`)
      },
      { retries: 3, backoff: 10 },
    ),
  })
  runner.start()
  await engine.add(job("mail/welcome"))
  await clock.advance(120_000)
  const delays = times.slice(1).map((time, index) => (time - (times[index] as number)) / 1000)
  assert.is(delays.length, 3)
  for (const [index, least] of [10, 20, 40].entries()) {
    const delay = delays[index] as number
    assert.ok(delay >= least && delay <= least * 1.1 + 0.5, `the delay after attempt ${index + 1} is ${delay} s`)
  }
  const [failed] = await engine.list({ state: "failed" }, 10)
  assert.match(failed?.error ?? "", /^Error: attempt 4\n\s+at /)
  assert.is(errors.length, 4)
  assert.is(await engine.retry({ id: failed?.id }), 1)
  await clock.advance(1000)
  assert.equal(await states(engine), ["mail/welcome waiting 1"])
  await close()
})

test("backoff may be a function, and 0 retries means one attempt", async () => {
  const times: number[] = []
  const fail: Work = () => {
    times.push(clock.elapsed())
    throw new Error("no")
  }
  const { runner, engine, clock, close } = await open({
    once: file(fail, { retries: 0 }),
    twice: file(fail, { retries: 1, backoff: (attempt) => attempt * 5 }),
  })
  runner.start()
  await engine.add(job("once"))
  await clock.advance(60_000)
  assert.is(times.length, 1)
  await engine.add(job("twice"))
  await clock.advance(60_000)
  assert.is(times.length, 3)
  assert.ok(Math.abs((times[2] as number) - (times[1] as number) - 5000) <= 500)
  await close()
})

test("no thrown value and no backoff function ends the process, or keeps its job claimed", async () => {
  const unreadable = Object.defineProperty(new Error("no"), "stack", {
    get() {
      throw new TypeError("no stack")
    },
  })
  const fail = (value: unknown) => () => {
    throw value
  }
  const reports: unknown[] = []
  const { report } = platform
  platform.report = (bug) => reports.push(bug)
  const { runner, engine, clock, errors, close } = await open({
    backoff: file(fail(new Error("no")), { retries: 1, backoff: fail(new RangeError("no pause")) as never }),
    object: file(fail(Object.create(null)), { retries: 1 }),
    stack: file(fail(unreadable), { retries: 1 }),
    symbol: file(fail(Symbol("no")), { retries: 1 }),
  })
  runner.start()
  const names = ["backoff", "object", "stack", "symbol"]
  for (const name of names) await engine.add(job(name))
  await clock.advance(1000)
  assert.equal(
    await states(engine),
    names.map((name) => `${name} waiting 1`),
  )
  assert.is(errors.length, 4)
  assert.equal(reports.map(String), ["RangeError: no pause"])
  // A function that throws has the longest pause.
  await clock.advance(3_700_000)
  assert.equal(
    await states(engine),
    names.map((name) => `${name} failed 2`),
  )
  platform.report = report
  await close()
})

test("the signal of a job aborts after its timeout, and the attempt has failed", async () => {
  let reason: unknown
  const { runner, engine, clock, errors, close } = await open({
    slow: file(
      (_payload, { signal }) =>
        new Promise((_, reject) =>
          signal.addEventListener("abort", () => {
            reason = signal.reason
            reject(signal.reason)
          }),
        ),
      { timeout: 30, retries: 0 },
    ),
  })
  runner.start()
  await engine.add(job("slow"))
  await clock.advance(29_000)
  assert.equal(await states(engine), ["slow running 1"])
  await clock.advance(2_000)
  assert.equal(await states(engine), ["slow failed 1"])
  assert.is((reason as { code: string }).code, "job_timeout")
  assert.is((errors[0] as { code: string }).code, "job_timeout")
  await close()
})

test("jobs wait for their time, and the job with the highest priority runs first", async () => {
  const order: string[] = []
  const add: Work = (payload) => order.push(payload as string)
  const { runner, engine, clock, close } = await open({ a: file(add), b: file(add) }, { slots: 1 })
  for (const [name, payload, delay, priority] of [
    ["a", "later", 60_000, 100],
    ["a", "third", 0, 0],
    ["b", "fourth", 1, 0],
    ["b", "first", 0, 10],
    ["a", "second", 0, 5],
  ] as const)
    await engine.add(job(name, { payload: JSON.stringify(payload), delay, priority }))
  clock.jump(1)
  runner.start()
  await clock.advance(1000)
  assert.equal(order, ["first", "second", "third", "fourth"])
  await clock.advance(60_000)
  assert.is(order.at(-1), "later")
  await close()
})

test("a unique key stays in use while its job waits or runs", async () => {
  let end = () => {}
  const { runner, engine, clock, close } = await open({
    report: file(() => new Promise<void>((resolve) => (end = resolve))),
    other: file(() => {}),
  })
  assert.ok(await engine.add(job("report", { unique: "7" })))
  assert.is(await engine.add(job("report", { unique: "7" })), null)
  assert.ok(await engine.add(job("report", { unique: "8" })))
  assert.ok(await engine.add(job("other", { unique: "7" })))
  assert.is(await engine.clear({ name: "report", state: "waiting" }), 2)
  runner.start()
  await engine.add(job("report", { unique: "7" }))
  await clock.advance(1000)
  assert.is(await engine.add(job("report", { unique: "7" })), null)
  end()
  await clock.advance(1000)
  assert.ok(await engine.add(job("report", { unique: "7" })))
  await close()
})

test("limits hold over all processes, for a job and for each key", async () => {
  const running = new Map<string, number>()
  const most = new Map<string, number>()
  const ends: (() => void)[] = []
  const hold = (key: string) =>
    new Promise<void>((resolve) => {
      running.set(key, (running.get(key) ?? 0) + 1)
      most.set(key, Math.max(most.get(key) ?? 0, running.get(key) as number))
      ends.push(() => {
        running.set(key, (running.get(key) as number) - 1)
        resolve()
      })
    })
  const { processes, engine, clock, close } = await open(
    {
      report: file(() => hold("report"), { concurrency: 2 }),
      invoice: file((customer) => hold(customer as string), {
        concurrency: { limit: 1, key: String },
      }),
    },
    { count: 3 },
  )
  for (let i = 0; i < 8; i++) {
    await engine.add(job("report"))
    await engine.add(job("invoice", { payload: `"${i % 2 ? "ada" : "bob"}"`, group: i % 2 ? "ada" : "bob" }))
  }
  for (const { runner } of processes) runner.start()
  for (let round = 0; round < 10; round++) {
    await clock.advance(600)
    for (const end of ends.splice(0)) end()
  }
  assert.equal(Object.fromEntries(most), { report: 2, ada: 1, bob: 1 })
  assert.equal(await states(engine), [])
  await close()
})

test("later attempts do not repeat steps that succeeded", async () => {
  const calls: string[] = []
  const { runner, engine, clock, close } = await open({
    charge: file(
      async (_payload, { step, attempt }) => {
        const number = await step("number", () => calls.push("number"))
        await step("nothing", () => void calls.push("nothing"))
        await step("charge", () => {
          calls.push(`charge ${number}`)
          if (attempt === 1) throw new Error("refused")
        })
        calls.push("end")
      },
      { backoff: 1 },
    ),
  })
  runner.start()
  await engine.add(job("charge"))
  await clock.advance(5000)
  assert.equal(calls, ["number", "nothing", "charge 1", "charge 1", "end"])
  await close()
})

test("a step without a name, a second step with the same name, and a step that does not return data are errors", async () => {
  const { runner, engine, clock, errors, close } = await open({
    wrong: file(
      async (kind, { step }) => {
        if (kind === "name") await step("", () => 1)
        if (kind === "function") await step("a", () => () => {})
        await step("twice", () => 1)
        await step("twice", () => 1)
      },
      { retries: 0 },
    ),
  })
  runner.start()
  for (const kind of ["name", "function", "twice"]) await engine.add(job("wrong", { payload: JSON.stringify(kind) }))
  await clock.advance(1000)
  assert.equal(errors.map((error) => (error as Error).message).sort(), [
    'the step "" of the job "wrong" has no name',
    'the step "a" of the job "wrong" returned a function',
    'the step "twice" of the job "wrong" is used twice',
  ])
  await close()
})

test("if a process ends, another process runs its job when the lease is over, and only the new claim counts", async () => {
  const runs: string[] = []
  let end = () => {}
  const files = {
    import: file((_payload, { attempt }) => {
      runs.push(`attempt ${attempt}`)
      return new Promise<void>((resolve) => (end = resolve))
    }),
  }
  const { processes, clock, engine, close } = await open(files, { count: 2 })
  const [first, second] = processes as [(typeof processes)[0], (typeof processes)[0]]
  await engine.add(job("import"))
  const [stale] = (await first.engine.claim(
    [{ name: "import", maxRunning: undefined, maxAttempts: 6, hasKeys: false }],
    1,
  )) as [ClaimedJob]
  // From here on the first process counts as killed: nothing renews its claim.
  second.runner.start()
  await clock.advance(testLeaseMs - 1)
  assert.equal(runs, [])
  await clock.advance(testLeaseMs)
  assert.equal(runs, ["attempt 2"])
  assert.is(await first.engine.finish(stale), false)
  assert.is(await first.engine.save(stale), false)
  assert.is(await first.engine.release(stale, 0), false)
  assert.is(await first.engine.release(stale, null), false)
  assert.is(await first.engine.renew(stale), false)
  assert.equal(await states(engine), ["import running 2"])
  end()
  await clock.advance(1000)
  assert.equal(await states(engine), [])
  await close()
})

test("a process that was stopped for three leases learns that its claim is over", async () => {
  const files = {
    import: file(async (_payload, { attempt, signal, step }) => {
      if (attempt > 1) return
      await new Promise((resolve) => signal.addEventListener("abort", resolve))
      await step("after", () => assert.unreachable())
    }),
  }
  const path = join(directory, "stopped.db")
  const stopped = await open(files, { path })
  const other = await open(files, { path })
  await stopped.engine.add(job("import"))
  stopped.runner.start()
  await settle()
  assert.equal(await states(other.engine), ["import running 1"])
  other.runner.start()
  await other.clock.advance(3 * testLeaseMs)
  assert.equal(await states(other.engine), [])
  await stopped.clock.advance(3 * testLeaseMs)
  assert.is(stopped.lines.length, 1)
  assert.match(stopped.lines[0] ?? "", /^job import #1: another process has taken over the job "import"/)
  await stopped.close()
  await other.close()
})

test("a job that ends its process every time is a dead letter after its last attempt", async () => {
  const { runner, engine, clock, close } = await open({ crash: file(() => assert.unreachable(), { retries: 1 }) })
  await engine.add(job("crash"))
  const queue = {
    name: "crash",
    maxRunning: undefined,
    maxAttempts: 2,
    hasKeys: false,
  }
  for (let attempt = 1; attempt <= 2; attempt++) {
    assert.is((await engine.claim([queue], 1)).length, 1)
    await engine.reclaim()
    await clock.advance(testLeaseMs)
    await engine.reclaim()
  }
  runner.start()
  await clock.advance(10_000)
  assert.equal(await states(engine), ["crash failed 2"])
  assert.match((await engine.list({}, 1))[0]?.error ?? "", /process of the last attempt ended/)
  await close()
})

test("a clock that jumps ends no claim, and repeats no job", async () => {
  const runs: number[] = []
  let end = () => {}
  const { processes, engine, clock, close } = await open(
    {
      long: file(
        (_payload, { attempt }) =>
          new Promise<void>((resolve) => {
            runs.push(attempt)
            end = resolve
          }),
      ),
    },
    { count: 2 },
  )
  for (const { runner } of processes) runner.start()
  await engine.add(job("long"))
  await clock.advance(1000)
  for (const jump of [3_600_000, -7_200_000]) {
    clock.jump(jump)
    await clock.advance(4 * testLeaseMs)
  }
  assert.equal(runs, [1])
  end()
  await clock.advance(1000)
  assert.equal(await states(engine), [])
  await close()
})

test("a program that stops waits for its jobs, and releases the jobs that do not end", async () => {
  const ends: string[] = []
  const { runner, engine, clock, lines, close } = await open({
    short: file(async () => {
      await wait(clock, 2000, new AbortController().signal)
      ends.push("short")
    }),
    long: file(
      (_payload, { signal }) => new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
    ),
  })
  runner.start()
  await engine.add(job("short"))
  await engine.add(job("long"))
  await clock.advance(600)
  const stopped = runner.stop(10_000)
  await engine.add(job("short"))
  await clock.advance(9_000)
  assert.equal(ends, ["short"])
  assert.equal(await states(engine), ["long running 1", "short waiting 0"])
  await clock.advance(2_000)
  await stopped
  assert.equal(await states(engine), ["long waiting 0", "short waiting 0"])
  assert.equal(lines, ["job long #2 did not end in time. It waits again, with the same number of attempts"])
  await close()
})

test("a paused job is not claimed until it is resumed", async () => {
  const runs: string[] = []
  const { runner, engine, clock, close } = await open({
    a: file(() => runs.push("a")),
    b: file(() => runs.push("b")),
  })
  await engine.setPaused("a", true)
  assert.equal(await engine.listPaused(), ["a"])
  runner.start()
  await engine.add(job("a"))
  await engine.add(job("b"))
  await clock.advance(2000)
  assert.equal(runs, ["b"])
  await engine.setPaused("a", false)
  await clock.advance(2000)
  assert.equal(runs, ["b", "a"])
  await close()
})

test("an attempt is an operation on the channels of jobs", async () => {
  const seen: string[] = []
  const listener = (message: unknown) => {
    const { kind, name, attributes, error } = message as Operation
    seen.push(`${kind} ${name} ${attributes["fw.job.attempt"]} ${(error as Error)?.message}`)
  }
  subscribe("fw:job:end", listener)
  const { runner, engine, clock, close } = await open({
    mail: file(
      (_payload, { attempt }) => {
        if (attempt === 1) throw new Error("away")
      },
      { backoff: 1 },
    ),
  })
  runner.start()
  await engine.add(job("mail"))
  await clock.advance(3000)
  unsubscribe("fw:job:end", listener)
  assert.equal(seen, ["job mail 1 away", "job mail 2 undefined"])
  await close()
})

test("job.log writes log lines that name the job and hide secrets", async () => {
  const lines: unknown[] = []
  const listener = (message: unknown) => {
    const { time: _, ...line } = (message as LogMessage).record
    lines.push(line)
  }
  subscribe("fw:log", listener)
  const { runner, engine, clock, close } = await open({
    mail: file((_payload, { log }) => log.with({ to: "ada" }).warn("sent", { password: "moon" })),
  })
  runner.start()
  await engine.add(job("mail"))
  await clock.advance(1000)
  unsubscribe("fw:log", listener)
  const jobFields = { job: "mail", jobID: "1", attempt: 1 }
  assert.equal(lines, [{ level: "warn", message: "sent", ...jobFields, to: "ada", password: "[masked]" }])
  await close()
})

test("two versions of a program run only the jobs that they know", async () => {
  const runs: string[] = []
  const path = join(directory, "versions.db")
  const old = await open({ a: file(() => runs.push("old a")) }, { path })
  const current = await open({ b: file(() => runs.push("new b")) }, { path })
  old.runner.start()
  current.runner.start()
  await old.engine.add(job("b"))
  await current.engine.add(job("a"))
  await Promise.all([old.clock.advance(1000), current.clock.advance(1000)])
  assert.equal(runs.sort(), ["new b", "old a"])
  await old.close()
  await current.close()
})

test("a payload that no longer matches its type is a dead letter at once, with the reason", async () => {
  const $payload = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate: (value: unknown) =>
        typeof (value as { payload: { email?: unknown } }).payload.email === "string"
          ? { value }
          : { issues: [{ message: "expected a string", path: ["payload", "email"] }] },
    },
  }
  const runs: unknown[] = []
  const { runner, engine, clock, close } = await open({ mail: { ...file((payload) => runs.push(payload)), $payload } })
  await engine.add(job("mail", { payload: '{"address":"ada@shop.example"}' }))
  await engine.add(job("mail", { payload: '{"email":"ada@shop.example"}' }))
  runner.start()
  await clock.advance(1000)
  assert.equal(runs, [{ email: "ada@shop.example" }])
  const [failed] = await engine.list({}, 10)
  assert.is(failed?.state, "failed")
  assert.match(failed?.error ?? "", /the payload of the job "mail" does not fit its type: email: expected a string/)
  await close()
})

test("a job whose validator throws is tried again, because its payload may be correct", async () => {
  let attempts = 0
  const $payload = {
    "~standard": {
      version: 1,
      vendor: "test",
      validate(value: unknown) {
        attempts += 1
        // A program may throw anything.
        if (attempts === 1) throw "the database is away"
        if (attempts === 2) throw new Error("it is still away")
        return { value }
      },
    },
  }
  const runs: unknown[] = []
  const { runner, engine, clock, errors, close } = await open({
    mail: { ...file((payload) => runs.push(payload)), $payload },
  })
  runner.start()
  await engine.add(job("mail", { payload: '{"email":"ada"}' }))
  await clock.advance(120_000)
  assert.equal(errors.map(String), ["the database is away", "Error: it is still away"])
  assert.equal(runs, [{ email: "ada" }])
  assert.equal(await states(engine), [])
  await close()
})

test.run()
