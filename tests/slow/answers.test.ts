/** Tests of the differences that are found between the JSON of answers and their types. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import {
  type AnswerFinding,
  AnswerTypes,
  describeFinding,
  readAnswerTypes,
} from "../../bin/validators/answers/answers.ts"
import { makeProject, write } from "../support/bin/dev/dev-project.ts"
import { strictConfig } from "../support/bin/project/strict-config.ts"

const types = `export interface User {
  id: number
  email: string
  team?: { name: string } | null
}
export interface Node { value: number; next?: Node }
export type Shape = { kind: "circle"; r: number } | { kind: "square"; side: number }
export class Money { constructor(private cents: number) {} toJSON() { return String(this.cents) } }
export class Point { x = 1; #secret = 2; get secret() { return this.#secret } }
export interface Limited {
  /** @maxLength 3 */
  name: string
  /** @format email */
  mail?: string
}
`

/**
 * A type, the JSON that was sent, and the differences: paths with their issues, and `+` with paths that are not
 * declared.
 */
const rows: ReadonlyArray<readonly [type: string, json: unknown, differs: readonly string[]]> = [
  ["User", { id: 1, email: "a" }, []],
  ["User", { id: 1, email: "a", team: null }, []],
  ["User", { id: 1, email: null }, ["email: expected a string, got null"]],
  ["User", { id: 1 }, ["email: expected a string, got nothing"]],
  ["User", { id: "1", email: "a" }, ["id: expected a number, got a string"]],
  ["User", { id: 1, email: "a", passwordHash: "x" }, ["+ passwordHash"]],
  ["User", { id: 1, email: null, salt: 1 }, ["email: expected a string, got null", "+ salt"]],
  ["User", { id: 1, email: "a", team: { name: "t", secret: 1 } }, ["+ team.secret"]],
  ["User", null, [": expected an object, got null"]],
  // The same difference in several items of a list is reported once.
  [
    "User[]",
    [
      { id: 1, email: null, a: 1 },
      { id: 2, email: null, a: 2 },
    ],
    ["[].email: expected a string, got null", "+ [].a"],
  ],
  [
    "{ users: User[]; total: number }",
    { users: [null], total: null },
    ["users[]: expected an object, got null", "total: expected a number, got null"],
  ],
  // The keys of a record are data, so they are not part of a path.
  ["Record<string, User>", { tok_secret: { id: null, email: "a" } }, ["*.id: expected a number, got null"]],
  ["Record<string, User>", { tok_secret: { id: 1, email: "a", more: 1 } }, ["+ *.more"]],
  ["Record<string, unknown>", { any: { thing: 1 } }, []],
  ["{ data: unknown }", { data: { any: 1 } }, []],
  ["object", { any: 1 }, []],
  ["{}", { any: 1 }, []],
  ["any", [1], []],
  // JSON.stringify writes a date like this.
  ["Date", "1970-01-01T00:00:00.000Z", []],
  ["{ at: Date }", { at: null }, ["at: expected a string (date-time, such as 2027-01-31T09:30:00Z), got null"]],
  ["{ a: string | undefined }", {}, []],
  ["(string | undefined)[]", ["a", null], []],
  ["[string, number?]", ["a"], []],
  ["[string, number?]", ["a", "b"], ["[]: expected a number, got a string"]],
  ["Money", "12", []],
  ["Map<string, number>", {}, []],
  ["Point", { x: 1 }, []],
  ["{ big: bigint }", { big: "5" }, []],
  ["number | null", null, []],
  // Unions.
  ["Shape", { kind: "circle", r: 1 }, []],
  ["Shape", { kind: "circle", r: 1, side: 2 }, ["+ side"]],
  ["Shape", { kind: "square", side: null }, ["side: expected a number, got null"]],
  ["User | { error: string }", { error: null }, ["error: expected a string, got null"]],
  ["User | null", { id: 1, email: null }, ["email: expected a string, got null"]],
  [
    "null | { a: string; b: string }",
    { a: null, b: null },
    ["a: expected a string, got null", "b: expected a string, got null"],
  ],
  ["User | string", { id: 1, email: "a" }, []],
  ['"a" | "b"', "c", [': expected "a" or "b", got a string']],
  ["Node", { value: 1, next: { value: 2, next: { value: null } } }, ["next.next.value: expected a number, got null"]],
  [
    "Limited",
    { name: "long", mail: "no" },
    [
      "name: expected a string of at most 3 characters, got another string",
      "mail: expected a string (email, such as ada@example.com), got another string",
    ],
  ],
  [
    "Omit<User, 'team'> & { extra: boolean }",
    { id: 1, email: "a", extra: "yes", team: null },
    ["extra: expected a boolean, got a string", "+ team"],
  ],
]

const route = (index: number) => `/r${index}`
const files = {
  "tsconfig.json": strictConfig,
  "types.ts": types,
  ...Object.fromEntries(
    rows.map(([type], index) => [
      `app${route(index)}/route.ts`,
      `import type { Context } from "fw"\nimport type * as types from "../../types.ts"\n${imports(type)}declare const value: ${type}\n\nexport function Get(c: Context) {\n  return c.json(200, value)\n}\n`,
    ]),
  ),
  "app/calls/route.ts": `import type { Context } from "fw"
