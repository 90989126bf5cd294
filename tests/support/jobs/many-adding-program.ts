/** A process that adds `COUNT` jobs, ten calls at the same time. The keys of the jobs begin with its number. */
import { machineClock } from "../../../lib/jobs/clock.ts"
import { createTestEngine } from "./engines.ts"
import { createJob, startProcess } from "./workshop.ts"

const { ENGINE = "", ADDRESS = "", COUNT = "" } = process.env

const { engine, disconnect } = await createTestEngine(ENGINE, ADDRESS)
await startProcess({ many: { Job() {} } }, engine, machineClock)
let count = 0
const addSome = async () => {
  while (count < Number(COUNT)) {
    count += 1
    await engine.add(createJob("many", { payload: JSON.stringify({ key: `${process.pid}-${count}`, wait: 0 }) }))
  }
}
await Promise.all(Array.from({ length: 10 }, addSome))
await engine.close()
await disconnect()
