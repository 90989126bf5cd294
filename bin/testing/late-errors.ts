/**
 * Loaded into every process of a test run: passes errors that nothing catches to the reporter. Of one that comes after its test,
 * Node's runner says only that the file failed.
 */
import { inspect } from "node:util"
import { lateLine } from "./records.ts"

process.on("uncaughtExceptionMonitor", pass)
process.on("unhandledRejection", (error) => {
  pass(error)
  // The runner listens as well. Before it does, Node itself would end the process.
  if (process.listenerCount("unhandledRejection") === 1) throw error
})

function pass(error: unknown): void {
  process.stderr.write(`${lateLine}${JSON.stringify(inspect(error))}\n`)
}
