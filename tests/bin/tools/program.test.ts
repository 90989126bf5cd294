/** Tests of programs that the command runs: how they end and fail, and that no process of them remains. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { hideSecrets, type ProgramOptions, runProgram, startProgram } from "../../../bin/tools/program.ts"
import { FwError } from "../../../lib/errors.ts"
import { project } from "../../support/bin/cli/command.ts"
import { alive } from "../../support/bin/dev/dev-project.ts"

const cwd = project({})
const node = (code: string, more: Partial<ProgramOptions> = {}): ProgramOptions => ({
  program: process.execPath,
  args: ["-e", code],
  cwd,
  ...more,
})

/** The source of a parent and a child process that ignore SIGTERM. Each writes its process id when it does so. */
const stubborn = `
process.on("SIGTERM", () => {})
require("node:child_process").spawn(process.execPath, ["-e", 'process.on("SIGTERM", () => {}); console.log(process.pid); setInterval(() => {}, 1e6)'], { stdio: "inherit" })
console.log(process.pid)
setInterval(() => {}, 1e6)`

const runs = suite("runs")

runs("the result contains the output, separately and together", async () => {
  const end = await runProgram(
    node(`console.log("a"); console.error("é"); process.stdin.on("data", (t) => process.stdout.write(String(t)))`, {
      stdin: { text: "read" },
    }),
  )
  assert.is(end.code, 0)
  assert.is(end.stdout, "a\nread")
  assert.is(end.stderr, "é\n")
  assert.is(end.output.length, end.stdout.length + end.stderr.length)
})

runs("lines are reported when they are written, also a last line without a line break", async () => {
  const lines: string[] = []
  await runProgram(
    node(`process.stdout.write("one\\r\\ntw"); setTimeout(() => process.stdout.write("o\\n\\nlast"), 20)`, {
      onLine: (line, from) => lines.push(`${from} ${line}`),
    }),
  )
  assert.equal(lines, ["stdout one", "stdout two", "stdout ", "stdout last"])
})

runs("the option keep limits the output to its end", async () => {
  const { stdout } = await runProgram(node(`process.stdout.write("x".repeat(300000) + "end")`, { keep: 5 }))
  assert.is(stdout, "xxend")
})

runs("arguments and environment are passed unchanged", async () => {
  const { stdout } = await runProgram({
    program: process.execPath,
    args: ["-p", "JSON.stringify([process.argv.slice(1), process.env.X, process.env.HOME])", "$X;`a` *", ""],
    cwd,
    env: { X: "y" },
  })
  assert.equal(JSON.parse(stdout), [["$X;`a` *", ""], "y", null])
})

runs.run()

const failures = suite("failures")

const table: ReadonlyArray<readonly [string, ProgramOptions, string, string, string]> = [
  [
    "a program that is not installed",
    { program: "fw-no-such-program", args: [], cwd },
    "program_missing",
    "fw-no-such-program is not installed, or not in PATH",
    "Install fw-no-such-program, or add its directory to PATH.",
  ],
  [
    "a missing program for which the caller gives the advice",
    { program: "fw-no-such-program", args: [], cwd, name: "git", missing: "Get it." },
    "program_missing",
    "git is not installed, or not in PATH",
    "Get it.",
  ],
  [
    "a missing working directory",
    { program: process.execPath, args: [], cwd: join(cwd, "nope") },
    "program_start",
    `node cannot run in ${join(cwd, "nope")}: there is no such directory`,
    "Create the directory, or run this in another one.",
  ],
  [
    "a failure with a message on stderr",
    node(`console.log("aside"); console.error("\\x1b[31mno\\x1b[0m\\nroom"); process.exitCode = 3`, {
      name: "tool",
    }),
    "program_failed",
    "tool ended with exit code 3:\nno\nroom",
    "Fix what it reports, then run this again.",
  ],
  [
    "a failure with a message on stdout",
    node("", {
      args: ["-e", `console.log("on stdout"); process.exitCode = 1`, "install", "-x"],
      failed: "Do.",
    }),
    "program_failed",
    "node install ended with exit code 1:\non stdout",
    "Do.",
  ],
  [
    "a program that a signal ended",
    node(`process.kill(process.pid, "SIGKILL")`),
    "program_failed",
    "node was ended by SIGKILL",
    "Fix what it reports, then run this again.",
  ],
]
for (const [what, order, code, message, fix] of table) {
  failures(`the error says what to do: ${what}`, async () => {
    const error = await runProgram(order).catch((error) => error)
    assert.instance(error, FwError)
    assert.equal({ code: error.code, message: error.message, fix: error.fix }, { code, message, fix })
  })
}

