/** Tests of what all commands share: exit codes, `--json` and failures, and of the program as a shell starts it. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { FwError } from "../../../lib/errors.ts"
import { fw, program, project, runNode } from "../../support/bin/cli/command.ts"
import { makeTable } from "../../support/bin/cli/commands.ts"

const table = makeTable()
const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8"))

const results = suite("results")

results("the result of a command is printed to stdout, and nothing is printed to stderr", async () => {
  assert.equal(await fw(["openapi", "generate"], {}, table), {
    code: 0,
    stdout: '{"version":"1.0.0"}\n',
    stderr: "",
  })
})

results('--json prints an object with "success" and the data of the command', async () => {
  const { stdout } = await fw(["openapi", "generate", "--json"], {}, table)
  assert.is(stdout, '{\n  "success": true,\n  "data": {\n    "version": "1.0.0"\n  }\n}\n')
})

results("progress is printed to stdout, and to stderr with --json", async () => {
  assert.equal(await fw(["noisy"], {}, table), { code: 0, stdout: "half way\n", stderr: "" })
  const ran = await fw(["noisy", "--json"], {}, table)
  assert.is(ran.stderr, "half way\n")
  assert.equal(JSON.parse(ran.stdout), { success: true, data: { done: true } })
})

results("a command without data prints null with --json", async () => {
  assert.equal(JSON.parse((await fw(["wait", "--json"], {}, table)).stdout), { success: true, data: null })
})

results("--version prints the version, as text and as data", async () => {
  assert.equal(await fw(["--version"]), { code: 0, stdout: `fw ${version}\n`, stderr: "" })
  assert.equal(await fw(["--version", "--json=false"]), await fw(["--version"]))
  assert.equal(JSON.parse((await fw(["--version", "--json"])).stdout), { success: true, data: { version } })
})

results.run()

const failures = suite("failures")

failures("a wrong command line exits with 2, also with --json", async () => {
  const ran = await fw(["genrate"], {}, table)
  assert.equal(ran, {
    code: 2,
    stdout: "",
    stderr: 'error: there is no command "fw genrate"\n  Did you mean "fw generate"?\n',
  })
  const json = await fw(["genrate", "--json"], {}, table)
  assert.is(json.code, 2)
  assert.is(json.stderr, "")
  assert.equal(JSON.parse(json.stdout), {
    success: false,
    error: {
      code: "unknown_command",
      message: 'there is no command "fw genrate"',
      fix: 'Did you mean "fw generate"?',
    },
  })
})

const at = { file: "app/route.ts", line: 3, column: 7 }
const placed = new FwError("bad_export", "there is no such export", "Write Get.", { at })
const gathered = Object.assign(new FwError("scan", "two things", "Fix these 2 problems."), {
  problems: [placed, new FwError("other", "something else", "Do that.", { at: { file: "app/b.ts" } })],
})
const disk = Object.assign(new Error("EACCES: permission denied, open 'x'"), {
  code: "EACCES",
  syscall: "open",
})

const shown: ReadonlyArray<readonly [string, unknown, string, Record<string, unknown>]> = [
  [
    "at a place",
    placed,
    "error: app/route.ts:3:7: there is no such export\n  Write Get.\n  More: fw help bad_export\n",
    { code: "bad_export", message: "there is no such export", fix: "Write Get.", at },
  ],
  [
    "with several problems",
    gathered,
    "error: app/route.ts:3:7: there is no such export\n  Write Get.\nerror: app/b.ts: something else\n  Do that.\n  More: fw help bad_export\n  More: fw help other\n",
    {
      code: "scan",
      message: "two things",
      fix: "Fix these 2 problems.",
      problems: [
        { code: "bad_export", message: "there is no such export", fix: "Write Get.", at },
        { code: "other", message: "something else", fix: "Do that.", at: { file: "app/b.ts" } },
      ],
    },
  ],
  [
    "that the system reports",
    disk,
    "error: EACCES: permission denied, open 'x'\n  Check that the file or address exists and may be used.\n",
    {
      code: "EACCES",
      message: "EACCES: permission denied, open 'x'",
      fix: "Check that the file or address exists and may be used.",
    },
  ],
]
for (const [what, error, text, data] of shown) {
  failures(`a failure ${what} exits with 1`, async () => {
    const failing = makeTable(error)
    assert.equal(await fw(["list-all"], {}, failing), { code: 1, stdout: "", stderr: text })
    const json = await fw(["list-all", "--json"], {}, failing)
    assert.is(json.code, 1)
    assert.is(json.stderr, "")
    assert.equal(JSON.parse(json.stdout), { success: false, error: data })
  })
}

failures("a bug in fw is reported as such, with its stack", async () => {
  const ran = await fw(["list-all"], {}, makeTable(new TypeError("x is not a function")))
  assert.is(ran.code, 1)
  assert.match(ran.stderr, /^error: x is not a function\n {2}This is a bug in fw/)
  assert.match(ran.stderr, /\n {4}at .*command\.test/)
  const json = await fw(["list-all", "--json"], {}, makeTable("just text"))
  assert.is(JSON.parse(json.stdout).error.code, "internal_error")
  assert.is(JSON.parse(json.stdout).error.message, "just text")
})

failures("FW_LOG_LEVEL=debug prints the stack of every failure", async () => {
  const ran = await fw(["list-all"], { env: { FW_LOG_LEVEL: "debug" } }, makeTable(placed))
  assert.match(ran.stderr, /\n {4}at /)
})

failures("a command that Ctrl-C ends prints nothing and exits with 130", async () => {
  const ran = await fw(["wait"], { signal: AbortSignal.abort() }, table)
  assert.equal(ran, { code: 130, stdout: "", stderr: "" })
})

failures.run()

const shell = suite("the program")

shell("the program prints its version", async () => {
  assert.equal(await runNode([program, "--version"]), { code: 0, stdout: `fw ${version}\n`, stderr: "" })
})

shell("the program exits with 2 for a wrong command line and with 1 for a failure", async () => {
  assert.is((await runNode([program, "bogus"])).code, 2)
  assert.is((await runNode([program, "routes"], { cwd: project({}) })).code, 1)
})

shell("the program succeeds if the reader of its output closes early", async () => {
  const child = spawn(process.execPath, [program, "--help"], { stdio: ["ignore", "pipe", "pipe"] })
  // The reader is gone long before the first word is written.
  child.stdout.destroy()
  let complaint = ""
  child.stderr.on("data", (chunk) => {
    complaint += chunk
  })
  const [code] = await once(child, "close")
  assert.equal({ code, complaint }, { code: 0, complaint: "" })
})

shell.run()
