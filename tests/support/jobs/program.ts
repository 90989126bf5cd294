/**
 * A process that runs jobs, for tests that kill it. It writes to the file in `NOTES` what each job does: `begin key
 * pid`, and `end key pid` or `lost key pid`. `LEASE` is the lease in milliseconds.
 */
import { appendFileSync } from "node:fs"
import type { JobContext } from "../../../lib/jobs/definition.ts"
import { machineClock } from "../../../lib/jobs/jobs.ts"
import { createTestEngine } from "./engines.ts"
import { startProcess, type TestJob } from "./workshop.ts"

const { ENGINE = "", ADDRESS = "", NOTES = "", LEASE = "" } = process.env

function note(what: string, key: string): void {
  appendFileSync(NOTES, `${what} ${key} ${process.pid}\n`)
}

const Job = (async ({ key, wait }: { key: string; wait: number }, { signal }: JobContext) => {
  note("begin", key)
  await machineClock.wait(wait, signal)
  note(signal.aborted ? "lost" : "end", key)
  signal.throwIfAborted()
}) as TestJob["Job"]

const files: Readonly<Record<string, TestJob>> = {
  many: { Job, options: { retries: 1000, backoff: 0.01 } },
  single: { Job, options: { retries: 1000, backoff: 0.01, concurrency: 1 } },
}
const { engine, disconnect } = await createTestEngine(ENGINE, ADDRESS)
const { runner } = await startProcess(files, engine, machineClock, 4, Number(LEASE))
runner.start()
process.once("SIGTERM", async () => {
  await runner.stop(5_000)
  await engine.close()
  await disconnect()
})
