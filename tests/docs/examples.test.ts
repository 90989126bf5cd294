/**
 * Tests of the examples in doc comments: every public name has one, all examples compile, and those that Node can
 * run do what they say.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import type { Context } from "../../lib/index.ts"
import { makeCheckoutDirectory } from "../support/checkout-directory.ts"
import { createModule, type ExampleModule, type ExampleRequest } from "../support/docs/example-modules.ts"
import { examplesIn, exportedNames, listDocumented, publicEntries } from "../support/docs/public-api.ts"
import { compile, root } from "../support/tsc.ts"

// The examples import the package by this name too.
const { App } = (await import(String("fw"))) as typeof import("../../lib/index.ts")

process.env.FW_LOG_LEVEL = "off"
process.env.FW_SECRETS = "a secret for examples of 32 bytes or more"
// Port 3000 may be in use on the machine that runs the examples.
process.env.PORT = "0"
process.env.ADDRESS = "127.0.0.1:0"

/** Classes whose members are public too. */
const classes = ["App", "Context", "RouteGroup"]

/** Returns true for a function that only compiled templates call. */
const isGenerated = (name: string) => name.startsWith("$fw")

/** Examples that compile but do not run here, and the reasons. */
const notRun: Readonly<Record<string, string>> = {
  "fw/bun serve": "only on Bun",
  "fw/deno serve": "only on Deno",
  "fw/lambda LambdaStreamHandler": "only on AWS Lambda",
  "fw/lambda lambdaStreamHandler": "only on AWS Lambda",
  "fw Context.signal": "asks another server",
}

const entries = publicEntries()
const names = new Map([...entries].map(([entry, file]) => [entry, exportedNames(file)]))
const documented = [...entries]
  .flatMap(([entry, file]) => listDocumented(entry, file, classes))
  .filter(({ name }) => !isGenerated(name))

const directory = makeCheckoutDirectory("examples")
/** The working directory of the examples, which name its directories. */
const project = realpathSync(mkdtempSync(join(tmpdir(), "fw-examples-")))
for (const folder of ["app", "public"]) mkdirSync(join(project, folder))
test.after(() => {
  process.chdir(root)
  rmSync(project, { recursive: true, force: true })
})

interface Example extends ExampleModule {
  /** The name of the module and of the export, such as `fw App.get`. */
  readonly key: string
  readonly place: string
  readonly file: string
}

const examples = documented.flatMap(({ entry, name, place, examples }, at) =>
  examples.map((text, index): Example => {
    const own = new Map([entry, "fw"].map((from) => [from, names.get(from) ?? []] as const))
    const isHandler = name === "Context" || name.startsWith("Context.")
    // The number is needed because some names differ only in capitals, such as `Html` and `html`.
    const file = `${entry.replaceAll("/", "-")}-${name}-${at}-${index}.ts`
    return { ...createModule(text, isHandler, own), key: `${entry} ${name}`, place, file }
  }),
)
for (const { file, code } of examples) writeFileSync(join(directory, file), code)
const compilerOptions = {
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
writeFileSync(join(directory, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }))
const compiled = join(compilerOptions.outDir, relative(root, directory))
const checked = compile(directory, { emit: true })

test("every public name has an example", () => {
  const without = documented.filter(({ examples }) => examples.length === 0)
  assert.equal(
    without.map(({ entry, name, place }) => `${entry} ${name} (${place})`),
    [],
  )
})

test("the tests of examples know every name that the modules export", async () => {
  for (const [entry, file] of entries) {
    const seen = Object.keys((await import(pathToFileURL(join(root, file)).href)) as object)
    const known = new Set(exportedNames(file))
    assert.equal(
      seen.filter((name) => !known.has(name)),
      [],
      entry,
    )
  }
})

test("every example compiles", async () => {
  const places = new Map(
    examples.map(({ file, place, key }) => [relative(root, join(directory, file)), `${key} (${place})`]),
  )
  const found = (await checked).flatMap(({ file, line, code, message }) => {
    const place = places.get(file)
    // An example may declare values of the context that the sources of fw do not declare.
    return place ? [`${place}, line ${line} of its module: ${code} ${message}`] : []
  })
  assert.equal(found, [])
})

test("the list of examples that do not run has no name without an example", () => {
  const keys = new Set(examples.map(({ key }) => key))
  assert.equal(
    Object.keys(notRun).filter((key) => !keys.has(key)),
    [],
  )
})

for (const { key, place, file, request } of examples) {
  if (key in notRun) continue
  test(`the example of ${key} (${place}) does what its comments say`, async () => {
    await checked
    process.chdir(project)
    const made = (await import(pathToFileURL(join(compiled, file.replace(/ts$/, "js"))).href)) as {
      example?: (c: Context) => Promise<unknown>
    }
    if (request && made.example) await answers(made.example, request)
  })
}

/** Runs an example as a handler, and compares its answer with the one in its comment. */
async function answers(
  example: (c: Context) => Promise<unknown>,
  { path, init, answer }: ExampleRequest,
): Promise<void> {
  const app = new App({ logger: false })
  let failure: unknown
  for (const pattern of ["/users/{id}", "/users", "/notes"]) app.registerRoute("*", pattern, run)
  async function run(c: Context): Promise<Response> {
    try {
      const made = await example(c)
      return made instanceof Response ? made : c.noContent()
    } catch (error) {
      failure = error
      throw error
    }
  }
  const response = await app.request(path, init)
  if (failure) throw failure
  const text = await response.text()
  if (answer !== undefined) assert.is(`${response.status} ${text}`.trim(), answer)
}

test("examples are read from comments and made into modules", () => {
  assert.equal(examplesIn("Text. @example a() // → 1"), ["a() // → 1"])
  assert.equal(examplesIn("Text.\n\n@example\na()\n  b()\n@throws never\n@example c()"), ["a()\n  b()", "c()"])
  assert.equal(examplesIn("Text. See @examples."), [])
  const { code } = createModule(
    'cors() // → "a"\nthrow notFound("x") // → throws HttpError',
    false,
    new Map([["fw", ["cors", "notFound", "HttpError"]]]),
  )
  assert.match(code, 'import { cors, notFound, HttpError } from "fw"')
  assert.match(code, '$assert.equal(await (cors()), "a")')
  assert.match(code, "error instanceof HttpError")
})

test.run()
