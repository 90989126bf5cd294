/**
 * Tests of the types of a generated client, with strict options and each supported TypeScript, and of the time that
 * checking them takes.
 */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../support/bin/cli/command.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"
import { clientAPI } from "../support/bin/generate/client-api.ts"
import { manyRoutes } from "../support/bin/openapi/openapi-many.ts"
import { shared } from "../support/bin/openapi/openapi-types.ts"
import { packageDirectory } from "../support/packages.ts"
import { installTools } from "../support/tools.ts"
import { root } from "../support/tsc.ts"

const run = promisify(execFile)
const typescript = packageDirectory("typescript")

/** A program that uses the client, with calls that the compiler must refuse. */
const use = `import { createClient, type GetTaskResult, type Task } from "./lib/client.ts"
const client = createClient({ baseURL: "http://localhost:3000", bearer: "secret" })
const answer: GetTaskResult = await client.getTask({ params: { id: 7 } })
if (answer.status === 200) {
  const due: Date | null = answer.data.due
  const change = answer.data.history[0]
  if (change?.kind === "moved") change.at.getTime()
  if (change?.kind === "noted") change.at.toUpperCase()
  const task: Task = answer.data
  void [due, task]
} else if (answer.status === 404) {
  answer.error.message.trim()
  // @ts-expect-error An error has no data.
  answer.data.title
} else {
  // @ts-expect-error The status of any other error is not one that the operation names.
  const named: 200 | 404 = answer.status
  answer.response.status === 503
  answer.status >= 500
}
const { data, error } = await client.listTasks({ query: { q: "a", tag: ["b"] }, signal: new AbortController().signal })
if (data) data.items[0]?.title
else error.message
const events = await client.watch()
if (events.ok) for await (const event of events.data) event.data.trim()
const stamped = await client.stamp()
if (stamped.ok) [stamped.data.response.made.getTime(), stamped.data.stamped.text.trim()]
await client.upload({ form: { document: new Blob(["a"]), title: "A" } })
await client.changeTask({ params: { id: 7 }, body: { title: "a", due: new Date() } })
// @ts-expect-error A parameter is missing.
client.getTask()
// @ts-expect-error There is no such property.
client.changeTask({ params: { id: 7 }, body: { titel: "a" } })
// @ts-expect-error The id is a number.
client.getTask({ params: { id: "7" } })
// @ts-expect-error There is no such query parameter.
client.listTasks({ query: { search: "a" } })
`

const strictest = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  module: "nodenext",
  target: "es2022",
  allowImportingTsExtensions: true,
  noEmit: true,
  skipLibCheck: true,
}
const onNode = { lib: ["ES2023"], types: ["node"], typeRoots: [join(root, "node_modules/@types")] }

/** Runs a compiler on a file of a project. @returns its output. */
async function check(cwd: string, file: string, options: object, compiler = typescript): Promise<string> {
  const compilerOptions = { ...strictest, ...options }
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions, files: [file] }))
  const args = [join(compiler, "bin/tsc"), "-p", cwd, "--extendedDiagnostics", "--pretty", "false"]
  const { stdout } = await run(process.execPath, args).catch((error: { stdout: string }) => error)
  return stdout
}

function errorsIn(output: string): string[] {
  return output.split("\n").filter((line) => line.includes("error TS"))
}

/** Fails if the formatter of an example would change a file. */
async function checkFormat(file: string): Promise<void> {
  const text = readFileSync(file, "utf8").replaceAll(/^\/\/ biome-ignore-all.*\n/gm, "")
  const biome = join(root, "node_modules/@biomejs/biome/bin/biome")
  const formatting = run(process.execPath, [biome, "format", "--stdin-file-path=lib/client.ts"], {
    cwd: join(root, "examples/tasks"),
  })
  formatting.child.stdin?.end(text)
  assert.is((await formatting).stdout, text)
}

const hard = makeProject(clientAPI, ["fw", "typescript"])
await fw(["generate", "client"], { cwd: hard })
writeFileSync(join(hard, "use.ts"), use)

const places: Readonly<Record<string, object>> = {
  "Node's types": { ...onNode, erasableSyntaxOnly: true, isolatedDeclarations: true, declaration: true },
  "a browser's types": { lib: ["ES2022", "DOM", "DOM.Iterable", "DOM.AsyncIterable"], types: [] },
}
for (const [name, options] of Object.entries(places)) {
  test(`with ${name} the types are right, and wrong calls are refused`, async () => {
    assert.equal(errorsIn(await check(hard, "use.ts", options)), [])
  })
}

/** Types that the client must contain unchanged. */
const tuples = ["[...string[], number]", "[string, ...(number | null)[], boolean, Date]"]

