/**
 * Tests of calls without a schema in bundled programs: `fw test`, `fw build`, and what the commands say about types
 * that cannot be checked.
 */
import { existsSync, readFileSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { serve } from "../support/bin/build/executables.ts"
import { fw, program, runNode } from "../support/bin/cli/command.ts"
import { makeProject, write } from "../support/bin/dev/dev-project.ts"

const tsconfig = JSON.stringify({
  compilerOptions: { module: "nodenext", target: "es2022", strict: true, noEmit: true, types: [] },
})
const route = `import type { Context } from "fw"
import type { NewTask } from "../../lib/types.ts"
import { readTask } from "../../lib/read.ts"

export async function Post(c: Context) {
  const mark = "😀"; const task = await c.bind<NewTask>(); if (task.title === "boom") throw new Error(mark)
  return c.json(201, task)
}

export async function Put(c: Context) {
  const { count } = await c.bindForm<{ count: number }>({ maxFiles: 1 }), page = (await c.bindQuery<{ page?: number }>()).page ?? 0
  return c.json(200, count + page)
}

export const Patch = async (c: Context) => c.json(200, { task: await readTask(c), url: import.meta.url.slice(0, 5) })
`
const files = {
  "tsconfig.json": tsconfig,
  "lib/types.ts": "export interface NewTask { title: string; tags?: string[] }\n",
  "lib/notes.ts": `// Handlers call c.bind<T>() and c.bindForm<T>().
export const note = "see c.bind<T>() and c.bindQuery()"
`,
  "lib/read.ts": `import { note } from "./notes.ts"
import type { Context } from "fw"
import type { NewTask } from "./types.ts"

export async function readTask(context: Pick<Context, "bind">): Promise<NewTask> {
  const task: NewTask = await context.bind(
    // the type is inferred
  )
  return note === "" ? { title: "" } : task
}
`,
  "app/tasks/route.ts": route,
  // This file is imported next to the generated file, whose path begins with a dot.
  "main.ts": `import { App } from "fw"

const app = new App()
app.post("/count", async (c) => c.json(200, (await c.bind<{ count: number }>()).count))
export default app
`,
  "tests/tasks.test.ts": `import assert from "node:assert/strict"
import { test } from "node:test"
import { App } from "fw"
import routes from "../.fw/routes.ts"

const app = new App({ logger: false })
await app.mount(routes)
app.post("/own", async (c) => c.json(200, await c.bind<{ own: true }>()))
const post = (path: string, body: unknown) =>
  app.request(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) })

test("handlers are checked", async () => {
  assert.equal((await post("/tasks", { title: 1 })).status, 400)
  assert.deepEqual(await (await post("/tasks", { title: "a", more: 1 })).json(), { title: "a" })
})
test("calls in a test file are checked", async () => {
  assert.equal((await post("/own", { own: false })).status, 400)
  assert.equal((await post("/own", { own: true })).status, 200)
})
test("a failure has a position", async () => {
  assert.equal((await post("/tasks", { title: 1 })).status, 200)
})
`,
}
const packages = ["fw", "esbuild", "typescript"]

/** Sends values that must be refused and values that must be accepted to a program with the routes. */
async function checkProgram(url: string): Promise<void> {
  const send = async (method: string, path: string, body: unknown) => {
    const isForm = typeof body === "string"
    const type = isForm ? "application/x-www-form-urlencoded" : "application/json"
    const init = { method, headers: { "content-type": type }, body: isForm ? body : JSON.stringify(body) }
    const response = await fetch(url + path, init)
    return [response.status, (await response.json()) as never] as const
  }
  const [status, refused] = await send("POST", "/tasks", { tags: [1] })
  assert.is(status, 400)
  assert.equal(
    (refused as { issues: { path: unknown }[] }).issues.map(({ path }) => path),
    [["title"], ["tags", 0]],
  )
  assert.equal(await send("POST", "/tasks", { title: "a", __x: 1 }), [201, { title: "a" }])
  assert.equal(await send("PUT", "/tasks?page=2", "count=3"), [200, 5])
  assert.is((await send("PUT", "/tasks?page=x", "count=3"))[0], 400)
  assert.is((await send("PATCH", "/tasks", {}))[0], 400)
  assert.is((await send("PATCH", "/tasks", { title: "a" }))[0], 200)
  assert.equal(await send("POST", "/count", { count: 2 }), [200, 2])
  assert.is((await send("POST", "/count", { count: "2" }))[0], 400)
}

const bundled = suite("validators in bundles")
const root = makeProject(files, packages)

bundled("fw test checks calls, also those in test files", async () => {
  const { stdout } = await runNode([program, "test", "--json"], { cwd: root })
  const { passed, failures } = JSON.parse(stdout).data
  assert.equal([passed, failures.length], [2, 1])
  assert.equal([failures[0].file, failures[0].line], ["tests/tasks.test.ts", 21])
})

bundled("a bundle for Node checks calls, and its stacks have the positions of the sources", async () => {
  const { code, stderr } = await runNode([program, "build", "--target", "node"], { cwd: root })
  assert.is(code, 0, stderr)
  assert.not.match(stderr, "warning: the type")
  const server = await serve([process.execPath, "--enable-source-maps", join(root, "dist/node/server.mjs")], root)
  try {
    await checkProgram(server.url)
    const headers = { "content-type": "application/json" }
    await fetch(`${server.url}/tasks`, { method: "POST", headers, body: '{"title":"boom"}' })
  } finally {
    await server.stop()
  }
  const column = (route.split("\n")[5] ?? "").indexOf("new Error") + 1
  assert.match(server.output(), `app/tasks/route.ts:6:${column}`)
})

/** A program that runs a worker's module in Node, where code in texts is forbidden as in Workers. */
const host = `import { createServer } from "node:http"
const { default: worker } = await import(process.argv[1])
const context = { waitUntil() {}, passThroughOnException() {} }
const server = createServer(async (incoming, outgoing) => {
  const init = { method: incoming.method, headers: incoming.headers, body: incoming, duplex: "half" }
  const answer = await worker.fetch(new Request("http://localhost" + incoming.url, init), {}, context)
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers))
  outgoing.end(await answer.text())
})
server.listen(0, () => console.log("Listening on http://127.0.0.1:" + server.address().port))
`

bundled("a worker checks calls without creating code from text", async () => {
  const { code, stderr } = await runNode([program, "build", "--target", "workers"], { cwd: root })
  assert.is(code, 0, stderr)
  const file = join(root, "dist/workers/worker.mjs")
  const args = ["--disallow-code-generation-from-strings", "--input-type=module", "-e", host, file]
  const server = await serve([process.execPath, ...args], root)
  try {
    await checkProgram(server.url)
  } finally {
    await server.stop()
  }
})

bundled("the generated file stays unchanged while the types are unchanged", async () => {
  const path = join(root, ".fw/validators.ts")
  const before = statSync(path).mtimeMs
  const { stdout } = await fw(["generate", "templates"], { cwd: root })
  assert.not.match(stdout, "validators.ts")
  assert.is(statSync(path).mtimeMs, before)
  assert.not.match(readFileSync(path, "utf8"), /\beval\b|new Function|^import /m)
})

bundled("the generated file is removed when no call needs a check", async () => {
  const place = makeProject({ ...files, "tests/tasks.test.ts": "" }, packages)
  await fw(["generate", "templates"], { cwd: place })
  assert.ok(existsSync(join(place, ".fw/validators.ts")))
  for (const file of ["app/tasks/route.ts", "lib/read.ts", "main.ts"]) rmSync(join(place, file))
  write(place, { "app/tasks/route.ts": "export const Get = () => new Response()\n" })
  await fw(["generate", "templates"], { cwd: place })
  assert.not.ok(existsSync(join(place, ".fw/validators.ts")))
})

bundled.run()

const refused = suite("types that cannot be checked")
const open = (call: string) => ({
  "tsconfig.json": tsconfig,
  "app/x/route.ts": `import type { Context } from "fw"\n\nexport async function Post(c: Context) {\n  ${call}\n  return c.json(200, 1)\n}\n`,
})

type Refused = readonly (readonly [call: string, message: RegExp])[]

const warnings: Refused = [
  ["await c.bind<{ run(): void }>()", /"run"/],
  ["await c.bind<Map<string, string>>()", /Map/],
  ["const d: any = c; await d.bind()", /value of the type any/],
  ["async function read<T>() { return c.bind<T>() }; await read<string>()", /type parameter/],
]
const errors: Refused = [
  ["await c.bindForm<{ run(): void }>()", /"run"/],
  ["await c.bind<{ task: Missing }>()", /cannot find/],
]

/** Returns a project with each call in its own route. */
function createProject(calls: Refused): string {
  const routes = calls.map(([call], i) => [`app/x${i}/route.ts`, open(call)["app/x/route.ts"]] as const)
  return makeProject({ "tsconfig.json": tsconfig, ...Object.fromEntries(routes) }, packages)
}

/** Checks the findings of `fw validate`, and that a text has each problem with its position. */
async function checkProblems(calls: Refused, place: string, severity: string, text: string): Promise<void> {
  const { stdout } = await fw(["validate", "--json"], { cwd: place })
  const { problems } = JSON.parse(stdout).data
  const own = problems.filter(({ code }: { code: string }) => code === "validators")
  assert.equal(
    own.map((found: Record<string, unknown>) => [found.severity, found.file, found.line]),
    calls.map((_, i) => [severity, `app/x${i}/route.ts`, 4]),
  )
  for (const [i, [, message]] of calls.entries()) {
    assert.match(own[i].message, message)
    assert.match(text, message)
    assert.match(text, `app/x${i}/route.ts:4`)
  }
}

refused("a call that is only not checked is a warning, and an error with --strict", async () => {
  const place = createProject(warnings)
  const build = await fw(["build", "--target", "node"], { cwd: place })
  assert.is(build.code, 0, build.stderr)
  await checkProblems(warnings, place, "warning", build.stderr)
  assert.is((await fw(["validate", "--strict"], { cwd: place })).code, 1)
  const strict = await fw(["build", "--target", "node", "--strict"], { cwd: place })
  assert.is(strict.code, 1)
  assert.match(strict.stderr, "app/x3/route.ts:4")
})

refused("a type that does not exist, and a form that cannot be checked, stop a build", async () => {
  const place = createProject(errors)
  const build = await fw(["build", "--target", "node"], { cwd: place })
  assert.is(build.code, 1)
  await checkProblems(errors, place, "error", build.stderr)
})

refused(
  "a syntax error in a file of types stops a build and the tests, because properties may be missing from the other types",
  async () => {
    const place = makeProject(
      {
        "tsconfig.json": tsconfig,
        "types.ts": "export interface Task {\n  title: string\n  done boolean\n}\n",
        "app/x/route.ts": open("await c.bind<Task>()")["app/x/route.ts"].replace(
          "\n\n",
          '\nimport type { Task } from "../../types.ts"\n\n',
        ),
        "tests/x.test.ts": "",
      },
      packages,
    )
    for (const command of [["build", "--target", "node"], ["test"], ["generate", "templates"]]) {
      const { code, stderr } = await fw(command, { cwd: place })
      assert.is(code, 1, command.join(" "))
      assert.match(stderr, "types.ts:3:3 has a syntax error: Property or signature expected.")
    }
  },
)

refused("fw test shows the calls that are not checked", async () => {
  const place = makeProject({ ...open("const d: any = c; await d.bind()"), "tests/x.test.ts": "" }, packages)
  const { code, stderr } = await fw(["test"], { cwd: place })
  assert.is(code, 0, stderr)
  assert.match(stderr, /warning: this call of bind\(\) is not checked[\s\S]*app\/x\/route\.ts:4/)
})

refused("any and unknown accept everything, which is reported once", async () => {
  const place = makeProject(
    open("await c.bind(); await c.bind<{ a: any; b: unknown }>(); await c.bind<any>()"),
    packages,
  )
  const { stdout } = await fw(["validate", "--strict", "--json"], { cwd: place })
  const { problems, valid } = JSON.parse(stdout).data
  assert.is(valid, true)
  assert.is(problems.filter(({ code }: { code: string }) => code === "validators").length, 1)
})

refused("without TypeScript nothing is built if a call needs a check", async () => {
  for (const [call, code] of [
    ["await c.bind<{ a: 1 }>()", 1],
    ["await c.bind(schema)", 0],
    ["await c.bind(schema) // c.bind<T>()\n  const text = 'c.bind()'", 0],
  ] as const) {
    const text = open(call)["app/x/route.ts"].replace("\n\n", "\ndeclare const schema: never\n\n")
    const place = makeProject({ "tsconfig.json": tsconfig, "app/x/route.ts": text })
    const ran = await fw(["build", "--target", "node"], { cwd: place })
    assert.is(ran.code, code, ran.stderr)
    if (code === 1) assert.match(ran.stderr, /cannot be read: TypeScript is not installed/)
    const validated = await fw(["validate"], { cwd: place })
    assert.is(validated.code, code, validated.stdout)
    if (code === 1) assert.match(validated.stdout, /cannot be read: TypeScript is not installed/)
  }
})

refused.run()
