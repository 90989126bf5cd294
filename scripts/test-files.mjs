/**
 * Runs test files one after the other in this process, with uvu's own queue, which `uvu/run` uses too. The name of each
 * is printed before it, and a summary of its tests after it: scripts/runner.mjs reads both.
 */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { formatTitle } from "./runner.mjs"

// Makes uvu wait for `exec()`. It reads this when it is loaded.
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
    // To the stream of the titles: two streams may arrive in another order.
    console.log(error)
  }
  // A file sets variables for its own tests.
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
}
// The summaries say what failed.
process.exitCode = 0
// A test that failed may have left open what it would have closed.
if (hasFailed) process.exit()
