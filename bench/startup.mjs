/**
 * Measures the cost of `fw --version`, next to `node -e 0`. Editors and scripts run it to find out the version.
 *
 *     node bench/startup.mjs [--runs 40] [--node node] [--fw dist/bin/fw.js]
 *
 * Both are started in turn, so that other work of the machine affects both. bash's `time` reports the processor time
 * of each (user and system, from wait4) and the wall clock; the medians are compared. Aim: at most 1.15 times the
 * processor time. Exit code 1 otherwise.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { parseArgs } from "node:util"

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "40" },
    node: { type: "string", default: process.execPath },
    fw: { type: "string", default: join(import.meta.dirname, "..", "dist", "bin", "fw.js") },
  },
})
const aim = 1.15

/** One start, in milliseconds. */
function start(args) {
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null'
  const { status, stderr } = spawnSync("bash", ["-c", script, "bash", options.node, ...args], {
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
  })
  if (status !== 0) throw new Error(stderr)
  const [wall, user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number)
  return { wall: wall * 1000, cpu: (user + system) * 1000 }
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

const kinds = { "node -e 0": ["-e", "0"], "fw --version": [options.fw, "--version"] }
const taken = Object.fromEntries(Object.keys(kinds).map((name) => [name, []]))
// The first reads the files from the disk.
for (const args of Object.values(kinds)) start(args)
for (let run = 0; run < Number(options.runs); run += 1) {
  for (const [name, args] of Object.entries(kinds)) taken[name].push(start(args))
}

const medians = Object.entries(taken).map(([name, starts]) => ({
  name,
  cpu: median(starts.map(({ cpu }) => cpu)),
  wall: median(starts.map(({ wall }) => wall)),
}))
for (const { name, cpu, wall } of medians) {
  console.log(`${name.padEnd(14)} processor ${cpu.toFixed(1)} ms   wall ${wall.toFixed(1)} ms`)
}
const [bare, fw] = medians
const [cpu, wall] = [fw.cpu / bare.cpu, fw.wall / bare.wall]
console.log(
  `fw --version is ${cpu.toFixed(2)} times node -e 0 by processor, ${wall.toFixed(2)} by the wall clock (aim: ${aim})`,
)
if (cpu > aim) process.exitCode = 1
