/**
 * Tests that `fw dev` checks calls without a schema against the current types, and refuses them if the types cannot
 * be read.
 */
import { spawnSync } from "node:child_process"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, type Dev, makeProject, startDev, write } from "../support/bin/dev/dev-project.ts"

const types = (priority: string) => `export interface NewTask { title: string; priority?: ${priority} }\n`
const handler = (type: string) => `import type { Context } from "fw"
import type { NewTask } from "../../types.ts"

export interface Other { other: true }

export async function Post(c: Context) {
  const emoji = "😀"; const task = await c.bind<${type}>(); return c.json(201, { emoji, task, more: await c.bind<{ title?: string }>() })
}

export async function Put(c: Context) {
  const form = await c.readForm<{ count: number; tags: string[] }>({ maxFiles: 1 })
  return form.ok ? c.json(200, form.data) : c.json(422, form.issues)
}

export function Get(c: Context) {
  return c.string(200, "free")
}
`
const kinds = `export type Kind = "bug" | "wish"\nexport const first: Kind = "bug"\n`
const kindHandler = (before: string) => `import type { Context } from "fw"
import { first, type Kind } from "../../kinds.ts"
${before}
export async function Post(c: Context) {
  const { kind } = await c.bind<{ kind?: Kind }>()
  return c.json(200, { kind: kind ?? first })
}
`
const files = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: { module: "nodenext", target: "es2022", strict: true, noEmit: true, types: [] },
  }),
  "types.ts": types("number"),
  "app/tasks/route.ts": handler("NewTask"),
  "kinds.ts": kinds,
  "app/kinds/route.ts": kindHandler(""),
  "app/other-kinds/route.ts": kindHandler(""),
  "app/list/page.tpl": `import type { Context } from "fw"

template Page(c: Context) {
  <p>{(await c.bindQuery<{ page: number }>()).page + 1}</p>
}
`,
  "app/loose/route.ts": `import type { Context } from "fw"

export async function Post(c: any) {
  return c.json(200, await c.bind())
}

export async function Put(c: Context) {
  return c.json(200, await c.bind<{ at: () => void }>())
}
`,
}

const dev = suite("fw dev: validators")
let root = ""
let run: Dev
let port = 0

dev.before(async () => {
  root = makeProject(files, ["fw", "esbuild", "typescript"])
  run = startDev(root)
  port = await run.port()
})
dev.after(async () => assert.is(await run.stop(), 0))

async function send(method: string, path: string, body: unknown, on = port) {
  const isForm = typeof body === "string"
  const type = isForm ? "application/x-www-form-urlencoded" : "application/json"
  const answer = await ask(on, path, {
    method,
    headers: { "content-type": type },
    body: isForm ? body : JSON.stringify(body),
  })
  return { status: answer.status, body: JSON.parse(answer.body) }
}
const post = (body: unknown) => send("POST", "/tasks", body)

/** Returns the paths of the issues in an answer. */
const paths = ({ body }: { body: { issues?: { path: unknown }[] } }) => body.issues?.map(({ path }) => path)

dev(
  "invalid data is refused with the position of the mistake, and valid data has the declared properties",
  async () => {
    const refused = await post({ title: 1, priority: "high" })
    assert.is(refused.status, 400)
    assert.equal(paths(refused), [["title"], ["priority"]])
    const { status, body } = await post({ title: "a", priority: 1, isAdmin: true })
    assert.equal([status, body], [201, { emoji: "😀", task: { title: "a", priority: 1 }, more: { title: "a" } }])
  },
)

dev("a form and a query are converted", async () => {
  assert.equal(await send("PUT", "/tasks", "count=2&tags=x"), {
    status: 200,
    body: { count: 2, tags: ["x"] },
  })
  assert.is((await send("PUT", "/tasks", "count=x")).status, 422)
  assert.match((await ask(port, "/list?page=2")).body, "<p>3</p>")
  assert.is((await ask(port, "/list?page=two")).status, 400)
})

dev("a type that changed in a file without code applies to the next request", async () => {
  write(root, { "types.ts": types("string") })
  assert.equal(paths(await post({ title: "a", priority: 1 })), [["priority"]])
  assert.is((await post({ title: "a", priority: "high" })).status, 201)
  write(root, { "types.ts": types("number") })
  assert.is((await post({ title: "a", priority: 1 })).status, 201)
})

dev("a call that changed is checked against its new type", async () => {
  write(root, { "app/tasks/route.ts": handler("Other") })
  await run.says(/rebuilt in \d+ ms/)
  assert.equal(paths(await post({ title: "a" })), [["other"]])
  // A change further up moves the calls to other lines.
  write(root, { "app/tasks/route.ts": `// one\n// two\n${handler("NewTask")}` })
  await run.says(/rebuilt in \d+ ms/)
  assert.equal(paths(await post({ title: 1 })), [["title"]])
  assert.is((await post({ title: "a" })).status, 201)
})

