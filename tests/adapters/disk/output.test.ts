/**
 * Tests of standard output on Node with real processes: no line is lost, split or out of order, and a program goes
 * on if nothing reads its output.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { createOutput, type WriteSync } from "../../../adapters/disk/output.ts"

/** The compiled module, made once: otherwise each process would have to strip the types again. */
const directory = mkdtempSync(join(tmpdir(), "fw-output-"))
const adapter = join(directory, "output.mjs")
await build({
  entryPoints: [fileURLToPath(new URL("../../../adapters/disk/output.ts", import.meta.url))],
  outfile: adapter,
})
test.after(() => rmSync(directory, { recursive: true }))

/** Flags with which Node runs a program that it gets as an argument. */
const flags = ["--input-type=module", "-e"]

/** Starts a process that runs a program with the functions `out` and `lines(n)`. */
function run(program: string, stdout: "pipe" | number = "pipe"): ChildProcess {
  const prelude = `
    import { createOutput } from ${JSON.stringify(adapter)}
    const out = createOutput(process.stdout)
    const lines = (n) => { for (let i = 0; i < n; i++) out.write("line " + i + " " + "x".repeat(60) + "\\n") }
  `
  return spawn(process.execPath, [...flags, prelude + program], { stdio: ["pipe", stdout, "pipe", "ipc"] })
}

const expected = (count: number) => Array.from({ length: count }, (_, i) => `line ${i} ${"x".repeat(60)}\n`).join("")

/** Reads a stream in small pieces, and lets the writer run between them. */
async function sip(stream: NodeJS.ReadableStream): Promise<string> {
  let text = ""
  for await (const chunk of stream) {
    text += chunk
    await new Promise(setImmediate)
  }
  return text
}

const endings: [name: string, program: string, code: number][] = [
  ["process.exit()", "lines(10000); process.exit(3)", 3],
  ["its natural end", "lines(10000)", 0],
  ["an uncaught exception", "lines(10000); throw new Error('boom')", 1],
  [
    "an unhandled rejection",
    "lines(10000); Promise.reject(new Error('boom')); await new Promise(() => setInterval(() => {}, 1000))",
    1,
  ],
  ["its natural end with an exit handler that logs", "process.on('exit', () => lines(10000))", 0],
  [
    "a handler of SIGTERM that calls process.exit()",
    "process.on('SIGTERM', () => { lines(10000); process.exit(7) }); process.kill(process.pid, 'SIGTERM'); setInterval(() => {}, 1000)",
    7,
  ],
  [
    "process.exit() in a later turn",
    "lines(9000); setImmediate(() => { for (let i = 9000; i < 10000; i++) out.write('line ' + i + ' ' + 'x'.repeat(60) + '\\n'); process.exit() })",
    0,
  ],
]
for (const [name, program, code] of endings) {
  test(`all 10,000 lines reach a slow pipe if the process ends by ${name}`, async () => {
    const child = run(program)
    const [text, [exit]] = await Promise.all([sip(child.stdout as NodeJS.ReadableStream), once(child, "close")])
    assert.ok(text === expected(10_000), `the text of ${text.length} characters that arrived is wrong`)
    assert.is(exit, code)
  })
}

for (const signal of ["SIGTERM", "SIGKILL"] as const) {
  test(`${signal}, which ends a waiting process at once, loses no line`, async () => {
    // The process sends a message two turns of the event loop after its last line.
    const child = run(
      "lines(100); process.once('message', () => {}); setImmediate(() => setImmediate(() => process.send('waits')))",
    )
    const text = sip(child.stdout as NodeJS.ReadableStream)
    await once(child, "message")
    child.kill(signal)
    assert.equal((await once(child, "exit"))[1], signal)
    assert.is(await text, expected(100))
  })
}

test("all lines reach a file", async () => {
  const file = openSync(join(directory, "log"), "w")
  await once(run("lines(10000); process.exit()", file), "close")
  closeSync(file)
  assert.ok(readFileSync(join(directory, "log"), "utf8") === expected(10_000))
})

test("a reader that does not read does not stop the process, and gets every line later", async () => {
  // The text is much larger than a pipe's buffer. The message proves that the event loop goes on meanwhile.
  const child = run(
    "lines(10000); setImmediate(() => process.send('alive')); process.once('message', () => process.exit())",
  )
  assert.is((await once(child, "message"))[0], "alive")
  const text = sip(child.stdout as NodeJS.ReadableStream)
  child.send("go")
  assert.ok((await text) === expected(10_000))
})

test("a reader that closes the pipe does not end the process", async () => {
  const child = run(
    "process.once('message', () => { lines(10000); setImmediate(() => { lines(10); process.send('alive') }) })",
  )
  child.stdout?.destroy()
  await once(child.stdout as NodeJS.ReadableStream, "close")
  child.send("go")
  assert.is((await once(child, "message"))[0], "alive")
  if (child.exitCode === null) await once(child, "exit")
  assert.is(child.exitCode, 0)
})

