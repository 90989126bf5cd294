/**
 * Tests of the CSS compiler from npm packages, which is used if its release cannot be downloaded: really installed,
 * and run in a real project.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { ensureCSS } from "../../bin/css/binary.ts"
import type { FwError } from "../../lib/errors.ts"
import { fakeIo, fw, program, project } from "../support/bin/cli/command.ts"

/** Nothing listens at this address, and it needs no DNS lookup. */
const release = "http://127.0.0.1:9/releases"
const home = project({})
const env = { HOME: home, PATH: process.env.PATH, npm_config_cache: process.env.npm_config_cache }
const createCache = (directory: string) => {
  const kept = join(directory, ".cache/fw/bin")
  return existsSync(kept) ? readdirSync(kept) : []
}
const name = `tailwindcss-npm-${process.platform}-${process.arch}-v4.0.0`

test("several installs at the same time succeed, and say why the compiler comes from npm", async () => {
  const worlds = [fakeIo({ env }), fakeIo({ env }), fakeIo({ env })]
  const found = await Promise.all(worlds.map(({ io }) => ensureCSS(io, { release })))
  for (const { path, installed } of found)
    assert.equal([path, installed], [join(home, ".cache/fw/bin", name, "compiler.mjs"), true])
  for (const { stderr } of worlds)
    assert.match(stderr(), /^Installing the CSS compiler v4\.0\.0 from npm, because its release is out of reach$/m)
  assert.equal(createCache(home), [name])
})

test("the installed compiler is found, compiles the classes of the project, and prints its version", async () => {
  const cwd = project({
    "styles/input.css": '@import "tailwindcss";\n.card { @apply p-[17px]; }\n',
    "app/page.tpl": `template Page() {\n  <p class="md:flex text-red-500">x</p>\n}\n`,
    "lib/view.ts": 'export const button = "rounded-[9px]"\n',
  })
  const { code, stderr } = await fw(["css", "build"], { cwd, env })
  assert.equal([code, stderr], [0, ""])
  const css = readFileSync(join(cwd, "static/css/output.css"), "utf8")
  for (const part of [
    ".md\\:flex",
    ".text-red-500",
    ".rounded-\\[9px\\]",
    ".card{padding:17px}",
    "box-sizing:border-box",
  ])
    assert.ok(css.includes(part), part)
  const info = await fw(["css", "info", "--json"], { cwd, env })
  assert.is(JSON.parse(info.stdout).data.version, "4.0.0")
})

test("a compile error is reported as with the standalone program", async () => {
  const cwd = project({ "styles/input.css": '@import "tailwindcss";\n.card { @apply nope; }\n' })
  const { code, stderr } = await fw(["css", "build"], { cwd, env })
  assert.is(code, 1)
  assert.match(stderr, /styles\/input\.css:2:\d+: the styles do not compile: Cannot apply unknown utility class/)
})

test("fw css watch follows changes, and leaves no process", async () => {
  const cwd = project({
    "styles/input.css": '@import "tailwindcss";\n',
    "app/page.tpl": "template Page() {}",
  })
  const child: ChildProcess = spawn(process.execPath, [program, "css", "watch"], {
    cwd,
    env: { ...process.env, ...env },
  })
  const built = async () => {
    for (;;) {
      const [text] = (await once(child.stdout as NodeJS.ReadableStream, "data")) as [Buffer]
      if (text.includes("static/css/output.css")) return readFileSync(join(cwd, "static/css/output.css"), "utf8")
    }
  }
  assert.not((await built()).includes("mt-7"))
  writeFileSync(join(cwd, "app/page.tpl"), `template Page() {\n  <p class="mt-7">x</p>\n}\n`)
  while (!(await built()).includes("mt-7"));
  child.kill("SIGINT")
  await once(child, "close")
})

test("if npm's registry cannot be reached either, the message names both", async () => {
  const elsewhere = project({})
  const { io } = fakeIo({
    env: {
      ...env,
      HOME: elsewhere,
      npm_config_registry: "http://127.0.0.1:9/",
      npm_config_cache: project({}),
    },
  })
  const error = (await ensureCSS(io, { release }).catch((reason: unknown) => reason)) as FwError
  assert.is(error.code, "css_download")
  assert.match(error.message, /cannot reach http.*The installation from npm failed too: /)
  assert.equal(createCache(elsewhere), [])
})

test("a configured mirror that fails is an error, without a fallback to npm", async () => {
  const elsewhere = project({})
  const { io, stderr } = fakeIo({ env: { ...env, HOME: elsewhere, FW_CSS_BASE_URL: "http://127.0.0.1:9/x" } })
  const error = (await ensureCSS(io).catch((reason: unknown) => reason)) as FwError
  assert.is(error.code, "css_download")
  assert.not.match(stderr(), "npm")
  assert.equal(createCache(elsewhere), [])
})

test.run()