dev("a type that does not exist is an error with its position, and nothing passes unchecked", async () => {
  write(root, { "app/tasks/route.ts": handler("NoTask") })
  await run.says(/rebuilt in \d+ ms/)
  const { status, body } = await post({ title: "a" })
  assert.is(status, 500)
  assert.equal([body.dev.file, body.dev.line], ["app/tasks/route.ts", 7])
  assert.match(body.message, "cannot find")
  assert.is((await ask(port, "/tasks")).body, "free")
  write(root, { "app/tasks/route.ts": handler("NewTask") })
  await run.says(/rebuilt in \d+ ms/)
  assert.is((await post({ title: "a" })).status, 201)
})

dev(
  "a syntax error in a file of types is an error with its position, because properties may be missing from the other types",
  async () => {
    write(root, { "types.ts": types("number").replace("title:", "title") })
    const { status, body } = await post({ priority: 1 })
    assert.is(status, 500)
    assert.match(body.message, /types\.ts:1:\d+ has a syntax error/)
    assert.is((await ask(port, "/tasks")).body, "free")
    write(root, { "types.ts": types("number") })
    assert.is((await post({ title: "a" })).status, 201)
  },
)

dev("a call that cannot be checked is reported in the terminal, and only parsed", async () => {
  assert.equal(await send("POST", "/loose", { any: 1 }), { status: 200, body: { any: 1 } })
  assert.equal(await send("PUT", "/loose", { at: 1 }), { status: 200, body: { at: 1 } })
  assert.match(run.output, "warning: this call of bind() is not checked: it is called on a value of the type any")
  assert.match(run.output, /app\/loose\/route\.ts:4:30/)
  assert.match(run.output, /app\/loose\/route\.ts:8:\d+/)
})

dev("a call in a template has its position in the template", async () => {
  const page = files["app/list/page.tpl"]
  write(root, { "app/list/page.tpl": page.replace("{ page: number }", "Missing") })
  await run.says(/rebuilt in \d+ ms/)
  const { status, body } = await ask(port, "/list?page=2")
  assert.is(status, 500)
  const { dev: shown } = JSON.parse(body)
  assert.equal([shown.file, shown.line], ["app/list/page.tpl", 4])
  write(root, { "app/list/page.tpl": page })
  await run.says(/rebuilt in \d+ ms/)
  assert.match((await ask(port, "/list?page=2")).body, "<p>3</p>")
})

dev("while the files are not a valid program, the last one keeps its types", async () => {
  const asked = async (path: string) => [
    (await send("POST", path, { kind: "none" })).status,
    (await send("POST", path, {})).body.kind,
  ]
  assert.equal(await asked("/kinds"), [400, "bug"])
  const shown = run.output.length
  write(root, { "kinds.ts": null, "app/kinds/route.ts": kindHandler("\n\n") })
  await run.says(/Could not resolve/)
  for (const path of ["/kinds", "/other-kinds"]) assert.equal([path, ...(await asked(path))], [path, 400, "bug"])
  assert.not.match(run.output.slice(shown), "TypeScript cannot find")
  write(root, { "kinds.ts": kinds.replace(' = "bug"\n', ' = "wish"\n') })
  await run.says(/rebuilt in \d+ ms/)
  for (const path of ["/kinds", "/other-kinds"]) assert.equal([path, ...(await asked(path))], [path, 400, "wish"])
})

dev("a type reader that was killed is started again", async () => {
  const readers = run.descendants().filter((pid) => commandOfProcess(pid).includes("facts-child"))
  assert.is(readers.length, 1)
  for (const pid of readers) process.kill(pid, "SIGKILL")
  write(root, { "types.ts": types("boolean") })
  assert.equal(paths(await post({ title: "a", priority: 1 })), [["priority"]])
  write(root, { "types.ts": types("number") })
  assert.is((await post({ title: "a", priority: 1 })).status, 201)
})

/** Returns the command line of a process, or an empty text if it has ended. */
function commandOfProcess(pid: number): string {
  return spawnSync("ps", ["-o", "args=", "-p", String(pid)], { encoding: "utf8" }).stdout
}

dev.run()

const untyped = suite("fw dev: validators without TypeScript")

untyped("the call fails and says what to install; the rest of the program answers", async () => {
  const place = makeProject(files)
  const other = startDev(place)
  const at = await other.port()
  try {
    const { status, body } = await send("POST", "/tasks", { title: "a" }, at)
    assert.is(status, 500)
    assert.match(body.message, "TypeScript is not installed in the project")
    assert.match(body.dev.fix, "npm install --save-dev")
    assert.equal([body.dev.file, body.dev.line], ["app/tasks/route.ts", 7])
    assert.is((await ask(at, "/tasks")).body, "free")
  } finally {
    assert.is(await other.stop(), 0)
  }
})

untyped.run()