test("lines of several processes in one pipe never mix", async () => {
  const writer = `
    import { createOutput } from ${JSON.stringify(adapter)}
    const out = createOutput(process.stdout)
    for (let i = 0; i < 3000; i++) out.write(process.pid + " " + "x".repeat(80) + " end\\n")
  `
  const child = run(`
    import { spawn } from "node:child_process"
    const args = ${JSON.stringify([...flags, writer])}
    for (let i = 0; i < 3; i++) spawn(process.execPath, args, { stdio: "inherit" })
  `)
  const text = await sip(child.stdout as NodeJS.ReadableStream)
  const rows = text.split("\n").slice(0, -1)
  assert.is(rows.length, 9000)
  assert.equal(
    rows.filter((row) => !/^\d+ x{80} end$/.test(row)),
    [],
  )
})

/** Creates an output over a pipe that accepts as many bytes as `takes` says, and is full afterwards. */
function fakePipe(isTTY: boolean) {
  const pipe = {
    text: "",
    takes: Number.POSITIVE_INFINITY,
    calls: 0,
    refusals: 0,
    failure: "EAGAIN",
    pieces: [] as string[],
  }
  const before = new Set(process.listeners("exit"))
  const write: WriteSync = (_fd, bytes, offset, length) => {
    pipe.calls++
    const count = Math.min(length, pipe.takes)
    if (count === 0 || pipe.refusals-- > 0) throw Object.assign(new Error(pipe.failure), { code: pipe.failure })
    pipe.takes -= count
    const piece = Buffer.from(bytes.subarray(offset, offset + count)).toString()
    pipe.pieces.push(piece)
    pipe.text += piece
    return count
  }
  const out = createOutput({ fd: 1, isTTY }, write)
  const [exit] = process.listeners("exit").filter((listener) => !before.has(listener))
  if (exit) process.removeListener("exit", exit)
  return { pipe, out, exit: exit as () => void }
}

test("a terminal gets each line at once, and other outputs get lines in batches", () => {
  for (const [isTTY, calls] of [
    [true, 3],
    [false, 0],
  ] as const) {
    const { pipe, out, exit } = fakePipe(isTTY)
    assert.is(out.isTerminal, isTTY)
    for (let i = 0; i < 3; i++) out.write("line\n")
    assert.is(pipe.calls, calls)
    exit()
    assert.is(pipe.text, "line\nline\nline\n")
  }
})

const turn = () => new Promise(setImmediate)

test("lines are written together at the end of the turn", async () => {
  const { pipe, out, exit } = fakePipe(false)
  for (const [at, lines] of ["one\ntwo\n", "three\n"].entries()) {
    const before = pipe.text
    for (const line of lines.match(/.*\n/g) ?? []) out.write(line)
    assert.is(pipe.text, before)
    await turn()
    assert.is(pipe.text, before + lines)
    assert.is(pipe.calls, at + 1)
  }
  exit()
})

test("a partial write is continued where it stopped", () => {
  const { pipe, out, exit } = fakePipe(true)
  pipe.takes = 3
  out.write("0123456789 é\n")
  out.write("next\n")
  assert.is(pipe.text, "012")
  pipe.takes = Number.POSITIVE_INFINITY
  exit()
  assert.is(pipe.text, "0123456789 é\nnext\n")
})

test("a batch is written in pieces of whole lines, each small enough for one write to a pipe", () => {
  const { pipe, out, exit } = fakePipe(false)
  for (let i = 0; i < 1000; i++) out.write(`line ${i} ${"x".repeat(i % 100)}\n`)
  exit()
  assert.equal(
    pipe.pieces.filter((piece) => piece.length > 4096 || !piece.endsWith("\n")),
    [],
  )
  assert.ok(pipe.pieces.length < 25, `there were ${pipe.pieces.length} writes`)
})

test("a line that is too long for one write to a pipe is written whole", () => {
  const { pipe, out, exit } = fakePipe(false)
  const lines = ["a\n", `${"b".repeat(10_000)}\n`, "c\n", "é".repeat(5000)]
  for (const line of lines) out.write(line)
  exit()
  assert.is(pipe.text, lines.join(""))
})

test("a pipe that is full for a while gets the lines in their order", () => {
  const { pipe, out, exit } = fakePipe(false)
  let expected = ""
  for (let at = 0; at < 20_000; at++) {
    // The pipe accepts no bytes, a part of a batch, or everything.
    if (at % 1000 === 0) pipe.takes = ([0, 9000, Number.POSITIVE_INFINITY] as const)[(at / 1000) % 3] as number
    out.write(`line ${at}\n`)
    expected += `line ${at}\n`
  }
  pipe.takes = Number.POSITIVE_INFINITY
  exit()
  assert.ok(pipe.text === expected, `only ${pipe.text.length} of ${expected.length} characters arrived`)
})

test("the process waits for a reader that is 8 MiB behind", () => {
  const { pipe, out } = fakePipe(false)
  pipe.refusals = 20
  const line = `${"x".repeat(1024 * 1024)}\n`
  for (let i = 0; i < 8; i++) out.write(line)
  assert.is(pipe.text, line.repeat(8))
})

for (const code of ["EPIPE", "EIO", "ENOSPC", "EBADF"]) {
  test(`the error ${code} drops the batch and throws nothing`, () => {
    const { pipe, out, exit } = fakePipe(true)
    Object.assign(pipe, { takes: 0, failure: code })
    out.write("lost\n")
    pipe.takes = Number.POSITIVE_INFINITY
    out.write("kept\n")
    exit()
    assert.is(pipe.text, "kept\n")
  })
}

test.run()
