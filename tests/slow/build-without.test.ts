/**
 * Tests that `fw build --target workers` includes all of fw in the worker, and that `--without` leaves parts out.
 * Slow: each test bundles a whole project.
 */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type FrameworkPart, frameworkParts } from "../../bin/system/framework-files.ts"
import { fw } from "../support/bin/cli/command.ts"
import { makeProject, route } from "../support/bin/dev/dev-project.ts"

type Files = Readonly<Record<string, string>>

const hello = {
  "app/route.ts": route("hello"),
  "main.ts": 'import { App } from "fw"\nexport default new App({ logger: false })\n',
}

/** Builds a project for workers, and returns the worker. */
async function built(files: Files, without: readonly FrameworkPart[] = []) {
  const cwd = makeProject({ ...hello, ...files }, ["fw", "esbuild", "typescript"])
  const args = without.length > 0 ? ["--without", without.join(",")] : []
  const { code, stdout, stderr } = await fw(["build", "--target", "workers", ...args], { cwd, env: {} })
  assert.is(code, 0, stdout + stderr)
  const worker = await import(pathToFileURL(join(cwd, "dist/workers/worker.mjs")).href)
  return (path: string): Promise<Response> =>
    worker.default.fetch(new Request(`http://localhost${path}`), {}, { waitUntil() {} })
}

const schema = '{ "~standard": { version: 1, vendor: "x", validate: (value) => ({ value }) } }'
const uses: Files = {
  "app/query/route.ts": `export const Get = async (c) => c.json(200, await c.bindQuery(${schema}))\n`,
  "app/cookie/route.ts": 'export const Get = (c) => c.string(200, c.cookie("a") + "read")\n',
  "app/events/route.ts": 'export const Get = (c) => c.sse((events) => events.send({ data: "x" }))\n',
  "app/html/route.ts":
    'import { html } from "fw/html"\nexport const Get = (c) => c.page(200, "a", html`<p>page</p>`)\n',
}
const answers: ReadonlyArray<readonly [part: FrameworkPart, path: string, answer: RegExp]> = [
  ["forms", "/query?a=b", /^\{"a":"b"\}$/],
  ["cookies", "/cookie", /^read$/],
  ["live", "/events", /^data: x$/m],
  ["pages", "/html", /<p>page<\/p>/],
]

test("a worker that is built without the option contains every part", async () => {
  const ask = await built(uses)
  for (const [, path, answer] of answers) assert.match(await (await ask(path)).text(), answer)
})

test("a worker that is built without any part answers, and reports each part that a request needs", async () => {
  const ask = await built(uses, frameworkParts)
  assert.is(await (await ask("/")).text(), "hello")
  const { error } = console
  const reported: unknown[] = []
  console.error = (told: unknown) => void reported.push(told)
  try {
    for (const [, path] of answers) assert.is((await ask(path)).status, 500)
  } finally {
    console.error = error
  }
  assert.equal(
    reported.map((one) => /without the part (\w+)/.exec((one as Error).message)?.[1]),
    answers.map(([part]) => part),
  )
})

test("functions and classes of the project keep their names", async () => {
  const code = "export class PaymentError extends Error {}\nexport const charge = () => new PaymentError()\n"
  const use = `import { charge, PaymentError } from "../charge.ts"
export const Get = (c) => c.string(200, [charge, charge().constructor].map(({ name }) => name).join(" ") + (charge() instanceof PaymentError))
`
  const ask = await built({ "charge.ts": code, "app/route.ts": use })
  assert.is(await (await ask("/")).text(), "charge PaymentErrortrue")
})

test("a CommonJS package that requires fw gets the same fw as the project", async () => {
  const ask = await built({
    "app/route.ts": `import refuse from "refuse"
import { HttpError } from "fw"
export const Get = (c) => c.string(200, String(refuse() instanceof HttpError))
`,
    "node_modules/refuse/package.json": '{ "name": "refuse", "main": "index.js" }',
    "node_modules/refuse/index.js": 'module.exports = () => require("fw").badRequest("no")',
  })
  assert.is(await (await ask("/")).text(), "true")
})

const mistakes: ReadonlyArray<readonly [args: readonly string[], message: RegExp]> = [
  [
    ["--target", "workers", "--without", "form"],
    /--without cannot be "form"[\s\S]*cookies, forms, live, logger, messages or pages[\s\S]*Did you mean "forms"/,
  ],
  [["--without", "forms"], /--without makes a bundle smaller[\s\S]*--target workers/],
]
for (const [args, message] of mistakes) {
  test(`fw build ${args.join(" ")} is an error`, async () => {
    const { code, stderr } = await fw(["build", ...args], { cwd: makeProject(hello), env: {} })
    assert.is(code, 2)
    assert.match(stderr, message)
  })
}

test.run()
