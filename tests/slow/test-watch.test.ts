/** Tests of `fw test --watch`: when it runs again, and how it ends. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { program } from "../support/bin/cli/command.ts"
import { alive, makeProject, write } from "../support/bin/dev/dev-project.ts"

const head = 'import assert from "node:assert/strict"\nimport { test } from "node:test"\n'

/** A running command and its output. */
class Watch {
  readonly child: ChildProcess
  #output = ""
  #seen = 0
  #look: () => void = () => {}

  constructor(cwd: string) {
    this.child = spawn(process.execPath, [program, "test", "--watch"], {
      cwd,
      stdio: ["ignore", "pipe", "pipe"],
    })
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#output += text
        this.#look()
      })
    this.child.once("close", () => this.#look())
  }

  /** Waits for a text after the one of the last call. Returns the output until then. */
  async says(pattern: RegExp): Promise<string> {
    // A command that runs again and again prints all the time, so the time limit is for the whole wait.
    const late = setTimeout(() => this.child.kill("SIGKILL"), 60_000)
    try {
      return await this.#find(pattern)
    } finally {
      clearTimeout(late)
    }
  }

  async #find(pattern: RegExp): Promise<string> {
    for (;;) {
      const rest = this.#output.slice(this.#seen)
      const found = pattern.exec(rest)
      if (found) {
        this.#seen += found.index + found[0].length
        return rest.slice(0, found.index + found[0].length)
      }
      if (this.child.exitCode !== null || this.child.signalCode !== null)
        throw new Error(`ended without ${pattern}:\n${this.#output}`)
      await new Promise<void>((resolve) => {
        this.#look = resolve
      })
    }
  }
}

test("fw test --watch runs again only after a change that can affect the tests", async () => {
  const cwd = makeProject({
    "lib/sum.ts": "export const sum = 3\n",
    "main.ts": "export default 1\n",
    "tests/sum.test.ts": `${head}import { sum } from "../lib/sum.ts"\ntest("sum", () => assert.equal(sum, 2))\n`,
    "tests/pid.test.ts": `${head}import { writeFileSync } from "node:fs"\ntest("pid", () => writeFileSync("pid.txt", String(process.pid)))\n`,
  })
  const watch = new Watch(cwd)
  await watch.says(/1 failed, 1 passed .*\nWaiting/)
  // The first change does not concern the tests, so the only line about a change names the second one.
  write(cwd, { "README.md": "# Shop\n" })
  write(cwd, { "lib/sum.ts": "export const sum = 2\n" })
  assert.match(await watch.says(/2 passed .*\nWaiting/), /^[^R]*Running again: lib\/sum\.ts changed\.\n/)
  write(cwd, { "lib/sum.ts": "export const sum = = 2\n" })
  assert.match(await watch.says(/Waiting/), /lib\/sum\.ts:1:20/)
  write(cwd, {
    "lib/sum.ts": "export const sum = 2\n",
    "tests/new.test.ts": `${head}test("new", () => {})\n`,
  })
  await watch.says(/3 passed .*\nWaiting/)
  const ended = once(watch.child, "close")
  watch.child.kill("SIGTERM")
  assert.is((await ended)[0], 0)
})

test("fw test --watch leaves no process when it is stopped during a run", async () => {
  const cwd = makeProject({
    "main.ts": "export default 1\n",
    "tests/long.test.ts": `${head}test("long", () => new Promise(() => {
  setInterval(() => {}, 1000)
  console.log("pid", process.pid, process.ppid, ".")
}))\n`,
  })
  const watch = new Watch(cwd)
  const [, ...pids] = /pid (\d+) (\d+) \./.exec(await watch.says(/pid \d+ \d+ \./)) ?? []
  const ended = once(watch.child, "close")
  watch.child.kill("SIGINT")
  assert.is((await ended)[0], 130)
  assert.equal(alive(pids.map(Number)), [])
  assert.equal(readdirSync(join(cwd, ".fw/tests")), [])
})

test.run()