/** Types that are hard to write, in addition to those of `shared`. */
const hardTypes = [
  ...[...shared.matchAll(/export (?:interface|type|enum|class) (\w+)(?! *<)(?=[ =])/g)].map(([, name]) => String(name)),
  "Page<Task>",
  "Json[]",
  "Record<string, Json>",
  "{ a: 1; [key: string]: unknown }",
  "{ list: ({ a: 1; [key: string]: unknown } | null)[]; [key: string]: unknown } | null",
  "{ [Key in `x-${string}`]: number }",
  "{ when: Date; list: (Date | null)[]; map: Record<string, Date>; either: Date | string }",
  "[Date, string?, ...number[]]",
  ...tuples,
  `(${["a", "b", "c", "d"].map((letter) => `"${letter.repeat(30)}"`).join(" | ")})[]`,
  `{ state: ${["a", "b", "c", "d"].map((letter) => `"${letter.repeat(30)}"`).join(" | ")} }`,
  '{ 1: true; __proto__: 2; constructor: 3; "a\'b": 4; /** Ends here: *\\/ */ note: 5 }',
  "{ Promise: Client; ok: Ok }",
]

test("complex types have no type errors, and are formatted", async () => {
  const own = "\nexport interface Client { at: Date; children?: Client[] }\nexport type Ok = { Ok: Client } | null\n"
  const names = [...`${shared}${own}`.matchAll(/export (?:interface|type|enum|class) (\w+)/g)].map(([, name]) => name)
  const routes = hardTypes.map((type, n) => {
    const body = `const body = await c.bind<${type}>()\n  return c.json(200, body as ${type})`
    const source = `import type { Context } from "fw"\nimport type { ${names.join(", ")} } from "../../../types.ts"\nexport async function Post(c: Context) {\n  ${body}\n}\n`
    return [`app/api/t${n}/route.ts`, source] as const
  })
  const cwd = makeProject({ "types.ts": shared + own, ...Object.fromEntries(routes) }, ["fw", "typescript"])
  const { code, stderr } = await fw(["generate", "client"], { cwd })
  assert.is(code, 0, stderr)
  const client = readFileSync(join(cwd, "lib/client.ts"), "utf8")
  for (const type of tuples) assert.ok(client.includes(type), `${type} is not in the client`)
  assert.equal(errorsIn(await check(cwd, "lib/client.ts", onNode)), [])
  await checkFormat(join(cwd, "lib/client.ts"))
})

for (const example of ["tasks", "auth"]) {
  test(`the client of examples/${example} has no type errors`, async () => {
    const file = join(hard, "lib", `${example}.ts`)
    const cwd = join(root, "examples", example)
    const { code, stderr } = await fw(["generate", "client", "--output", file], { cwd })
    assert.is(code, 0, stderr)
    assert.equal(errorsIn(await check(hard, `lib/${example}.ts`, onNode)), [])
  })
}

test("the generated clients are formatted", async () => {
  const files = ["client", "tasks", "auth"].map((name) => join(hard, "lib", `${name}.ts`))
  for (const file of files) await checkFormat(file)
})

test("500 operations cost the type checker one instantiation each, and at most five more where they are called", async () => {
  const costs: Record<number, readonly number[]> = {}
  for (const count of [50, 500]) {
    const cwd = makeProject(manyRoutes(count), ["fw", "typescript"])
    await fw(["generate", "client"], { cwd })
    const names = [...readFileSync(join(cwd, "lib/client.ts"), "utf8").matchAll(/^ {2}readonly (\w+): \(/gm)]
    assert.is(names.length, count)
    const calls = names.map(([, name], n) => {
      return `const a${n} = await client.${name}({} as never)\nconsole.log(a${n}.ok ? a${n}.data : [a${n}.status, a${n}.error])\n`
    })
    const start = 'import { createClient } from "./lib/client.ts"\nconst client = createClient()\n'
    writeFileSync(join(cwd, "all.ts"), start + calls.join(""))
    const outputs = [await check(cwd, "lib/client.ts", onNode), await check(cwd, "all.ts", onNode)]
    assert.equal(outputs.flatMap(errorsIn), [])
    costs[count] = outputs.map((output) => Number(/Instantiations:\s+(\d+)/.exec(output)?.[1]))
  }
  const [[few = 0, fewCalled = 0] = [], [many = 0, manyCalled = 0] = []] = [costs[50], costs[500]]
  const growth = `${few} to ${many}, called ${fewCalled} to ${manyCalled}`
  assert.ok(few > 0 && many - few <= 450 * 1.5, growth)
  assert.ok(manyCalled - fewCalled <= 450 * 6, growth)
})

const folder = mkdtempSync(join(tmpdir(), "fw-client-types-"))
test.after(() => rmSync(folder, { recursive: true, force: true }))

if (process.env.FW_TEST_TYPESCRIPT !== "next") {
  for (const version of ["5.5", "5.9"]) {
    test(`TypeScript ${version} accepts the client`, async () => {
      const cwd = join(folder, version)
      mkdirSync(join(cwd, "lib"), { recursive: true })
      writeFileSync(join(cwd, "package.json"), '{ "type": "module", "private": true }')
      symlinkSync(await installTools([`typescript@~${version}.0`]), join(cwd, "node_modules"))
      symlinkSync(join(hard, "lib/client.ts"), join(cwd, "lib/client.ts"))
      writeFileSync(join(cwd, "use.ts"), use)
      const own = join(cwd, "node_modules/typescript")
      assert.equal(errorsIn(await check(cwd, "use.ts", { ...onNode, preserveSymlinks: true }, own)), [])
    })
  }
}

test.run()
