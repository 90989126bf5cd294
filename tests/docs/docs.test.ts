/**
 * Tests of the examples in the documents: every ts block compiles against the package, and examples with an http
 * block answer as the block shows.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import type { App } from "../../lib/index.ts"
import { makeCheckoutDirectory } from "../support/checkout-directory.ts"
import { type Example, type Exchange, readExamples } from "../support/docs/documents.ts"
import { isWalked } from "../support/docs/guides/steps.ts"
import { compile, type Diagnostic, root } from "../support/tsc.ts"

process.env.FW_LOG_LEVEL = "off"

const documents = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !/^decisions\/|^reference\/errors\//.test(name))
    .map((name) => `docs/${name}`),
]
const examples = documents
  .filter((document) => existsSync(join(root, document)))
  .map((document) => ({ document, text: readFileSync(join(root, document), "utf8") }))
  // The files of these guides belong together, and tests/slow/guides.test.ts makes a project of them.
  .filter(({ text }) => !isWalked(text))
  .flatMap(({ document, text }) => readExamples(document, text))

const directory = makeCheckoutDirectory("docs")

const options = {
  target: "ES2022",
  module: "NodeNext",
  lib: ["ES2023"],
  types: ["node"],
  strict: true,
  skipLibCheck: true,
  noEmitOnError: false,
  rootDir: root,
  outDir: join(directory, "js"),
  customConditions: ["fw-source"],
  rewriteRelativeImportExtensions: true,
}
for (const { file, code, exchanges } of examples) {
  mkdirSync(dirname(join(directory, file)), { recursive: true })
  // An example that creates an app exports it. Every example must be a module.
  writeFileSync(join(directory, file), `${code}\nexport ${exchanges.length > 0 ? "{ app as example }" : "{}"}\n`)
}
// A fragment may use the app and the context that its page has introduced before.
writeFileSync(
  join(directory, "globals.d.ts"),
  'declare const app: import("fw").App\ndeclare const c: import("fw").Context\n',
)
writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions: options, include: ["**/*.ts"] }))

const checked = compile(directory, { emit: true })

/** Returns true for an import of a file that only exists in the reader's project. */
const isReadersFile = ({ code, message }: Diagnostic) => code === "TS2307" && /'(?:\.|#)/.test(message)

/**
 * Returns true for an unknown name, or an error that follows from one: a fragment without imports may use names of
 * its page.
 */
const isUnknownName = ({ code }: Diagnostic) => ["TS2304", "TS2552", "TS7006", "TS7031", "TS18004"].includes(code)

function listDiagnostics(all: readonly Diagnostic[], { file, place, code }: Example): string[] {
  const fragment = !/^import /m.test(code)
  const mine = relative(root, join(directory, file))
  return all
    .filter((found) => found.file === mine && !isReadersFile(found) && !(fragment && isUnknownName(found)))
    .map(({ line, code, message }) => `${place}, line ${line} of the block: ${code} ${message}`)
}

for (const example of examples) {
  test(`${example.place} compiles`, async () => assert.equal(listDiagnostics(await checked, example), []))
  if (example.runs) {
    test(`${example.place} runs without an error`, async () => {
      await checked
      await load(example)
    })
  }
  if (example.exchanges.length === 0) continue
  test(`${example.place} answers as the http block below it shows`, async () => {
    await checked
    const { example: app } = await load(example)
    for (const exchange of example.exchanges) await hold(app, exchange)
  })
}

/** Imports the compiled module of an example. */
function load({ file }: Example): Promise<{ example: App }> {
  const compiled = join(options.outDir, relative(root, directory), file.replace(/\.ts$/, ".js"))
  return import(pathToFileURL(compiled).href)
}

async function hold(
  app: App,
  { method, path, headers, body, status, answerHeaders, answerBody }: Exchange,
): Promise<void> {
  const answer = await app.request(path, { method, headers, ...(body ? { body } : {}) })
  const text = await answer.text()
  const what = `${method} ${path} answered ${answer.status} ${text}`
  assert.is(answer.status, status, what)
  for (const [name, value] of Object.entries(answerHeaders))
    assert.is(answer.headers.get(name), value, `${name} of ${what}`)
  if (answer.headers.get("content-type") === "application/json")
    assert.equal(JSON.parse(text), JSON.parse(answerBody), what)
  else assert.is(text.trim(), answerBody, what)
}

test("an error of the compiler is reported for its block, except an unknown name in a fragment and a file of the reader", () => {
  const [example] = readExamples(
    "x.md",
    "text\n\n```ts\n// app/a.ts\nimport 'fw'\nconst a: number = b\n```\n\n```http\nGET /a?b\nx-a: 1\n\nHTTP/1.1 200 OK\ncontent-type: a/b\n\nbody\n```\n",
  )
  assert.is(example?.place, "x.md:4")
  assert.is(example?.file, "x/app/a.ts")
  assert.equal(example?.exchanges, [
    {
      method: "GET",
      path: "/a?b",
      headers: { "x-a": "1" },
      body: "",
      status: 200,
      answerHeaders: { "content-type": "a/b" },
      answerBody: "body",
    },
  ])
  const found = {
    file: relative(root, join(directory, "x/app/a.ts")),
    line: 2,
    code: "TS2304",
    message: "Cannot find name 'b'",
  }
  assert.is(listDiagnostics([found], example as Example).length, 1)
  assert.is(listDiagnostics([found], { ...(example as Example), code: "b()" }).length, 0)
  assert.is(
    listDiagnostics([{ ...found, code: "TS2307", message: "Cannot find module './db.ts'" }], example as Example).length,
    0,
  )
})

test("the pages about the core have examples, and tests run at least half of the examples", () => {
  for (const page of ["app", "context", "proxy", "errors", "middleware", "streaming", "testing"]) {
    const own = examples.filter(({ place }) => place.startsWith(`docs/reference/${page}.md`))
    assert.ok(
      own.length > 1 && own.filter(({ exchanges, runs }) => runs || exchanges.length > 0).length * 2 >= own.length,
      page,
    )
  }
})

test.run()
