// Broken templates: every beginning of every fixture, and thousands with pieces missing, doubled or
// moved. The compiler never hangs or throws; it says where the error is, or its output can be parsed.

import { readdirSync, readFileSync } from "node:fs"
import { type Message, transform } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type Compiled, compile, mapMessages } from "../../lib/template/index.ts"

// This file runs from dist/tests/slow/.
const folder = new URL("../../../tests/fixtures/template/", import.meta.url)
const sources = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => readFileSync(new URL(`${entry.name}/template.tpl`, folder), "utf8"))

const seed = Number(process.env.FW_TEST_SEED ?? Date.now() % 1_000_000)

/** Mulberry32: small, and the same everywhere for the same seed. */
function generator(state: number): () => number {
  let at = state
  return () => {
    at = (at + 0x6d2b79f5) | 0
    let value = Math.imul(at ^ (at >>> 15), 1 | at)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Compiles, and checks what any outcome must hold. Gives the output where there is one. */
function check(source: string, what: string): Compiled | undefined {
  const started = performance.now()
  const compiled = compile(source, "x.tpl")
  const { code, diagnostics } = compiled
  const time = performance.now() - started
  assert.ok(time < 5000, `${what}: ${time} ms for\n${source}`)
  for (const { offset, line, column, message, frame } of diagnostics) {
    assert.ok(message !== "" && frame.includes("^"), what)
    assert.ok(offset >= 0 && offset <= source.length && line >= 1 && column >= 1, what)
  }
  assert.is(code === "", diagnostics.length > 0, what)
  return diagnostics.length > 0 ? undefined : compiled
}

/** Checks that an error of esbuild has a position that exists in the `.tpl`. */
async function checkOutput(compiled: Compiled): Promise<void> {
  const { source, code } = compiled
  let errors: Message[] = []
  try {
    await transform(code.slice(0, code.lastIndexOf("//# ")), { loader: "ts", logLevel: "silent" })
  } catch (error) {
    errors = (error as { errors: Message[] }).errors
  }
  const messages = errors.map(({ text, location }) => ({
    text,
    line: location?.line ?? 1,
    column: location?.column ?? 0,
  }))
  for (const { line, message } of mapMessages(compiled, messages)) {
    assert.ok(line <= source.split("\n").length, `${message}\n${source}\n${code}`)
  }
  for (const { line, text } of messages) {
    assert.ok(line > 4, `${text}: an error in what the compiler wrote by itself\n${source}\n${code}`)
  }
}

/** Parses outputs, several at a time. */
async function checkOutputs(outputs: readonly Compiled[]): Promise<void> {
  for (let at = 0; at < outputs.length; at += 50)
    await Promise.all(outputs.slice(at, at + 50).map(checkOutput))
}

test("the compiler accepts or refuses every beginning of every fixture, and does not crash", async () => {
  const outputs = sources.flatMap((source) =>
    Array.from(
      { length: source.length + 1 },
      (_, end) => check(source.slice(0, end), `beginning of ${end}`) ?? [],
    ),
  )
  const all = outputs.flat()
  assert.ok(all.length > sources.length)
  // Many beginnings differ only in the text between templates: a part of them is enough for esbuild.
  await checkOutputs(all.filter((_, index) => index % 10 === 0))
})

test(`the compiler accepts or refuses randomly damaged sources, and does not crash (FW_TEST_SEED=${seed})`, async () => {
  const random = generator(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  const pieces = [
    "{",
    "}",
    "(",
    ")",
    "<",
    ">",
    "/",
    '"',
    "'",
    "`",
    "${",
    "{{",
    "}}",
    "</",
    "<!--",
    "/*",
    "//",
    "\n",
    "<p>",
    "</p>",
    "<script>",
    "{if (x) {",
    "template A(",
    " await ",
    "\\",
    "<title>",
    "$fw",
    "]",
    ";",
    ",",
    "\ud800",
    "case",
    "=>",
    "...",
  ]
  const outputs: Compiled[] = []
  for (let round = 0; round < 2500; round++) {
    let source = sources[below(sources.length)] ?? ""
    for (let times = 1 + below(3); times > 0; times--) {
      const at = below(source.length)
      const length = below(random() < 0.8 ? 4 : 60)
      const inserted =
        random() < 0.5
          ? ""
          : random() < 0.7
            ? (pieces[below(pieces.length)] ?? "")
            : source.slice(at, at + length)
      source = source.slice(0, at) + inserted + source.slice(at + length)
    }
    const output = check(source, `round ${round} of seed ${seed}`)
    if (output) outputs.push(output)
  }
  await checkOutputs(outputs)
})

test("deep and long sources do not hang the compiler or overflow its stack", () => {
  const sizes = [1000, 20_000]
  for (const size of sizes) {
    for (const [open, close] of [
      ["<div>", "</div>"],
      ["{if (x) {", "}}"],
      ["{", "}"],
      ["{(", ")}"],
      ["<", ""],
      ["{A() {", "}}"],
      ["<!--", ""],
      ["{`${", "}`}"],
      ["<p a=", ">"],
      ["<script>", ""],
      ["<script><!--", ""],
      ["{/", ""],
      ["\n", ""],
      ["<title>{", ""],
      ["<p {...a} b={[", ""],
      ["template A() {", "}"],
      ["\ntemplate A() {", ""],
    ] as const) {
      const body = open.repeat(size) + close.repeat(size)
      const started = performance.now()
      const { diagnostics } = compile(`template Page() {${body}}`, "x.tpl")
      const time = performance.now() - started
      assert.ok(time < 5000, `${size} times ${open}: ${time} ms`)
      assert.ok(diagnostics.length <= 20)
    }
  }
})

test.run()