import { created, page } from "../../lib/respond.ts"

export function Get(c: Context) {
  if (c.query("page")) return page(c, [{ id: 1 }])
  return c.query("no")
    ? c.json(404, { missing: "it" })
    : c.json(200, { found: true })
}

export function Post(c: Context) {
  return created(c, { name: "Ada" })
}

export function Patch(c: Context) {
  if (c.query("one")) return c.json(200, { one: 1 })
  return c.json(200, { two: 2 })
}

export function Put(c: Context) {
  const status = Number(c.query("status"))
  return c.json(status, { id: 1 })
}
`,
  "app/calls/middleware.ts": `import type { Next } from "fw"

export function Middleware(next: Next) {
  return (c: Parameters<Next>[0]) => (c.query("stop") ? c.json(429, { wait: 1 }) : next(c))
}
`,
  "lib/respond.ts": `import type { Context } from "fw"

export function created<T>(c: Context, data: T) {
  return c.json(201, { data })
}

export function page<T>(c: Context, items: T[]) {
  return c.json(200, { items })
}
`,
  "main.ts": `import { App } from "fw"

const app = new App()
app.get("/hand/{id}", (c) => c.json(200, { id: c.param("id") }))
export default app
`,
}

function imports(type: string): string {
  const names = ["User", "Node", "Shape", "Money", "Point", "Limited"].filter((name) => type.includes(name))
  return names.length > 0 ? `import type { ${names.join(", ")} } from "../../types.ts"\n` : ""
}

const test = suite("answers and their types")
let root = ""
let known: AnswerTypes

test.before(async () => {
  root = makeProject(files, ["fw", "typescript"])
  known = await read()
})

async function read(): Promise<AnswerTypes> {
  const read = await readAnswerTypes({ root, appDir: "app" })
  assert.instance(read, AnswerTypes)
  return read as AnswerTypes
}

/** Returns the differences in the form of the table. */
async function differs(pattern: string, sent: object, json: unknown): Promise<string[]> {
  const at = { file: `app${pattern}/route.ts`, line: 0, column: 1 }
  const text = typeof json === "string" && json.startsWith("raw ") ? json.slice(4) : JSON.stringify(json)
  return (await known.check({ method: "GET", pattern, status: 200, text, at, ...sent })).flatMap(shown)
}

function shown({ kind, parts }: AnswerFinding): string[] {
  return parts.map(({ path, issue }) => (kind === "type" ? `${path}: ${issue}` : `+ ${path}`))
}

for (const [index, [type, json, expected]] of rows.entries())
  test(`the JSON ${JSON.stringify(json)} of the type ${type} has the expected differences`, async () => {
    assert.equal(await differs(route(index), {}, json), expected)
  })

test("an answer is compared with the type at the line of the call that created it", async () => {
  const calls = (line: number, sent: object, json: unknown, file = "app/calls/route.ts") =>
    differs("/calls", { at: { file, line, column: 1 }, ...sent }, json)
  const helper = "lib/respond.ts"
  assert.equal(await calls(8, {}, { found: 1 }), ["found: expected a boolean, got a number"])
  assert.equal(await calls(7, { status: 404 }, { missing: 1 }), ["missing: expected a string, got a number"])
  assert.equal(await calls(8, { method: "HEAD" }, { found: 1 }), ["found: expected a boolean, got a number"])
  assert.equal(await calls(8, {}, { items: [] }, helper), [])
  assert.equal(await calls(8, {}, { items: [{ id: null }] }, helper), ["items[].id: expected a number, got null"])
  const post = { method: "POST", status: 201 }
  assert.equal(await calls(4, post, { data: { name: null } }, helper), ["data.name: expected a string, got null"])
  assert.equal(await calls(16, { method: "PATCH" }, { one: 1 }), [])
  const other = ["two: expected a number, got nothing", "+ one"]
  assert.equal(await calls(17, { method: "PATCH" }, { one: 1 }), other)
  // This status is known only when the answer is sent.
  assert.equal(await calls(22, { method: "PUT", status: 218 }, { id: null }), ["id: expected a number, got null"])
  const middleware = "app/calls/middleware.ts"
  assert.equal(await calls(4, { status: 429 }, { wait: "1" }, middleware), ["wait: expected a number, got a string"])
  assert.equal(await differs("/hand/{id}", { at: { file: "main.ts", line: 4, column: 1 } }, { id: 7 }), [
    "id: expected a string, got a number",
  ])
})

test("an answer of another program, of another status or that is too large is not compared", async () => {
  assert.equal(await differs("/r2", { at: { file: "tests/a.test.ts", line: 7, column: 1 } }, { id: 1 }), [])
  assert.equal(await differs("/r2", { status: 500 }, { id: 1 }), [])
  assert.equal(await differs("/r2", { method: "DELETE" }, { id: 1 }), [])
  assert.equal(await differs("/nowhere", {}, { id: 1 }), [])
  assert.equal(await differs("/r2", { text: null }, {}), [])
})

test("a value of any depth and size takes a limited time, and few differences are reported", async () => {
  const nodes = rows.findIndex(([type]) => type === "Node")
  const deep = `${'{"value":1,"next":'.repeat(20_000)}null${"}".repeat(20_000)}`
  const [first = ""] = await differs(route(nodes), { text: deep }, null)
  assert.match(first, "expected at most 500 levels, got more")
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`k${i}`, i]))
  assert.is((await differs("/r0", {}, { id: 1, email: "a", ...wide })).length, 20)
})

test("a message contains the route, the type and the fix, but no value", async () => {
  const at = { file: "app/r2/route.ts", line: 7, column: 12 }
  const text = JSON.stringify({ id: "secret-1", email: null, "secret key": "secret-2" })
  const found = await known.check({ method: "GET", pattern: "/r2", status: 200, text, at })
  assert.equal(found.map(describeFinding), [
    {
      message:
        "GET /r2 answers 200 with a value that does not fit its type: id: expected a number, got a string; email: expected a string, got null",
      fix: "Send what the type says, or correct it in the type User (types.ts:1).",
    },
    {
      message: 'GET /r2 answers 200 with properties that its type does not declare: ["secret key"]',
      fix: "Clients get them, but the document does not show them. Send only the properties that clients need, or declare these in the type.",
    },
  ])
})

test("if TypeScript cannot resolve a type, answers are not compared with it", async () => {
  write(root, { "types.ts": types.replace("id: number", "id: Missing") })
  known = await read()
  assert.equal(await differs("/r2", {}, { id: {}, email: null }), ["email: expected a string, got null"])
})

test("a syntax error in a file of types leaves no types, because TypeScript skips code that it cannot parse", async () => {
  write(root, { "types.ts": types.replace("email: string", "email string") })
  assert.equal(await readAnswerTypes({ root, appDir: "app" }), {
    untyped: "types.ts:3:3 has a syntax error: Property or signature expected.",
    fix: "Fix the syntax.",
  })
  write(root, { "types.ts": types })
})

test("without TypeScript there are no types", async () => {
  const plain = makeProject({ "app/a/route.ts": "export function Get() {}\n" })
  const read = await readAnswerTypes({ root: plain, appDir: "app" })
  assert.ok("untyped" in read)
})

test.run()
