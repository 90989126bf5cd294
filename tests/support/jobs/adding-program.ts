/** A process that adds a job. Like a test of an application, it does not close its engine. */
import { machineClock } from "../../../lib/jobs/jobs.ts"
import { createTestEngine } from "./engines.ts"
import { startProcess } from "./workshop.ts"

const { ENGINE = "", ADDRESS = "" } = process.env

const { engine, disconnect } = await createTestEngine(ENGINE, ADDRESS)
const { errors } = await startProcess({ added: { Job() {} } }, engine, machineClock)
await engine.add({ name: "added", payload: "", due: Date.now() + 3_600_000, priority: 0 })
await disconnect()
process.exitCode = errors.length
