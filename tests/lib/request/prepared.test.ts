/**
 * Tests of calls without a schema: a program that fw has prepared checks them, and any other program refuses them.
 */
import { spawnSync } from "node:child_process"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { App } from "../../../lib/app.ts"
import { setDevHooks } from "../../../lib/dev/hooks.ts"
import type { Context, FormOptions, StandardSchema } from "../../../lib/index.ts"
import { root } from "../../support/tsc.ts"

/** The values that a validator of fw was given. */
let given: unknown[] = []
const validator: StandardSchema = {
  "~standard": {
    version: 1,
    vendor: "fw",
    validate(value) {
      given.push(value)
      const { name } = value as { name?: unknown }
      return name === "Ada" ? { value: { name } } : { issues: [{ message: "not Ada", path: ["name"] }] }
    },
  },
}

type Found = Promise<StandardSchema | undefined>

/** Sends a request to a handler in a program whose calls have validators. */
async function ask(
  handler: (c: Context) => Promise<unknown>,
  body: { readonly json?: unknown; readonly form?: string; readonly query?: string },
  find: (call: string) => Found = () => Promise.resolve(validator),
) {
  const app = new App({ logger: false })
  app.post("/", async (c) => c.json(200, await handler(c)))
  given = []
  setDevHooks({ findValidator: find })
  try {
    const { json, form = "", query = "" } = body
    const type = json === undefined ? "application/x-www-form-urlencoded" : "application/json"
    const response = await app.request(`/${query}`, {
      method: "POST",
      headers: { "content-type": type },
      body: json === undefined ? form : JSON.stringify(json),
    })
    return { status: response.status, body: (await response.json()) as unknown }
  } finally {
    setDevHooks(undefined)
  }
}

interface Person {
  readonly name: string
}

const prepared = suite("a prepared call")

const calls: ReadonlyArray<readonly [name: string, call: (c: Context) => Promise<unknown>, good: object, bad: object]> =
  [
    ["c.bind()", (c) => c.bind<Person>(), { json: { name: "Ada", more: 1 } }, { json: { name: "Bob" } }],
    ["c.bindForm()", (c) => c.bindForm<Person>(), { form: "name=Ada" }, { form: "name=Bob" }],
    ["c.bindForm() with options", (c) => c.bindForm<Person>({ maxFiles: 1 }), { form: "name=Ada" }, { form: "" }],
    ["c.bindQuery()", (c) => c.bindQuery<Person>(), { query: "?name=Ada" }, { query: "?name=" }],
  ]
for (const [name, call, good, bad] of calls) {
  prepared(`${name} returns the result of its validator`, async () => {
    assert.equal(await ask(call, good), { status: 200, body: { name: "Ada" } })
  })

  prepared(`${name} answers 400 with the issues of its validator`, async () => {
    const { status, body } = await ask(call, bad)
    assert.is(status, 400)
    assert.equal((body as { issues: unknown }).issues, [{ message: "not Ada", path: ["name"] }])
  })

  prepared(`${name} answers 500 if the types cannot be read`, async () => {
    const { status } = await ask(call, good, () => Promise.reject(new Error("no TypeScript")))
    assert.is(status, 500)
    assert.equal(given, [])
  })
}

prepared("c.readForm() returns the data of its validator", async () => {
  const call = async (c: Context) => {
    const form = await c.readForm<Person>()
    return form.ok ? form.data : form.issues
  }
  assert.equal((await ask(call, { form: "name=Ada" })).body, { name: "Ada" })
  assert.equal((await ask(call, { form: "name=Bob" })).body, { name: "not Ada" })
})

prepared("a validator of fw gets a form only once, with empty fields and lists", async () => {
  await ask((c) => c.bindForm<Person>(), { form: "name=&tag=a&tag=b&one=1" })
  assert.equal(
    given.map((value) => ({ ...(value as object) })),
    [{ name: "", tag: ["a", "b"], one: "1" }],
  )
})

prepared("a call whose type accepts everything is only parsed", async () => {
  const answer = await ask(
    (c) => c.bind(),
    { json: { a: 1 } },
    () => Promise.resolve(undefined),
  )
  assert.equal(answer, { status: 200, body: { a: 1 } })
})

prepared("the finder of a validator is called before the first await, because the stack is lost later", async () => {
  for (const [, call, good] of calls) {
    let isSync = false
    let wasSync = false
    const handler = (c: Context) => {
      isSync = true
      const result = call(c)
      isSync = false
      return result
    }
    await ask(handler, good, () => {
      wasSync = isSync
      return Promise.resolve(validator)
    })
    assert.ok(wasSync)
  }
})

prepared.run()

const unprepared = suite("a program that fw has not prepared")

const main = `import { App } from "fw"
const app = new App({ logger: false })
app.onError((c, error) => c.json(500, error.message))
app.post("/json", async (c) => c.json(200, await c.bind()))
app.post("/form", async (c) => c.json(200, await c.bindForm()))
app.post("/query", async (c) => c.json(200, await c.bindQuery()))
app.post("/read", async (c) => c.json(200, await c.readForm()))
const json = { method: "POST", headers: { "content-type": "application/json" }, body: '{"a":1}' }
for (const path of ["/json", "/json", "/form", "/query", "/read"])
  console.log(await (await app.request(path, json)).text())
`

unprepared("without validators, c.bind() parses JSON and warns once, and calls that read fields are refused", () => {
  const { stdout, stderr } = spawnSync(process.execPath, [...process.execArgv, "--input-type=module", "-e", main], {
    cwd: root,
    encoding: "utf8",
  })
  const [first, second, ...others] = stdout.trim().split("\n")
  assert.equal([first, second], ['{"a":1}', '{"a":1}'])
  assert.is(others.length, 3)
  for (const [i, call] of ["c.bindForm()", "c.bindQuery()", "c.readForm()"].entries())
    assert.ok(others[i]?.startsWith(`"${call} was called without a schema`), others[i])
  assert.is(stderr.match(/fw: c\.bind\(\) was called without a schema/g)?.length, 1, stderr)
})

const wrong: ReadonlyArray<readonly [name: string, given: unknown, message: string]> = [
  ["a schema of another kind", { parse: () => ({}) }, "takes a schema that follows Standard Schema v1"],
  ["null", null, "takes a schema that follows Standard Schema v1"],
]
for (const [name, schema, message] of wrong) {
  unprepared(`c.bindForm() refuses ${name}, and does not read it as options`, async () => {
    const app = new App({ logger: false })
    app.onError((c, error) => c.string(500, String(error)))
    app.post("/", async (c) => c.json(200, await c.bindForm(schema as FormOptions)))
    assert.match(await (await app.request("/", { method: "POST" })).text(), message)
  })
}

unprepared.run()
