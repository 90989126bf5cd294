/** Tests that a program that stays open makes the same document after each change as a new program. */
import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { listDescribedFiles } from "../../bin/openapi/described-files.ts"
import { makeDocument } from "../../bin/openapi/document/document.ts"
import type { AppDescription } from "../../bin/openapi/document/model.ts"
import { TypeCache } from "../../bin/openapi/type-cache.ts"
import { describeRoutes } from "../../bin/openapi/types/handlers.ts"
import { scanProject } from "../../bin/project/scan-project.ts"
import { openTypes } from "../../bin/tools/typescript/program.ts"
import { makeProject, write } from "../support/bin/dev/dev-project.ts"
import { manyRoutes } from "../support/bin/openapi/openapi-many.ts"

const kept = suite("kept types")
const options = { title: "x", version: "1", openapi30: false, loadURLPattern: () => Promise.reject(new Error()) }

async function createDocument(root: string, known: AppDescription) {
  const { document } = await makeDocument(await scanProject(root, "app"), known, options)
  return document
}

/** Returns the document of a new program. */
async function fresh(root: string) {
  const tree = await scanProject(root, "app")
  const program = await openTypes(root, { files: listDescribedFiles(tree, "main.ts") })
  if ("untyped" in program) throw new Error(program.untyped)
  try {
    return await createDocument(root, describeRoutes(program, tree, "main.ts"))
  } finally {
    program.close()
  }
}

async function again(root: string, types: TypeCache) {
  const described = await types.describe(await scanProject(root, "app"), "main.ts")
  if ("untyped" in described) throw new Error(described.untyped)
  return createDocument(root, described)
}

const route = (type: string, more = "") =>
  `import type { Context } from "fw"\n${more}export function Get(c: Context) { return c.json(200, {} as ${type}) }\n`

const base = {
  ...manyRoutes(10),
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      module: "nodenext",
      target: "es2022",
      strict: true,
      noEmit: true,
      allowImportingTsExtensions: true,
      types: [],
      paths: { "@kinds": ["./lib/kinds-of-things.ts"], "@lib/*": ["./lib/*"] },
    },
  }),
  "package.json": '{ "name": "many", "type": "module", "imports": { "#inner": "./lib/inside.ts" } }',
  "lib/kinds-of-things.ts": "export interface Kind { one: 1 }\n",
  "lib/inside.ts": "export interface Inside { a: string }\n",
  "lib/deep/index.ts": 'export type { Far } from "./far.ts"\n',
  "lib/deep/far.ts": "export interface Far { far: string; again?: { inner: Far }[] }\n",
  "lib/global.d.ts": "interface Everywhere { here: true }\n",
  "lib/data.json": '{ "size": 1 }',
  "app/api/alias/route.ts": route("Kind", 'import type { Kind } from "@kinds"\n'),
  "app/api/inner/route.ts": route("Inside", 'import type { Inside } from "#inner"\n'),
  "app/api/deep/route.ts": route("Far", 'import type { Far } from "@lib/deep/index.ts"\n'),
  "app/api/global/route.ts": route("Everywhere"),
  "app/api/late/route.ts": route("Late", 'import type { Late } from "../../../lib/late.ts"\n'),
}

/** The title of each edit, and the files that it changes. */
const edits: [title: string, files: Record<string, string | null>][] = [
  ["nothing", {}],
  ["a route", { "app/api/orders/route.ts": route("{ changed: true }") }],
  ["a type that two routes use", { "lib/invoice.ts": `${base["lib/invoice.ts" as never]}export type Extra = 1\n` }],
  ["a module behind an exact alias", { "lib/kinds-of-things.ts": "export interface Kind { two: 2 }\n" }],
  ["a module behind an import of package.json", { "lib/inside.ts": "export interface Inside { b: number }\n" }],
  [
    "a module behind an index",
    { "lib/deep/far.ts": "export interface Far { near: boolean; again?: { inner: Far } }\n" },
  ],
  ["a module that was missing", { "lib/late.ts": "export interface Late { at: last }\ntype last = 'now'\n" }],
  ["a module that goes", { "lib/late.ts": null }],
  ["a new route", { "app/api/new/route.ts": route("string[]") }],
  ["a route that goes", { "app/api/new/route.ts": null }],
  [
    "two at once",
    {
      "app/api/deep/route.ts": route("1"),
      "app/api/inner/route.ts": route("{ r: Rec }", "interface Rec { r?: Rec }\n"),
    },
  ],
  [
    "main.ts",
    {
      "main.ts":
        'import { App } from "fw"\nconst app = new App()\napp.get("/hand", (c) => c.json(201, { by: "hand" }))\nexport default app\n',
    },
  ],
  [
    "what main.ts sends for errors",
    {
      "main.ts":
        'import { App } from "fw"\nconst app = new App()\napp.onError((c) => c.json(422, { wrong: true }))\nexport default app\n',
    },
  ],
  ["main.ts without it", { "main.ts": 'import { App } from "fw"\nexport default new App()\n' }],
  [
    "middleware",
    {
      "app/api/middleware.ts":
        'import { forbidden, type MiddlewareFunc } from "fw"\nexport function Middleware(): MiddlewareFunc { return (next) => (c) => { if (c.query("no")) throw forbidden("no"); return next(c) } }\n',
    },
  ],
  ["a declaration for all files", { "lib/global.d.ts": "interface Everywhere { there: false }\n" }],
  [
    "the options",
    {
      "tsconfig.json": base["tsconfig.json"].replace('"types":[]', '"types":[],"exactOptionalPropertyTypes":true'),
    },
  ],
  ["a file that breaks", { "app/api/orders/route.ts": "export function Get(c) { return c.json(" }],
]

