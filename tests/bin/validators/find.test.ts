/**
 * Tests that all calls that are validated against a type are found, in every way to write them. All cases are in
 * one project, which is read once.
 */
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { openTypes } from "../../../bin/tools/typescript/program.ts"
import { findBindingMethod, findFilesWithCalls, readCalls } from "../../../bin/validators/read-calls.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const head = `import type { Context, Form, StandardSchema } from "fw"
interface A { a: string }
interface B { b: number }
type More = Context & { more: true }
declare const schema: StandardSchema<A>
declare const options: { maxFiles: number }
declare const udp: { bind(): void; bindForm<T>(): T }
declare function pass<T>(value: T): T
const name = "bind"
const bind = <T>(value?: T) => value
`

/** The body of a handler, and the methods of its calls with their types; `?` for a call without its own type. */
const spellings: ReadonlyArray<readonly [source: string, ...calls: string[]]> = [
  ["await c.bind<A>()", "bind A"],
  ["const a: A = await c.bind()", "bind A"],
  ["await c.bindForm<A>()", "bindForm A"],
  ["await c.bindForm<A>(options)", "bindForm A"],
  ["await c.bindForm<A>({ maxFiles: 1 })", "bindForm A"],
  ["await c.bindQuery<A>()", "bindQuery A"],
  ["const form = await c.readForm<A>()", "readForm A"],
  ["const form: Form<A> = await c.readForm()", "readForm A"],
  ["await c.readForm<A>(options)", "readForm A"],
  ["await c.bind<A>(), await c.bind<B>()", "bind A", "bind B"],
  ["await c.bind<\n  A\n>(\n  // nothing\n)", "bind A"],
  ["await c\n  .bind<A>()", "bind A"],
  ['await c["bind"]<A>()', "bind A"],
  ["await c[name]<A>()", "bind A"],
  ["await c?.bind<A>()", "bind A"],
  ["await c!.bind<A>()", "bind A"],
  ["await (c.bind)<A>()", "bind A"],
  ["await (c as More).bind<A>()", "bind A"],
  ["const other = c; await other.bind<A>()", "bind A"],
  ["const { x } = { x: c }; await x.bind<A>()", "bind A"],
  ["const read = () => c.bind<A>(); await read()", "bind A"],
  ["const read = (o: { c: Context }) => o.c.bind<A>(); await read({ c })", "bind A"],
  ["const read = ({ c: d }: { c: Context }) => d.bind<A>(); await read({ c })", "bind A"],
  ["const read = (c: Pick<Context, 'bind'>) => c.bind<A>(); await read(c)", "bind A"],
  ["c.bind<A>().then((a) => a.a)", "bind A"],
  ["pass<Promise<A>>(c.bind())", "bind A"],
  ["const all = await Promise.all([c.bind<A>(), c.bindQuery<B>()])", "bind A", "bindQuery B"],
  ["function read<T>() { return c.bind<T>() }; await read<A>()", "bind ?"],
  ["const d: any = c; await d.bind()", "bind ?"],
  ["const d: any = c; const a: A = await d.bindForm()", "bindForm ?"],
  ["await c.bind(schema)"],
  ["await c.bindForm(schema)"],
  ["await c.bindForm(schema, options)"],
  ["await c.readForm(schema, { maxFiles: 1 })"],
  ["await c.bindQuery(schema)"],
  ["udp.bind(); udp.bindForm<A>()"],
  ["bind<A>(); (() => 1).bind(null); const f = function () {}; f.bind(f)"],
  ["const text = 'c.bind<A>()' // c.bind<A>()"],
]

const handlers = spellings.map(([source], i) => `export async function h${i}(c: Context) {\n  ${source}\n}\n`).join("")
const root = makeProject(
  {
    "app/api/route.ts": head + handlers,
    "app/api/none/route.ts": "export const bindings = 1\n",
    "app/api/jsx/route.tsx": `import type { Context } from "fw"\nexport const Post = async (c: Context) => c.json(200, <b id={(await c.bind<{ a: 1 }>()).a}>\n{await c.bindQuery<{ b: 2 }>()} é😀</b>)\n`,
  },
  ["fw", "esbuild", "typescript"],
)

const program = await openTypes(root, {
  files: ["app/api/route.ts", "app/api/none/route.ts", "app/api/jsx/route.tsx"],
})
if ("untyped" in program) throw new Error(program.untyped)
const files = findFilesWithCalls(program)
const read = readCalls(program, files)
program.close()

const found = suite("calls")

found("files that name none of the methods are not read", () => {
  assert.equal([...files].sort(), ["app/api/jsx/route.tsx", "app/api/route.ts"])
})

const file = read.find((one) => one.file === "app/api/route.ts")
for (const [i, [source, ...expected]] of spellings.entries()) {
  found(`${source.replace(/\s+/g, " ")} contains ${expected.join(" and ") || "no call"}`, () => {
    const text = file?.text ?? ""
    const from = text.indexOf(`function h${i}(`)
    const to = text.indexOf("\nexport ", from)
    const own = (file?.calls ?? []).filter(({ start }) => start > from && (to < 0 || start < to))
    const shown = own.map(({ method, validator }) => {
      const names = JSON.stringify([validator?.type, validator?.named])
      const type = validator === null ? "?" : names.includes('"name":"a"') ? "A" : "B"
      return `${method} ${type}`
    })
    assert.equal(shown, expected)
    for (const call of own) {
      const written = text.slice(call.start, call.end)
      assert.match(written, /\)$/)
      assert.match(text.slice(call.name), /^(?:bind|read|"bind"|name)/)
      assert.match(text.slice(call.argument), call.hasArguments ? /^(?:options|\{)/ : /^\)/)
    }
  })
}

found("calls in JSX elements have positions", () => {
  const { text = "", calls = [] } = read.find((one) => one.file === "app/api/jsx/route.tsx") ?? {}
  assert.equal(
    calls.map(({ name, location }) => [text.slice(name, name + 10), location.line]),
    [
      ["bind<{ a: ", 2],
      ["bindQuery<", 3],
    ],
  )
})

found("a call without its own type is reported with the reason", () => {
  const problems = (file?.calls ?? []).flatMap((call) => call.problems.map(({ message }) => message))
  assert.equal(problems, [
    "this call of bind() is not checked: its type is a type parameter of the function around it",
    "this call of bind() is not checked: it is called on a value of the type any",
    "this call of bindForm() is not checked: it is called on a value of the type any",
  ])
})

/** Texts of modules that are not part of the type check, and the call in each. */
const missed: ReadonlyArray<readonly [text: string, method: string | null]> = [
  ["await c.bind<A>()", "bind"],
  ["c.readForm()", "readForm"],
  ['c["bindQuery"]()', "bindQuery"],
  ["/** So `c.bind()` accepts it. */", null],
  ["// c.bind<A>()", null],
  ['const help = "call c.bind() with a schema"', null],
  ["c.bind(schema)", null],
]
for (const [text, method] of missed) {
  found(`a module outside the types ${method ? "calls" : "does not call"} without a schema: ${text}`, () => {
    const root = makeProject({ "lib/a.ts": `${text}\n` })
    assert.is(findBindingMethod(join(root, "lib/a.ts")) ?? null, method)
  })
}

found.run()
