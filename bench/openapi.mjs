/** Measures how long `fw openapi generate` takes for 200 routes, as a user runs it. `node bench/openapi.mjs [routes] [runs]`, after a build. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { manyRoutes } from "../dist/tests/support/bin/openapi/openapi-many.js"

const checkout = dirname(dirname(fileURLToPath(import.meta.url)))
const [count = "200", runs = "7"] = process.argv.slice(2)
const root = mkdtempSync(join(tmpdir(), "fw-bench-openapi-"))

/** @param {readonly number[]} values */
function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
}

try {
  mkdirSync(join(root, "node_modules"))
  for (const name of ["fw", "typescript"]) {
    const target = name === "fw" ? checkout : join(checkout, "node_modules", name)
    symlinkSync(target, join(root, "node_modules", name), "dir")
  }
  for (const [file, text] of Object.entries(manyRoutes(Number(count)))) {
    mkdirSync(dirname(join(root, file)), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  const wall = []
  const cpu = []
  // bash's own clock counts the processor time of the command and of TypeScript below it.
  const script = 'TIMEFORMAT="cpu %U %S"; time "$@"'
  for (let i = 0; i < Number(runs); i++) {
    const start = performance.now()
    const args = [
      "-c",
      script,
      "bench",
      process.execPath,
      join(checkout, "dist/bin/fw.js"),
      "openapi",
      "generate",
      "--json",
    ]
    const { status, stdout, stderr } = spawnSync("bash", args, { cwd: root, encoding: "utf8" })
    wall.push(performance.now() - start)
    if (status !== 0) throw new Error(stdout + stderr)
    const { data } = JSON.parse(stdout)
    if (data.operations !== Number(count) || !data.typed) throw new Error(stdout)
    const [, user, system] = /cpu ([\d.]+) ([\d.]+)/.exec(stderr) ?? []
    cpu.push((Number(user) + Number(system)) * 1000)
  }
  const size = readFileSync(join(root, "openapi.json")).length
  console.log(
    `${cpus()[0]?.model}, Node ${process.versions.node}, ${runs} runs of ${count} routes, ${size} bytes`,
  )
  for (const [name, values] of Object.entries({ wall, cpu }))
    console.log(
      `${name}: median ${Math.round(median(values))} ms, least ${Math.round(Math.min(...values))} ms`,
    )
} finally {
  rmSync(root, { recursive: true, force: true })
}
