/**
 * Tests that `fw test` warns about answers that do not match their types, and that `--strict` makes the run fail.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../support/bin/cli/command.ts"
import { makeProject, write } from "../support/bin/dev/dev-project.ts"
import { strictConfig } from "../support/bin/project/strict-config.ts"

const head = `import assert from "node:assert/strict"
import { test } from "node:test"
import { App } from "fw"
import { testClient } from "fw/testing"
import routes from "../.fw/routes.ts"

const app = new App({ logger: false })
await app.mount(routes)
const client = testClient(app)
`
const files = {
  "tsconfig.json": strictConfig,
  "lib/users.ts": `export interface User {
  id: number
  email: string
}

const rows: unknown[] = [{ id: 1, email: null, passwordHash: "secret-hash" }]
export const users = () => rows as User[]
`,
  "app/users/route.ts": `import type { Context } from "fw"
import { users } from "../../lib/users.ts"

export function Get(c: Context) {
  return c.json(200, users())
}
`,
  "app/fine/route.ts": `import type { Context } from "fw"

export function Get(c: Context) {
  return c.json(200, { at: new Date() })
}
`,
  "tests/a.test.ts": `${head}
test("users", async () => {
  for (let i = 0; i < 3; i++) {
    const answer = await client.request("/users")
    assert.deepEqual(await answer.json(), [{ id: 1, email: null, passwordHash: "secret-hash" }])
  }
  assert.equal((await app.request("/fine")).status, 200)
})
`,
  "tests/b.test.ts": `${head}
test("users again, and another app with the same path", async () => {
  assert.equal((await app.request("/users")).status, 200)
  const other = new App({ logger: false })
  other.get("/fine", (c) => c.json(200, { at: 7 }))
  assert.deepEqual(await (await other.request("/fine")).json(), { at: 7 })
})
`,
}

const drift = "GET /users answers 200 with a value that does not fit its type: [].email: expected a string, got null"
const extra = "GET /users answers 200 with properties that its type does not declare: [].passwordHash"

const test = suite("fw test: answers")
let root = ""
test.before(() => {
  root = makeProject(files, ["fw", "esbuild", "typescript"])
})

const run = (...args: string[]) => fw(["test", ...args], { cwd: root })

test("an answer that does not match its type is one warning with its position for all tests", async () => {
  const { code, stdout } = await run()
  assert.is(code, 0, stdout)
  assert.match(stdout, `warning: ${drift}\n  app/users/route.ts:5:12\n`)
  assert.match(stdout, "Allow null in the type User (lib/users.ts:1), or send another value.")
  assert.match(stdout, "sent in tests/a.test.ts")
  assert.is(stdout.split("answers 200 with").length, 3, stdout)
  assert.match(stdout, /2 passed, 2 warnings \(2 tests in 2 files/)
  assert.match(stdout, "fw test --strict")
  assert.not.match(stdout, "secret-hash")
})

test("with --strict the run fails, and the tests stay the same", async () => {
  const { code, stdout } = await run("--strict")
  assert.is(code, 1)
  assert.match(stdout, `error: ${drift}\n`)
  assert.match(stdout, `error: ${extra}\n`)
  assert.match(stdout, /2 passed, 2 errors \(2 tests in 2 files/)
})

test("--json contains the route, the paths and the test", async () => {
  const { code, stdout } = await run("--json")
  const { data } = JSON.parse(stdout)
  assert.is(code, 0)
  const [first, second] = data.answers
  assert.is(data.answers.length, 2)
  assert.equal(
    { ...first, frame: undefined },
    {
      kind: "type",
      route: "GET /users",
      status: 200,
      paths: ["[].email"],
      message: drift,
      fix: "Allow null in the type User (lib/users.ts:1), or send another value.",
      file: "app/users/route.ts",
      line: 5,
      column: 12,
      frame: undefined,
      test: "tests/a.test.ts",
    },
  )
  assert.equal([second.kind, second.paths], ["undeclared", ["[].passwordHash"]])
  assert.is(data.uncompared, null)
})

test("if answers match their types, nothing is reported", async () => {
  write(root, {
    "lib/users.ts": files["lib/users.ts"].replace("email: string", "email: string | null\n  passwordHash: string"),
  })
  const { code, stdout } = await run("--strict")
  assert.is(code, 0, stdout)
  assert.not.match(stdout, /answers 200|warning/)
  write(root, { "lib/users.ts": files["lib/users.ts"] })
})

test("without TypeScript the tests run and print that no answer was compared, and --strict fails", async () => {
  const place = makeProject(files)
  const plain = await fw(["test"], { cwd: place })
  assert.is(plain.code, 0, plain.stdout)
  assert.match(plain.stdout, "Answers were not compared with their types: TypeScript is not installed in the project")
  const strict = await fw(["test", "--strict"], { cwd: place })
  assert.is(strict.code, 1)
  assert.match(strict.stderr, "the types of the answers cannot be read, and --strict promises to check them")
})

test("with a syntax error in a file of types no answer is compared, and the reason is printed", async () => {
  const place = makeProject(
    {
      ...files,
      "lib/users.ts": files["lib/users.ts"].replace(
        /export interface[^}]*}\n/,
        'import type { User } from "./types.ts"\n',
      ),
      "lib/types.ts": "export interface User {\n  id number\n}\n",
    },
    ["fw", "esbuild", "typescript"],
  )
  const plain = await fw(["test"], { cwd: place })
  assert.is(plain.code, 0, plain.stdout)
  const reason = "lib/types.ts:2:3 has a syntax error: Property or signature expected."
  assert.match(plain.stdout, `Answers were not compared with their types: ${reason}`)
  const strict = await fw(["test", "--strict"], { cwd: place })
  assert.is(strict.code, 1)
  assert.match(strict.stderr, reason)
})

test("a JavaScript project has no types, and nothing is printed about it", async () => {
  const place = makeProject({
    "app/users/route.js": "export function Get(c) {\n  return c.json(200, { id: 1 })\n}\n",
    "tests/a.test.js":
      'import { test } from "node:test"\nimport { App } from "fw"\nimport routes from "../.fw/routes.ts"\ntest("users", async () => {\n  const app = new App({ logger: false })\n  await app.mount(routes)\n  await app.request("/users")\n})\n',
  })
  const { code, stdout } = await fw(["test"], { cwd: place })
  assert.is(code, 0, stdout)
  assert.not.match(stdout, "compared")
})

test.run()