failures("a file that is not executable is an error that names the file", async () => {
  writeFileSync(join(cwd, "plain"), "text")
  const error = await runProgram({ program: join(cwd, "plain"), args: [], cwd }).catch((error) => error)
  assert.is(error.code, "program_start")
  assert.match(error.message, /^plain does not start: .*EACCES/)
})

failures("only the last lines of an error are reported, and no secrets", async () => {
  const error = await runProgram(
    node(
      `for (let i = 0; i < 50; i++) console.error("line", i); console.error("at https://user:word@host/x _authToken=abc"); process.exit(1)`,
    ),
  ).catch((error) => error)
  assert.match(error.message, /^node ended with exit code 1:\nline 31\n/)
  assert.match(error.message, /\nat https:\/\/\*\*\*@host\/x _authToken=\*\*\*$/)
  assert.is(hideSecrets("ssh://git@host and a@b.c"), "ssh://***@host and a@b.c")
})

failures.run()

const ends = suite("ends")

ends("with an aborted signal no program starts, and the reason of the signal is thrown", async () => {
  const error = await runProgram(node("", { signal: AbortSignal.abort(new Error("mine")) })).catch((error) => error)
  assert.is(error.message, "mine")
})

ends("aborting ends a program with SIGTERM", async () => {
  const controller = new AbortController()
  const running = startProgram(
    node(
      `process.on("SIGTERM", () => { console.log("tidy"); process.exit(0) }); console.log("up"); setInterval(() => {}, 1e6)`,
      {
        signal: controller.signal,
        onLine: (line) => line === "up" && controller.abort(),
      },
    ),
  )
  const { code, stdout } = await running.ended
  assert.equal({ code, stdout }, { code: 0, stdout: "up\ntidy\n" })
})

ends("stopping ends the whole tree of processes, also processes that ignore SIGTERM", async () => {
  const pids: number[] = []
  const running = startProgram(
    node(stubborn, {
      onLine: (line) => {
        if (pids.push(Number(line)) === 2) void running.stop()
      },
    }),
  )
  const { signal } = await running.ended
  assert.is(signal, "SIGKILL")
  assert.is(pids.length, 2)
  assert.equal(alive(pids), [])
})

ends("a process that left the process tree and keeps a pipe open is not waited for", async () => {
  const leave = `const child = require("node:child_process").spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "inherit", detached: true }); console.log(child.pid); child.unref()`
  const { stdout } = await runProgram(node(leave))
  assert.equal(alive([Number(stdout)]), [Number(stdout)])
  process.kill(Number(stdout), "SIGKILL")
})

for (const signal of ["SIGINT", "SIGKILL"] as const) {
  ends(`when ${signal} ends a process, the programs that the process started end too`, async () => {
    const module = new URL("../../../bin/tools/program.ts", import.meta.url).href
    const code = `import { startProgram } from ${JSON.stringify(module)}
startProgram({ program: process.execPath, args: ["-e", ${JSON.stringify(stubborn)}], cwd: ${JSON.stringify(cwd)}, onLine: (line) => console.log(line) })`
    const parent = spawn(process.execPath, [...process.execArgv, "--input-type=module", "-e", code], {
      stdio: ["ignore", "pipe", "inherit"],
    })
    const pids: number[] = []
    let rest = ""
    parent.stdout.setEncoding("utf8").on("data", (text: string) => {
      rest += text
      const lines = rest.split("\n")
      rest = lines.pop() as string
      pids.push(...lines.map(Number))
      if (pids.length === 2) parent.kill(signal)
    })
    await once(parent, "exit")
    assert.is(pids.length, 2)
    // Another process ends the programs, so the test waits until they are gone.
    while (alive(pids).length > 0) await new Promise((resolve) => setImmediate(resolve))
  })
}

ends.run()
