/** Sends the requests of a row by the program `wrk`, with one thread and a script in Lua. */
import { execFile, execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { headers, rows } from "./workload.mjs"

/** Returns true if `wrk` is installed. */
export function hasWrk() {
  try {
    // Without arguments it prints its help, with exit code 1.
    execFileSync("wrk", ["-v"], { stdio: "ignore" })
    return true
  } catch (error) {
    return error.code !== "ENOENT"
  }
}

/** Returns a function that sends the requests of a row for some seconds, and returns the number of answers. */
export function createWrkDriver(pinned) {
  const folder = mkdtempSync(join(tmpdir(), "fw-bench-wrk-"))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  for (const row of Object.keys(rows)) writeFileSync(join(folder, `${row}.lua`), writeScript(rows[row]))
  return async ({ port, row, connections, milliseconds }) => {
    const command = [
      ...pinned,
      "wrk",
      ...["-t1", `-c${connections}`, `-d${Math.ceil(milliseconds / 1000)}s`],
      ...["-s", join(folder, `${row}.lua`), `http://127.0.0.1:${port}`],
    ]
    const { stdout } = await promisify(execFile)(command[0], command.slice(1), { encoding: "utf8" })
    const [, count, time] = /(\d+) requests in ([\d.]+)s/.exec(stdout) ?? []
    if (count === undefined || stdout.includes("Non-2xx")) throw new Error(`wrk failed: ${stdout}`)
    return { count: Number(count), milliseconds: Number(time) * 1000 }
  }
}

function writeScript({ method, targets, body }) {
  const all = body === undefined ? headers : { ...headers, "Content-Type": "application/json" }
  const fields = Object.entries(all).map(([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`)
  return `wrk.method = ${quote(method)}
${fields.join("\n")}
${body === undefined ? "" : `wrk.body = ${quote(body)}`}
local targets = { ${targets.map(quote).join(", ")} }
local list = {}
local at = 0
init = function()
  for i, target in ipairs(targets) do list[i] = wrk.format(nil, target) end
end
request = function()
  at = at % #list + 1
  return list[at]
end
`
}

function quote(text) {
  return JSON.stringify(text)
}
