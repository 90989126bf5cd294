/**
 * Runs several test files in this process, one after the other: `together.mjs MARK FILE...`. Lines that begin with the mark
 * say on both streams where a file begins, and on stdout what it changed and when it ended. `scripts/runner.mjs` reads them.
 */
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { setFlagsFromString } from "node:v8"

// The V8 of Node 20 optimizes much code that tests run only a few thousand times: without that, they take a fifth less.
if (process.versions.v8.startsWith("11.")) setFlagsFromString("--interrupt-budget=600000")

const [mark, ...files] = process.argv.slice(2)
const streams = [process.stdout, process.stderr]
const [say, sayError] = streams.map((stream) => {
  const { write } = stream
  return (/** @type {string} */ text) => {
    stream.write = write
    stream.write(`\n${mark} ${text}\n`)
  }
})

// Node makes these when they are first used.
const lazy = globals().flatMap(([name, { get }]) => (get ? name : []))
// Modules that switch logging off when they are imported do so for the first file only.
const env = { ...process.env, FW_LOG_LEVEL: "off" }
const cwd = process.cwd()
// Without this, uvu starts a file's suites by itself.
globalThis.UVU_DEFER = 1
const { exec, test } = await import("uvu")
for (const file of files) {
  const started = performance.now()
  say(`file ${file}`)
  sayError(`file ${file}`)
  process.argv.splice(1, Infinity, resolve(file))
  process.chdir(cwd)
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  globalThis.UVU_QUEUE = [[null]]
  const before = state()
  await import(pathToFileURL(resolve(file)).href)
  // Without a suite there is nothing to sum up.
  if (globalThis.UVU_QUEUE[0].length > 1) await exec()
  // Tests that the file forgot to run are not the next file's.
  test.run()
  const changed = difference(before, state())
  if (changed !== "") say(`changed ${changed}`)
  say(`ended ${(performance.now() - started) / 1000}`)
}
process.exitCode = 0

/** The parts of the process that a file must leave as they were. */
function state() {
  // Those of "exit" remove a file's directories. Any other changes how the process ends.
  const listened = process.eventNames().filter((name) => name !== "exit")
  return {
    globals: Object.fromEntries(globals().filter(([name]) => !lazy.includes(name))),
    console: { ...console },
    process: { umask: process.umask(), user: process.getuid?.(), effectiveUser: process.geteuid?.() },
    streams: Object.fromEntries(streams.map((stream, i) => [i, stream.write])),
    "listeners of process": Object.fromEntries(listened.map((name) => [name, process.listenerCount(name)])),
  }
}

function globals() {
  return Object.entries(Object.getOwnPropertyDescriptors(globalThis))
}

/** @param {Record<string, unknown>} before @param {Record<string, unknown>} after */
function difference(before, after) {
  return Object.keys(after)
    .flatMap((kind) => {
      const names = new Set([...Object.keys(before[kind]), ...Object.keys(after[kind])])
      const changed = [...names].filter((name) => !isDeepStrictEqual(before[kind][name], after[kind][name]))
      return changed.map((name) => `${kind} ${name}`)
    })
    .join(", ")
}
