// Tests of broken templates: every beginning of every fixture, and a thousand templates with missing, doubled or
// moved pieces. The compiler never hangs or throws, and its output contains every template that it could read.

import { test } from "uvu"
import * as assert from "uvu/assert"
import { compile } from "../../template/index.ts"
import { random } from "../support/random.ts"
import { checkBeginnings, checkDamaged, damage, fixtures } from "../support/template/damage.ts"

const seed = Number(process.env.FW_TEST_SEED ?? Date.now() % 1_000_000)

test("the output for every beginning of every fixture is TypeScript without errors before its last words", async () => {
  for (const source of fixtures) {
    for (let end = 0; end <= source.length; end++) compile(source.slice(0, end), "x.tpl")
    assert.ok((await checkBeginnings(source, 10)) > 0)
  }
})

test(`randomly damaged sources keep the templates before the damage (FW_TEST_SEED=${seed})`, async () => {
  const numbers = random(seed)
  for (let round = 0; round < 1000; round++) {
    const source = numbers.pick(fixtures)
    const what = `round ${round} of seed ${seed}`
    await checkDamaged(compile(source, "x.tpl"), damage(source, numbers), what)
  }
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
      const { diagnostics } = compile(`template Page() {${body}}`, "x.tpl")
      assert.ok(diagnostics.length <= 20, `${size} times ${open}`)
    }
  }
})

test.run()
