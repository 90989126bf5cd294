/**
 * Measures the processor time of each file of the fast suite, with all programs that it starts. A file that takes
 * much of it is a candidate for `tests/slow/`.
 * `node bench/tests.mjs [name …]`, after a build. Each file runs in a process of its own, one after the other.
 */
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { filesBelow, root } from "../scripts/common.mjs"
import { runtimesDirectory } from "../scripts/runtimes.mjs"
import { suiteOf } from "../scripts/schedule.mjs"
import { temporaryDirectory } from "../scripts/temporary.mjs"

const names = process.argv.slice(2)
const files = filesBelow(join(root, "dist", "tests"))
  .map((file) => `dist/tests/${file}`)
  .filter((file) => file.endsWith(".test.js") && suiteOf(file) === "fast")
  .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
const env = { ...process.env, ...temporaryDirectory(), FW_RUNTIMES: runtimesDirectory(), LC_ALL: "C" }

/** Seconds of one file. bash's own clock counts the programs below it, too. */
function measure(file) {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1'
  const { status, stderr } = spawnSync("bash", ["-c", script, "bench", process.execPath, file], {
    cwd: root,
    encoding: "utf8",
    env,
  })
  const [user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number)
  return { file, seconds: user + system, failed: status !== 0 }
}

const measured = files.map(measure).sort((a, b) => b.seconds - a.seconds)
for (const { file, seconds, failed } of measured)
  console.log(`${seconds.toFixed(2).padStart(7)} s  ${file}${failed ? "  (fails)" : ""}`)
const total = measured.reduce((sum, { seconds }) => sum + seconds, 0)
console.log(`${total.toFixed(2).padStart(7)} s  in total, ${files.length} files`)
