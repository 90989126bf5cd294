/** A process that adds a job. Like a test of an application, it does not close its engine. */
import { machineClock } from "../../../lib/jobs/clock.ts"
import { createTestEngine } from "./engines.ts"
import { createJob, startProcess } from "./workshop.ts"

const { ENGINE = "", ADDRESS = "" } = process.env

const { engine, disconnect } = await createTestEngine(ENGINE, ADDRESS)
const { errors } = await startProcess({ added: { Job() {} } }, engine, machineClock)
await engine.add(createJob("added", { delay: 3_600_000 }))
await disconnect()
process.exitCode = errors.length
