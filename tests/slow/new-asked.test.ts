/** Tests of `fw new` in a terminal: its questions and its output. */
import { existsSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { stripVTControlCharacters } from "node:util"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { choose } from "../../bin/cli/prompt.ts"
import { readOwnManifest } from "../../bin/project/own-package.ts"
import { fakeIo } from "../support/bin/cli/command.ts"
import { fwNew, machine } from "../support/bin/new/new-world.ts"

const { version } = await readOwnManifest()

const asked = suite("what is asked")

for (const [keys, chosen] of [
  ["\r", "a"],
  ["\n", "a"],
  ["2\r", "b"],
  [" 3 \r", "c"],
  ["9\r2\r", "b"],
  ["x\r\r", "a"],
] as const) {
  asked(`the keys ${JSON.stringify(keys)} choose ${chosen}`, async () => {
    const { io, stdout } = fakeIo({ isTerminal: true, input: keys })
    const choices = ["a", "b", "c"].map((value) => ({
      value,
      label: value.toUpperCase(),
      hint: `as ${value}`,
    }))
    assert.is(await choose("Which?", choices, io), chosen)
    assert.is(stdout().includes("Write a number from 1 to 3."), /[x9]/.test(keys))
  })
}

asked("the answer decides which template is used", async () => {
  const world = machine({ git: false })
  const { code, stdout, stderr } = await fwNew(["shop"], { ...world, isTerminal: true, input: "2\r" })
  assert.is(code, 0, stderr)
  assert.match(stdout, "What do you want to create?")
  assert.is(existsSync(join(world.cwd, "shop/app/page.tpl")), false)
})

for (const [what, keys] of [
  ["Ctrl-C", "\x03"],
  ["Ctrl-D", "\x04"],
  ["Ctrl-C after a choice", "2\x03\r"],
  ["the end of the input", ""],
] as const) {
  asked(`${what} ends fw new, and nothing is left`, async () => {
    const world = machine()
    const { code, stderr } = await fwNew(["shop"], { ...world, isTerminal: true, input: keys })
    assert.equal({ code, stderr, left: readdirSync(world.cwd) }, { code: 130, stderr: "", left: [] })
  })
}

asked("an error about the name is reported before the questions", async () => {
  const world = machine()
  const { code, stdout } = await fwNew(["Shop"], { ...world, isTerminal: true, input: "\r" })
  assert.equal({ code, stdout }, { code: 1, stdout: "" })
})

for (const [keys, name, says] of [
  ["\r", "my-app", /my-app is ready/],
  ["shop\r", "shop", /shop is ready/],
  ["shox\x7fp\r", "shop", /shop is ready/],
  ["nonsense\x15shop\r", "shop", /shop is ready/],
  [" shop \r", "shop", /shop is ready/],
  ["My Shop\rshop\r", "shop", /the name of a package cannot have capital letters/],
  ["full\rshop\r", "shop", /full already exists, and it is not empty/],
] as const) {
  asked(`without a name in the command, the keys ${JSON.stringify(keys)} name the project ${name}`, async () => {
    const world = machine({ git: false })
    mkdirSync(join(world.cwd, "full/a"), { recursive: true })
    const given = { ...world, isTerminal: true, input: keys }
    const { code, stdout } = await fwNew(["--api-only"], given)
    assert.is(code, 0)
    const text = stripVTControlCharacters(stdout)
    assert.match(text, "What is the name of the project?")
    assert.match(text, says)
    assert.equal(readdirSync(world.cwd).sort(), ["full", name].sort())
  })
}

asked("the name is asked before the kind of project", async () => {
  const world = machine({ git: false })
  const { code, stdout } = await fwNew([], { ...world, isTerminal: true, input: "shop\r2\r" })
  assert.is(code, 0)
  assert.match(stripVTControlCharacters(stdout), /What is the name[\s\S]*What do you want to create\?/)
  assert.is(existsSync(join(world.cwd, "shop/app/page.tpl")), false)
})

for (const keys of ["\x03", "\x04", "sho\x03", "Shop\r\x03", ""]) {
  asked(`${JSON.stringify(keys)} at the question for the name ends fw new, and nothing is left`, async () => {
    const world = machine()
    const { code, stderr } = await fwNew([], { ...world, isTerminal: true, input: keys })
    assert.equal({ code, stderr, left: readdirSync(world.cwd) }, { code: 130, stderr: "", left: [] })
  })
}

for (const [args, isTerminal] of [
  [[], false],
  [["--api-only"], false],
  [["--skip-prompts"], true],
  [["--json"], true],
] as const) {
  asked(`${["fw new", ...args].join(" ")} needs the name ${isTerminal ? "on a" : "without a"} terminal`, async () => {
    const world = machine()
    const { code, stdout, stderr } = await fwNew(args, { ...world, isTerminal, input: "shop\r" })
    assert.is(code, 2)
    assert.match(stdout + stderr, "fw new needs <name>")
    assert.equal(readdirSync(world.cwd), [])
  })
}

asked("for an API, the printed address is one that the project answers", async () => {
  const world = machine()
  const { stdout } = await fwNew(["shop", "--api-only"], world)
  const [, path = ""] = /http:\/\/localhost:3000(\S*);/.exec(stdout) ?? []
  assert.is(path, "/api/health")
  assert.ok(existsSync(join(world.cwd, "shop/app", path, "route.ts")))
})

asked("each step is printed on a line, and then the next commands", async () => {
  const { stdout, stderr } = await fwNew(["shop", "--skip-prompts"], machine())
  assert.is(stderr, "")
  // A step that takes more than a second is also printed when it begins.
  assert.is(
    stdout.replace(/^ {2}… .*\n/gm, ""),
    `
  ✓ 34 files written
  ✓ fw ${version} packed into vendor/
  ✓ Packages installed
  ✓ Git repository with a first commit

  shop is ready.

    cd shop
    npm run dev    http://localhost:3000; every change shows as you save it
    npm test       test the application, without a server
    npm run build  one executable file, bin/shop

`,
  )
})

asked.run()
