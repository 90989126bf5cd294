/**
 * A process that runs jobs, for tests that kill it. It writes to the file in `NOTES` what each job does: `begin key
 * pid`, then `end key pid`, and `lost key pid` when it learns that it has lost its claim. `LEASE` is the lease in
 * milliseconds.
 */
import { appendFileSync, existsSync } from "node:fs"
import { machineClock, wait as sleep } from "../../../lib/jobs/clock.ts"
import type { JobContext } from "../../../lib/jobs/definition.ts"
import { createTestEngine } from "./engines.ts"
import { startProcess, type TestJob } from "./workshop.ts"

const { ENGINE = "", ADDRESS = "", NOTES = "", LEASE = "" } = process.env

function note(what: string, key: string): void {
  appendFileSync(NOTES, `${what} ${key} ${process.pid}\n`)
}

/** The payload of all jobs. */
interface Payload {
  readonly key: string
  /** How long the job waits, in milliseconds. */
  readonly wait: number
  /** A file. The job waits again and again until it exists. */
  readonly file?: string
}

const Job = (async ({ key, wait, file }: Payload, { signal }: JobContext) => {
  note("begin", key)
  do await sleep(machineClock, wait, signal)
  while (file !== undefined && !existsSync(file) && !signal.aborted)
  note(signal.aborted ? "lost" : "end", key)
  signal.throwIfAborted()
}) as TestJob["Job"]

const files: Readonly<Record<string, TestJob>> = {
  many: { Job, options: { retries: 1000, backoff: 0.01 } },
  single: { Job, options: { retries: 1000, backoff: 0.01, concurrency: 1 } },
}
const { engine, disconnect } = await createTestEngine(ENGINE, ADDRESS)
const finish = engine.finish.bind(engine)
engine.finish = async (job) => {
  const isOurs = await finish(job)
  if (!isOurs) note("lost", (JSON.parse(job.data.payload) as Payload).key)
  return isOurs
}
const { runner } = await startProcess(files, engine, machineClock, 4, Number(LEASE))
runner.start()
process.once("SIGTERM", async () => {
  await runner.stop(5_000)
  await engine.close()
  await disconnect()
})
