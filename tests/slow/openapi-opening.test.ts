/**
 * Tests that the document is made from a project's types, and that this changes nothing in the project's directory.
 */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument } from "../../bin/openapi/openapi.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"

const handler = (type: string) =>
  `import type { Context } from "fw"\nexport function Get(c: Context) { return c.json(200, {} as ${type}) }\n`

const files = {
  "app/api/one/route.ts": handler("{ one: string }"),
  "app/api/two/route.ts": handler("{ two: string }"),
}

async function documentIn(root: string) {
  const { document, isTyped: typed, warnings } = await makeProjectDocument(root, { appDir: "app", title: "x" })
  assert.ok(typed)
  assert.equal(warnings, [])
  return document
}

const project = (more: Record<string, string> = {}) => makeProject({ ...files, ...more }, ["fw", "typescript"])
const expected = await documentIn(project())

test("a project that has no .fw has none afterwards", async () => {
  const root = project()
  await documentIn(root)
  assert.not.ok(existsSync(join(root, ".fw")))
})

test("files in .fw stay, and none is added", async () => {
  const root = project({ ".fw/routes.ts": "// mine" })
  assert.equal(await documentIn(root), expected)
  assert.equal(readdirSync(join(root, ".fw")), ["routes.ts"])
})

test("a project in which nothing can be written gives the same document", async () => {
  const root = project()
  writeFileSync(join(root, ".fw"), "not a directory")
  assert.equal(await documentIn(root), expected)
})

test("several documents can be created at the same time", async () => {
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

test("an error in the routes leaves no files", async () => {
  const root = project({ "app/api/three/route.ts": "export const Get = 3 +\n" })
  mkdirSync(join(root, "app/api/[odd"))
  try {
    await makeProjectDocument(root, { appDir: "app", title: "x" })
    assert.unreachable()
  } catch (error) {
    assert.is((error as { code?: string }).code, "scan")
  }
  assert.not.ok(existsSync(join(root, ".fw")))
})

test.run()