/**
 * Titles of the edits after which the document is compared with that of a new program. Each comparison takes half a
 * second of processor time, so only edits are compared before another one could hide an outdated part.
 */
const compared = new Set([
  "a module that was missing",
  "a new route",
  "two at once",
  "main.ts",
  "what main.ts sends for errors",
  "middleware",
  "a declaration for all files",
  "the options",
])

/** Returns the process IDs of the TypeScript processes that this process started and that still run. */
function typeScripts(): number[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line))
    .filter((found) => Number(found?.[2]) === process.pid && /--api/.test(found?.[3] ?? ""))
    .map((found) => Number(found?.[1]))
}

let root = ""
let types: TypeCache
kept.before(async () => {
  root = makeProject(base, ["fw", "typescript"])
  types = new TypeCache(root)
  await again(root, types)
})
kept.after(() => types.close())

for (const [title, files] of edits.slice(0, -1)) {
  kept(`the document is right after this change: ${title}`, async () => {
    write(root, files)
    const document = await again(root, types)
    if (compared.has(title)) assert.equal(document, await fresh(root))
  })
}

kept("without a change nothing is read again", async () => {
  const tree = await scanProject(root, "app")
  const described = await types.describe(tree, "main.ts")
  assert.is(await types.describe(tree, "main.ts"), described)
  assert.is.not(await types.describe(tree, null), described)
})

kept("after each of twenty edits of one file the document is right", async () => {
  for (let n = 0; n < 20; n++) {
    write(root, { "app/api/orders/route.ts": route(`{ n: ${n} }`) })
    assert.match(JSON.stringify(await again(root, types)), `"const":${n}`)
  }
  assert.equal(await again(root, types), await fresh(root))
})

kept("calls at the same time get the same document", async () => {
  write(root, { "app/api/orders/route.ts": route("{ last: true }") })
  const documents = await Promise.all(Array.from({ length: 5 }, () => again(root, types)))
  for (const document of documents) assert.equal(document, documents[0])
})

kept("changes in a module of a linked package are found", async () => {
  const outside = makeProject(
    {
      "src/main.ts": "export interface Linked { a: 1 }\n",
      "package.json": '{ "name": "linked", "type": "module", "exports": { ".": "./src/main.ts" } }',
    },
    [],
  )
  mkdirSync(join(root, "node_modules"), { recursive: true })
  symlinkSync(outside, join(root, "node_modules/linked"), "dir")
  write(root, { "app/api/linked/route.ts": route("Linked", 'import type { Linked } from "linked"\n') })
  assert.match(JSON.stringify(await again(root, types)), '"a":')
  write(outside, { "src/main.ts": "export interface Linked { b: 2 }\n" })
  const document = await again(root, types)
  assert.match(JSON.stringify(document), '"b":')
  assert.equal(document, await fresh(root))
})

kept("after TypeScript's process has ended, the next document is complete", async () => {
  // The process that made the compared document may need a moment to end.
  while (typeScripts().length > 1) await setTimeout(20)
  const [kept] = typeScripts()
  assert.ok(kept !== undefined, "no TypeScript process runs")
  process.kill(kept, "SIGKILL")
  write(root, { "app/api/orders/route.ts": route("{ after: true }") })
  assert.match(JSON.stringify(await again(root, types)), '"after":')
  assert.equal(await again(root, types), await fresh(root))
})

kept.run()
