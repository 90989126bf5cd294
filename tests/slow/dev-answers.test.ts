/** Tests that `fw dev` reports answers that do not match their types, without changing them. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, type Dev, makeProject, readStatus, startDev, write } from "../support/bin/dev/dev-project.ts"
import { strictConfig } from "../support/bin/project/strict-config.ts"

const types = (email: string) => `export interface User {\n  id: number\n  email: ${email}\n}\n`
const list = (top = "") => `${top}import type { Context } from "fw"
import { users } from "../../lib/users.ts"

export function Get(c: Context) {
  return c.json(200, { users: users() })
}
`
const files = {
  "tsconfig.json": strictConfig,
  "lib/types.ts": types("string"),
  "lib/users.ts": `import type { User } from "./types.ts"

const rows: unknown[] = [{ id: 1, email: null, passwordHash: "secret-hash" }, { id: 2, email: "a@x.example" }]

export function users() {
  return rows as User[]
}
`,
  "app/users/route.ts": list(),
  "app/fine/route.ts": `import type { Context } from "fw"

export function Get(c: Context) {
  return c.json(200, { at: new Date(), none: undefined as string | undefined })
}
`,
  "app/last/route.ts": `import type { Context } from "fw"

export function Get(c: Context) {
  return c.json(200, { name: JSON.parse(c.query("name")) as string })
}
`,
}

const test = suite("fw dev: answers")
let root = ""
let dev: Dev
let port = 0

test.before(async () => {
  root = makeProject(files, ["fw", "esbuild", "typescript"])
  dev = startDev(root)
  port = await dev.port()
})
test.after(async () => assert.is(await dev.stop(), 0))

const drift =
  "GET /users answers 200 with a value that does not fit its type: users[].email: expected a string, got null"
const extra = "GET /users answers 200 with properties that its type does not declare: users[].passwordHash"
const body = '{"users":[{"id":1,"email":null,"passwordHash":"secret-hash"},{"id":2,"email":"a@x.example"}]}'

const count = (text: string) => dev.output.split(text).length - 1

/** Sends an answer that does not match its type, and waits for its report. Answers are compared in their order. */
async function passed(name: unknown): Promise<void> {
  await ask(port, `/last?name=${encodeURIComponent(JSON.stringify(name))}`)
  await dev.says(/GET \/last answers 200 with a value that does not fit/)
}

test("an answer that does not match its type is sent unchanged, and reported once with the position of its call", async () => {
  assert.is((await ask(port, "/fine")).status, 200)
  for (let i = 0; i < 3; i++) assert.is((await ask(port, "/users")).body, body)
  await passed(1)
  assert.equal([count(drift), count(extra)], [1, 1], dev.output)
  assert.match(dev.output, `warning: ${drift}\n  app/users/route.ts:5:12\n`)
  assert.match(dev.output, "Allow null in the type User (lib/types.ts:1), or send another value.")
  assert.not.match(dev.output, /GET \/fine answers/)
  assert.not.match(dev.output, "secret-hash")
  const { warnings } = await readStatus(root, port)
  assert.equal(
    warnings
      .filter(({ message }) => message.startsWith("GET /users"))
      .map(({ message, file, line }) => [message, file, line]),
    [
      [drift, "app/users/route.ts", 5],
      [extra, "app/users/route.ts", 5],
    ],
  )
})

test("after a change the position is that of the new file, and known differences are not printed again", async () => {
  write(root, { "app/users/route.ts": list("// moved\n") })
  await dev.says(/rebuilt in \d+ ms/)
  assert.equal(
    (await readStatus(root, port)).warnings.filter(({ message }) => message === drift),
    [],
  )
  assert.is((await ask(port, "/users")).body, body)
  await passed([])
  assert.equal([count(drift), count(extra)], [1, 1], dev.output)
  const { warnings } = await readStatus(root, port)
  assert.equal(
    warnings.filter(({ message }) => message === drift).map(({ line }) => line),
    [6],
  )
})

test("a type that changed in a file without code applies to the next answer", async () => {
  write(root, { "lib/types.ts": types("string | null") })
  await ask(port, "/users")
  // A change of types starts no new program, so the test repeats the request until an answer is compared with the
  // new types.
  while (!(await readStatus(root, port)).warnings.some(({ message }) => message === extra)) await ask(port, "/users")
  assert.equal(
    (await readStatus(root, port)).warnings.filter(({ message }) => message === drift),
    [],
  )
  write(root, { "lib/types.ts": types("string") })
  while (!(await readStatus(root, port)).warnings.some(({ message }) => message === drift)) await ask(port, "/users")
})

test("a syntax error in a file of types is shown, and answers are not compared with the remaining types", async () => {
  write(root, { "lib/types.ts": types("string").replace("id: number", "id number") })
  await dev.says(/Property or signature expected/)
  for (const name of [1, 2, 3]) await ask(port, `/last?name=${name}`)
  assert.is((await ask(port, "/users")).body, body)
  write(root, { "lib/types.ts": types("string") })
  while (!(await readStatus(root, port)).warnings.some(({ message }) => message === drift)) await ask(port, "/users")
  assert.not.match(dev.output, "users[].id")
})

test("while a build fails, the answers of the old program are not compared with the new types", async () => {
  write(root, { "lib/types.ts": types("boolean"), "app/fine/route.ts": "export function Get( {\n" })
  await dev.says(/error: /)
  assert.not.match(dev.output, "expected a boolean")
  write(root, { "lib/types.ts": types("string"), "app/fine/route.ts": files["app/fine/route.ts"] })
  await dev.says(/rebuilt in \d+ ms/)
  assert.is((await ask(port, "/fine")).status, 200)
})

test.run()

const untyped = suite("fw dev: answers without TypeScript")

untyped("answers are sent, and nothing is reported", async () => {
  const place = makeProject(files)
  const other = startDev(place)
  const at = await other.port()
  try {
    assert.is((await ask(at, "/users")).body, body)
  } finally {
    assert.is(await other.stop(), 0)
  }
  assert.not.match(other.output, "answers 200 with")
})

untyped.run()
