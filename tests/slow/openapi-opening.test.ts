/** TypeScript starts while the routes of a project are still scanned, and the project's directory stays as it was. */
import { ChildProcess } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { EarlyTypes } from "../../bin/openapi/early-types.ts"
import { projectDocument } from "../../bin/openapi/openapi.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"

const handler = (type: string) =>
  `import type { Context } from "fw"\nexport function Get(c: Context) { return c.json(200, {} as ${type}) }\n`

const files = {
  "app/api/one/route.ts": handler("{ one: string }"),
  "app/api/two/route.ts": handler("{ two: string }"),
}

async function documentIn(root: string) {
  const { document, typed, warnings } = await projectDocument(root, { appDir: "app", title: "x" })
  assert.ok(typed)
  assert.equal(warnings, [])
  return document
}

const project = (more: Record<string, string> = {}) =>
  makeProject({ ...files, ...more }, ["fw", "typescript"])
const expected = await documentIn(project())

test("a project that has no .fw has none afterwards", async () => {
  const root = project()
  await documentIn(root)
  assert.not.ok(existsSync(join(root, ".fw")))
})

test("what is in .fw stays, and nothing is added", async () => {
  const root = project({ ".fw/routes.ts": "// mine" })
  assert.equal(await documentIn(root), expected)
  assert.equal(readdirSync(join(root, ".fw")), ["routes.ts"])
})

test("a project in which nothing can be written has the same document", async () => {
  const root = project()
  writeFileSync(join(root, ".fw"), "not a directory")
  assert.equal(await documentIn(root), expected)
})

test("several documents can be made at the same time", async () => {
  const root = project()
  const all = await Promise.all([1, 2, 3].map(() => documentIn(root)))
  assert.equal(all, [expected, expected, expected])
  if (existsSync(join(root, ".fw"))) assert.equal(readdirSync(join(root, ".fw")), [])
})

test("the options of the project's own tsconfig.json are used", async () => {
  const tsconfig = { compilerOptions: { module: "nodenext", paths: { "@three": ["./lib/three.ts"] } } }
  const root = project({
    "tsconfig.json": JSON.stringify(tsconfig),
    "lib/three.ts": "export interface Three { three: 3 }\n",
    "app/api/three/route.ts": `import type { Three } from "@three"\n${handler("Three")}`,
  })
  const { components } = (await documentIn(root)) as { components?: { schemas?: Record<string, object> } }
  assert.equal(Object.keys(components?.schemas?.Three ?? {}), ["type", "properties", "required"])
})

test("answers of TypeScript wait while other work is done", async () => {
  const root = project()
  const early = await EarlyTypes.start(root, null)
  const file = "app/api/two/route.ts"
  early.begin([
    { role: "route", file, place: { path: "", names: [], patterns: [], middleware: [], layout: null } },
  ])
  // In this time, another process of TypeScript starts, and reads the same and more.
  await documentIn(root)
  await readFile(join(root, file))
  const program = await early.take([file])
  if ("untyped" in program) throw new Error(program.untyped)
  assert.ok(program.file(file))
  program.close()
})

test("a program of other files than those of the scan is opened again", async () => {
  const root = project()
  const early = await EarlyTypes.start(root, null)
  early.begin([])
  const program = await early.take(["app/api/two/route.ts"])
  if ("untyped" in program) throw new Error(program.untyped)
  assert.ok(program.file("app/api/two/route.ts"))
  assert.not(program.file("app/api/one/route.ts"))
  program.close()
})

test("an error in the routes ends TypeScript's process, and leaves nothing behind", async () => {
  const root = project({ "app/api/three/route.ts": "export const Get = 3 +\n" })
  mkdirSync(join(root, "app/api/[odd"))
  const { kill } = ChildProcess.prototype
  let killed = 0
  ChildProcess.prototype.kill = function (signal) {
    killed += 1
    return kill.call(this, signal)
  }
  try {
    await projectDocument(root, { appDir: "app", title: "x" })
    assert.unreachable()
  } catch (error) {
    assert.is((error as { code?: string }).code, "scan")
  } finally {
    ChildProcess.prototype.kill = kill
  }
  assert.is(killed, 1)
  assert.not.ok(existsSync(join(root, ".fw")))
})

test.run()
