/** Tests of `jobs.add()`, of the options of job files, and of `testJobs()`. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import type { database } from "../../../adapters/db.ts"
import {
  createJobs,
  type PgbossJobsOptions,
  pgbossJobs,
  setJobEngine,
  sqliteJobs,
  testJobs,
} from "../../../adapters/jobs.ts"
import { App } from "../../../lib/app.ts"
import type { FwError } from "../../../lib/errors.ts"
import { machineClock } from "../../../lib/jobs/clock.ts"
import type { JobContext, JobOptions } from "../../../lib/jobs/definition.ts"
import { resetJobs } from "../../../lib/jobs/jobs.ts"
import { mountedJobs } from "../../../lib/jobs/registry.ts"
import { newFile, sqliteClients } from "../../support/db/open.ts"
import { type TestJob, toJobRoutes } from "../../support/jobs/workshop.ts"

type Payloads = { "mail/welcome": { email: string }; report: undefined; other: { at?: Date } | undefined }
const jobs = createJobs<Payloads>()
const runs: unknown[] = []

const $payload = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value: { payload?: { email?: unknown } }) =>
      typeof value.payload?.email === "string"
        ? { value }
        : { issues: [{ message: "expected a string", path: ["payload", { key: "email" }] }] },
  },
}

async function mount(options: JobOptions = {}, extra: Partial<TestJob> = {}): Promise<void> {
  const run = (name: string) =>
    ((payload: unknown, { attempt }: JobContext) => runs.push([name, payload, attempt])) as TestJob["Job"]
  const files = {
    "mail/welcome": { Job: run("mail/welcome"), options, $payload, ...extra },
    report: { Job: run("report") },
    other: { Job: run("other") },
  }
  await new App({ logger: false }).mount(toJobRoutes(files))
}

async function findCode(work: () => unknown): Promise<string> {
  try {
    await work()
    return ""
  } catch (error) {
    return `${(error as FwError).code}: ${(error as FwError).message}`
  }
}

test.before.each(async () => {
  runs.length = 0
  await mount()
})

test("a job is added with its payload, and runs with it", async () => {
  const queue = testJobs()
  assert.is(await jobs.add("mail/welcome", { email: "ada@shop.example" }), "1")
  await jobs.add("report")
  assert.equal(await queue.list(), [
    { name: "mail/welcome", payload: { email: "ada@shop.example" } },
    { name: "report", payload: undefined },
  ])
  await queue.run()
  assert.equal(runs, [
    ["mail/welcome", { email: "ada@shop.example" }, 1],
    ["report", undefined, 1],
  ])
  assert.equal(await queue.list(), [])
})

test("a job with a delay or a time does not run earlier", async () => {
  const queue = testJobs()
  await jobs.add("report", undefined, { delay: 60 })
  await jobs.add("other", {}, { at: new Date(Date.now() + 120_000) })
  for (const [seconds, count] of [
    [0, 0],
    [59, 0],
    [2, 1],
    [60, 2],
  ] as const) {
    queue.advance(seconds)
    await queue.run()
    assert.is(runs.length, count)
  }
})

test("run() rejects with the error of a job that fails, and the job runs again later", async () => {
  let calls = 0
  await mount(
    {},
    {
      Job: (() => {
        calls += 1
        if (calls === 1) throw new Error("no mail server")
      }) as TestJob["Job"],
    },
  )
  const queue = testJobs()
  await jobs.add("mail/welcome", { email: "ada@shop.example" })
  assert.is(await findCode(() => queue.run()), "undefined: no mail server")
  queue.advance(20)
  await queue.run()
  assert.is(calls, 2)
})

const circular: Record<string, unknown> = {}
circular.self = circular

for (const [what, add, expected] of [
  ["an unknown name", () => jobs.add("mail/welcom" as "report"), 'job_name: there is no job "mail/welcom"'],
  [
    "a payload that does not fit its type",
    () => jobs.add("mail/welcome", { email: 7 as never }),
    'job_payload: the payload of the job "mail/welcome" does not fit its type: email: expected a string',
  ],
  ["no payload", () => jobs.add("mail/welcome", undefined as never), "job_payload: "],
  [
    "a circular payload",
    () => jobs.add("other", circular),
    'job_payload: the payload of the job "other" is not JSON: ',
  ],
  [
    "a function as its payload",
    () => jobs.add("other", (() => {}) as never),
    'job_payload: the payload of the job "other" is not JSON: it is a function',
  ],
  [
    "a large payload",
    () => jobs.add("other", { at: "€".repeat(400_000) as never }),
    'job_payload: the payload of the job "other" has 1200',
  ],
  ["an unknown option", () => jobs.add("report", undefined, { wait: 1 } as never), "job_options: "],
  [
    "both delay and at",
    () => jobs.add("report", undefined, { delay: 1, at: new Date() }),
    'job_options: jobs.add("report") was given both delay and at',
  ],
  ["a delay that is a text", () => jobs.add("report", undefined, { delay: "1" as never }), "job_options: "],
  ["an invalid Date", () => jobs.add("report", undefined, { at: new Date("x") }), "job_options: "],
  [
    "a transaction of an engine that has no transactions",
    () => jobs.add("report", undefined, { tx: {} }),
    "job_engine: jobs.add() was given a transaction",
  ],
] as const)
  test(`a job that is added with ${what} is an error`, async () => {
    testJobs()
    const found = await findCode(add)
    assert.ok(found.startsWith(expected), found)
  })

for (const [what, options, expected] of [
  ["an unknown option", { retrys: 1 }, 'has no option "retrys"'],
  ["a wrong number", { retries: -1 }, "the option retries of a job has the value -1"],
  ["a limit of 0", { concurrency: 0 }, "the option concurrency of a job has the value 0"],
  ["a limit without a key", { concurrency: { limit: 1 } }, "the option concurrency of a job has the value an object"],
  ["a wrong rule", { missed: "some" }, 'the option missed of a job has the value "some"'],
  ["a wrong schedule", { schedule: "0 25 * * *" }, 'the schedule "0 25 * * *" is not valid'],
  [
    "a wrong zone",
    { schedule: "0 3 * * *", timezone: "Europe/Bonn" },
    'the schedule "0 3 * * *" in Europe/Bonn is not valid',
  ],
  ["a schedule without a time", { schedule: "0 0 30 2 *" }, "it has no time in the future"],
] as const)
  test(`options of a job file: ${what} is an error with the file`, async () => {
    await mount(options as JobOptions)
    testJobs()
    try {
      await jobs.add("report")
      assert.unreachable()
    } catch (error) {
      const { code, message, at } = error as FwError
      assert.is(code, "job_options")
      assert.ok(message.includes(expected), message)
      if (what !== "an unknown option") assert.is(at?.file, "app/mail/welcome/job.ts")
    }
  })

test("a unique job is not added twice with the same payload, and a key or a function may decide what counts as the same", async () => {
  const add = (email: string, unique?: string) =>
    jobs.add("mail/welcome", { email }, unique === undefined ? {} : { unique })
  await mount({ unique: true })
  testJobs()
  assert.equal([await add("ada"), await add("bob"), await add("ada"), await add("ada", "key")], ["1", "2", null, "4"])
  await mount({ unique: (({ email }: { email: string }) => email.toLowerCase()) as never })
  testJobs()
  assert.equal([await add("ada"), await add("ADA"), await add("bob")], ["1", null, "3"])
})

test("a job that is added in a transaction exists only if the transaction is committed", async () => {
  for (const [client, open] of Object.entries(sqliteClients)) {
    const db = open(newFile())
    resetJobs(sqliteJobs({ database: db }), machineClock)
    await jobs.add("report")
    const undo = new Error("undo")
    const undone = db.transaction(async (tx) => {
      await jobs.add("report", undefined, { tx })
      throw undo
    })
    assert.is(await undone.catch((error) => error), undo)
    await db.transaction(async (tx) => void (await jobs.add("other", {}, { tx })))
    const rows = await db.query<{ name: string }>("SELECT name FROM fw_job ORDER BY id")
    assert.equal(
      rows.map(({ name }) => name),
      ["report", "other"],
      client,
    )
    await db.close()
  }
})

test("setJobEngine() and sqliteJobs() refuse values that do not fit, and setJobEngine() refuses calls after the first job", async () => {
  resetJobs(undefined, machineClock)
  assert.is(
    await findCode(() => setJobEngine({} as never)),
    "job_engine: setJobEngine() takes an engine of fw/jobs, not object",
  )
  assert.match(
    await findCode(() => sqliteJobs({ database: {} as never })),
    /^job_engine: sqliteJobs\(\) was given an object/,
  )
  const postgres = { engine: "PostgreSQL", query: async () => [] } as unknown as ReturnType<typeof database>
  assert.match(
    await findCode(() => sqliteJobs({ database: postgres })),
    /^job_engine: sqliteJobs\(\) was given PostgreSQL/,
  )
  setJobEngine(sqliteJobs({ file: ":memory:" }))
  await jobs.add("report")
  assert.match(
    await findCode(() => setJobEngine(sqliteJobs())),
    /^job_engine: setJobEngine\(\) was called after the first job/,
  )
})

test("pgbossJobs() without its class, with another database or on an old Node is an error that says so", async () => {
  const [PgBoss, db] = [class {}, { engine: "PostgreSQL" } as unknown as ReturnType<typeof database>]
  const wrong: readonly (readonly [PgbossJobsOptions, RegExp])[] = [
    [{ database: db } as never, /^job_engine: pgbossJobs\(\) was not given all/],
    [{ PgBoss, database: { engine: "SQLite" } as never }, /^job_engine: pgbossJobs\(\) was not given all/],
    [{ PgBoss, database: db, schema: "my jobs" }, /^job_engine: pgbossJobs\(\) was given "my jobs" as the schema/],
    [{ PgBoss, database: db, tables: "a" } as never, /^job_options: /],
  ]
  for (const [options, message] of wrong) assert.match(await findCode(() => pgbossJobs(options)), message)
  const { node } = process.versions
  Object.defineProperty(process.versions, "node", { value: "22.11.0", configurable: true })
  try {
    const open = async () => pgbossJobs({ PgBoss, database: db }).open({ queues: [], leaseMs: 1, clock: machineClock })
    assert.match(await findCode(open), /^job_engine: pg-boss does not run on Node 22\.11\.0/)
  } finally {
    Object.defineProperty(process.versions, "node", { value: node })
  }
})

test("adding a job without mounted job files is an error that says what to do", async () => {
  mountedJobs.routes = undefined
  testJobs()
  assert.match(await findCode(() => jobs.add("report")), /^job_name: jobs\.add\(\) was called before/)
})

test("without SQLite, the error says what needs SQLite, and what to do", () => {
  const directory = mkdtempSync(join(tmpdir(), "fw-jobs-"))
  const inRoot = (path: string) => new URL(`../../../${path}`, import.meta.url).href
  const program = `
    import { createJobs, testJobs } from ${JSON.stringify(inRoot("adapters/jobs.ts"))}
    import { mountedJobs } from ${JSON.stringify(inRoot("lib/jobs/registry.ts"))}
    import { toJobRoutes } from ${JSON.stringify(inRoot("tests/support/jobs/workshop.ts"))}
    mountedJobs.routes = toJobRoutes({ report: { Job() {} } })
    for (const call of [() => createJobs().add("report"), () => testJobs().list()])
      await call().catch(({ message, fix }) => console.log(message + " / " + fix))`
  writeFileSync(join(directory, "program.mjs"), program)
  const [major = 0] = process.versions.node.split(".").map(Number)
  const flags = [
    "--conditions=fw-source",
    ...(major < 24 ? [`--import=${inRoot("scripts/loader.mjs")}`] : []),
    ...(major < 22 ? [] : ["--no-experimental-sqlite"]),
  ]
  // Outside the checkout, the package better-sqlite3 is not found.
  const { stdout, stderr } = spawnSync(process.execPath, [...flags, "program.mjs"], {
    cwd: directory,
    encoding: "utf8",
  })
  rmSync(directory, { recursive: true })
  const lines = stdout.trim().split("\n")
  assert.match(
    lines[0] ?? stderr,
    /^the default engine of jobs and mails \(setJobEngine\(\) chooses another\) needs SQLite, and Node \S+ has none \/ /,
  )
  assert.match(
    lines[1] ?? stderr,
    /^testJobs\(\) needs SQLite, and Node \S+ has none \/ .*npm install better-sqlite3@12$/,
  )
})

test.run()
