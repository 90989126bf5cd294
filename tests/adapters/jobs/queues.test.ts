/** Tests of what Cloudflare Queues cannot do: errors when a worker starts, and when a worker adds a job. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { createJobs, serveJobs } from "../../../adapters/jobs.ts"
import { App } from "../../../lib/app.ts"
import type { FwError } from "../../../lib/errors.ts"
import { machineClock } from "../../../lib/jobs/clock.ts"
import { resetJobs } from "../../../lib/jobs/jobs.ts"
import type { AddOptions } from "../../../lib/jobs/new-job.ts"
import { type TestJob, toJobRoutes } from "../../support/jobs/workshop.ts"

async function findCode(work: () => unknown): Promise<string> {
  try {
    await work()
    return ""
  } catch (error) {
    return `${(error as FwError).code}: ${(error as FwError).message}`
  }
}

async function start(options: object = {}, Job = () => {}) {
  const app = new App({ logger: false })
  await app.mount(toJobRoutes({ report: { Job, options } as TestJob }))
  return serveJobs(app)
}

test.after(() => resetJobs(undefined, machineClock))

const lacking: readonly (readonly [options: object, message: string])[] = [
  [{ concurrency: 1 }, "need concurrency"],
  [{ concurrency: { limit: 1, key: String } }, "need concurrency by key"],
  [{ priority: 1 }, "need priority"],
  [{ unique: true }, "need unique"],
  [{ retries: 101 }, "the option retries of a job has a value that the job engine cloudflare cannot have"],
  [{ timeout: 900 }, "the option timeout of a job has a value"],
  [{ schedule: "0 3 * * *", missed: "once" }, "the option missed of a job has a value"],
]
for (const [options, message] of lacking)
  test(`a worker does not start with the options ${JSON.stringify(options)}: ${message}`, async () => {
    const answer = await findCode(() => start(options))
    assert.match(answer, "job_engine: ")
    assert.match(answer, message)
  })

const refused: readonly (readonly [AddOptions, payload: unknown, message: string])[] = [
  [{ delay: 43_300 }, 1, 'the job "report" was added with a delay of 43300 s'],
  [{ unique: "a" }, 1, "need unique"],
  [{ tx: {} }, 1, "was given a transaction"],
  [{}, "x".repeat(130_000), "has 130002 bytes, and may have 120000"],
  [{}, 1, "the worker has no queue with the binding JOBS"],
]
for (const [options, payload, message] of refused)
  test(`the error of a job that cannot be added says: ${message}`, async () => {
    await start()
    const jobs = createJobs<{ report: unknown }>()
    assert.match(await findCode(() => jobs.add("report", payload, options)), message)
  })

test("a message is delivered again if the program does not have its job, or if there is no queue for failed jobs", async () => {
  const worker = await start({ retries: 0 }, () => {
    throw new Error("no mail server")
  })
  const calls: unknown[] = []
  const message = (name: string, attempts: number) => ({
    body: { id: "1", name, payload: "" },
    attempts,
    ack: () => calls.push("ack"),
    retry: ({ delaySeconds }: { delaySeconds: number }) => calls.push(delaySeconds),
  })
  await worker.queue({ messages: [message("gone", 1), message("report", 1)] }, {})
  // There is no queue with the binding JOBS_FAILED.
  assert.equal(calls, [60, 60])
})

test.run()
