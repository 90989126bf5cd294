/**
 * Runs test files one after the other in this process, by uvu's own queue, as `uvu/run` does. Prints the name of each file
 * before its tests and a summary after them; scripts/runner.mjs reads both.
 */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { formatTitle } from "./runner.mjs"

// Makes uvu wait for `exec()`. uvu reads this variable when it is loaded.
globalThis.UVU_DEFER = true
const { exec } = await import("uvu")
const directory = process.cwd()
const env = { ...process.env }

let hasFailed = false

for (const file of process.argv.slice(2)) {
  process.stdout.write(formatTitle(file))
  globalThis.UVU_QUEUE = [[null]]
  try {
    await import(pathToFileURL(resolve(directory, file)).href)
    if (globalThis.UVU_QUEUE[0].length > 1) await exec()
    hasFailed ||= process.exitCode === 1
  } catch (error) {
    // Standard output, as for the titles: two streams could arrive in another order.
    console.log(error)
  }
  // Undoes changes of environment variables, which a file makes for its own tests.
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}
// uvu sets an exit code when a test fails, but scripts/runner.mjs reads the summaries instead.
process.exitCode = 0
// A failed test may have left servers open, which would keep this process running.
if (hasFailed) process.exit()
