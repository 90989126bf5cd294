/** Tests of the type check of `fw validate`: it reports what `tsc --noEmit` reports, at the same positions. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../../support/bin/cli/command.ts"
import { get, installed, layout, validate } from "../../support/bin/inspect/validated.ts"

const types = suite("fw validate, types")

const strict = (more: object = {}, rest: object = { include: ["**/*.ts"] }) =>
  JSON.stringify({
    compilerOptions: {
      target: "es2022",
      module: "nodenext",
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: [],
      ...more,
    },
    ...rest,
  })

/** Returns `code file:line:column` of each problem. */
async function findPlaces(files: Readonly<Record<string, string>>): Promise<string[]> {
  const { problems } = await validate(installed(files))
  return problems.map(({ code, file, line, column }) => {
    return `${code} ${[file, line, column].filter((part) => part !== null).join(":")}`
  })
}

/** Returns a correct handler, except for the body that a case has. */
const handler = (name: string, body: string, type = "Context") => `export function ${name}(c: ${type}) { ${body} }\n`
const route = (...handlers: string[]) => `import { type Context, notFound } from "fw"\n${handlers.join("")}`
const answer = "return c.json(200, {})"

/** Route files with two problems, and the positions of the problems. */
const two: ReadonlyArray<readonly [string, string, readonly string[]]> = [
  [
    "an error that is not thrown and a type error, in one line",
    route(handler("Get", `if (c.param("ib") === "") notFound("x"); ${answer}`, 'Context<"id">')),
    ["typescript 2:53", "unsent 2:67"],
  ],
  [
    "a type error and a wrong parameter, in one line",
    route(handler("Get", `const n: number = "x"; ${answer}`, 'Context<"ib">')),
    ["parameters 2:1", "typescript 2:47"],
  ],
  [
    "a misspelled export and a wrong parameter of another",
    route(handler("GET", answer), handler("Put", answer, 'Context<"ib">')),
    ["exports 2:1", "parameters 3:1"],
  ],
  [
    "an answer that is not sent, and another handler without one",
    route(handler("Get", "c.json(200, {})"), handler("Put", "c.path")),
    ["types 3:1", "unsent 2:35"],
  ],
]
for (const [what, text, expected] of two) {
  types(`both problems are reported: ${what}`, async () => {
    const places = await findPlaces({ "tsconfig.json": strict(), "app/a/[id]/route.ts": text })
    assert.equal(
      places.sort(),
      expected.map((one) => one.replace(" ", " app/a/[id]/route.ts:")),
    )
  })
}

types("two routes of main.ts in one line are two problems", async () => {
  const main =
    'import { App } from "fw"\nconst app = new App()\napp.post("/a", (c) => c.json(200, 1)); app.put("/b", (c) => c.json(200, 1))\nexport default app\n'
  const cwd = installed({ "tsconfig.json": strict(), "main.ts": main })
  const { problems } = await validate(cwd, "--security")
  assert.equal(
    problems.filter(({ code }) => code === "unguarded").map(({ message }) => message.split(" changes")[0]),
    ["POST /a", "PUT /b"],
  )
})

const wrong = "const broken: number = 'text'\n"

types(
  "every type error in the files that tsconfig.json includes is reported, with its code frame and number",
  async () => {
    const cwd = installed({
      "tsconfig.json": strict(),
      "app/api/a/route.ts": `${get}export const kept = 1\n${wrong}const other: string = 1\n`,
      "lib/free.ts": `// 😀 nobody imports this file\nexport const face = "😀"; ${wrong}missing()\n`,
      "tests/a.test.ts": "export const x: string = 2\n",
      "app/page.tpl": "template Page() { <p>{nothing}</p> }\n",
      "app/layout.tpl": layout,
    })
    const data = await validate(cwd)
    assert.is(data.code, 1)
    assert.equal(
      data.problems.map(({ code, file, line, column }) => `${code} ${file}:${line}:${column}`),
      [
        "typescript app/api/a/route.ts:4:7",
        "typescript app/api/a/route.ts:5:7",
        "template app/page.tpl:1:23",
        "typescript lib/free.ts:2:33",
        "typescript lib/free.ts:3:1",
        "typescript tests/a.test.ts:1:14",
      ],
    )
    const [first] = data.problems
    assert.is(first?.message, "Type 'string' is not assignable to type 'number'. (TS2322)")
    assert.is(first?.fix, "Give it a value of the type that it takes.")
    assert.match(first?.frame ?? "", /> 4 \| const broken: number = 'text'\n +\| {7}\^/)
    assert.equal([data.valid, data.errors, data.warnings, data.typesChecked, data.untyped], [false, 6, 0, true, null])
    assert.equal(data.checked, { routes: 2, middleware: 0, templates: 2, files: 3 })
  },
)

types("a tsconfig.json with the content mapper of templates changes nothing", async () => {
  const mappers = { contentMappers: [{ package: "fw", extensions: [".tpl"] }], include: ["**/*.ts"] }
  const cwd = installed({
    "package.json": JSON.stringify({
      type: "module",
      imports: { "#app/*.tpl": { types: "./app/*.tpl", default: "./app/*.tpl.ts" } },
    }),
    "tsconfig.json": strict({}, mappers),
    "lib/page.ts": 'import { Row } from "#app/row.tpl"\nexport const row = Row("a")\n',
    "app/row.tpl": "template Row(count: number) { <p>{count}{nothing}</p> }\n",
  })
  assert.equal(
    (await validate(cwd)).problems.map(({ code, file, line }) => `${code} ${file}:${line}`),
    ["template app/row.tpl:1", "typescript lib/page.ts:2"],
  )
  const { stderr } = await fw(["generate", "templates"], { cwd })
  assert.match(stderr, "app/row.tpl:1:42")
  assert.not.match(stderr, "tsconfig.json")
})

types("the error of an import of a .tpl file names the right path, in modules and in templates", async () => {
  const { problems } = await validate(
    installed({
      "tsconfig.json": strict(),
      "app/_form.tpl": "template Form() { <p>form</p> }\n",
      "app/page.tpl": 'import { Form } from "./_form.tpl"\ntemplate Page() { {Form()} }\n',
      "lib/a.ts": 'export { Form } from "../app/_form.tpl"\n',
    }),
  )
  assert.equal(
    problems.map(({ file, fix }) => `${file}: ${fix}`),
    ["app/page.tpl", "lib/a.ts"].map(
      (file) => `${file}: Import the compiled template, which fw writes next to it: _form.tpl.ts`,
    ),
  )
})

types("files that tsconfig.json excludes are not checked, also files with routes", async () => {
  const files = {
    "app/api/a/route.ts": get,
    "app/api/legacy/route.ts": `${get}${wrong}`,
    "scripts/tool.ts": wrong,
  }
  assert.equal(
    await findPlaces({
      ...files,
      "tsconfig.json": strict({}, { include: ["app"], exclude: ["app/api/legacy"] }),
    }),
    [],
  )
  assert.equal(await findPlaces({ ...files, "tsconfig.json": strict() }), [
    "typescript app/api/legacy/route.ts:3:7",
    "typescript scripts/tool.ts:1:7",
  ])
})

types("the options of the project apply to its files, and strict options to handlers", async () => {
  const files = {
    "app/api/a/route.ts": `${get}let x: string = null\nexport function Post(c: Context) { if (c.isJSON) return c.noContent() }\n`,
  }
  assert.equal(await findPlaces({ ...files, "tsconfig.json": strict({ strict: false }) }), [
    "types app/api/a/route.ts:4:1",
  ])
  assert.equal(await findPlaces({ ...files, "tsconfig.json": strict() }), [
    "typescript app/api/a/route.ts:3:5",
    "types app/api/a/route.ts:4:1",
  ])
  // Without allowImportingTsExtensions, TypeScript reports an import of a .ts file as an error of the project.
  const relative = {
    "lib/a.ts": "export const a = 1\n",
    "lib/b.ts": 'import { a } from "./a.ts"\na\n',
    "app/api/a/route.ts": get,
  }
  assert.equal(await findPlaces({ ...relative, "tsconfig.json": strict({ allowImportingTsExtensions: false }) }), [
    "typescript lib/b.ts:1:19",
  ])
})

types("errors of tsconfig.json are reported, and without it the files that the routes import are checked", async () => {
  assert.equal(await findPlaces({ "app/api/a/route.ts": get, "tsconfig.json": strict({ types: ["nothing"] }) }), [
    "typescript tsconfig.json",
  ])
  const files = {
    "app/api/a/route.ts": `import "../../../lib/used.ts"\n${get}`,
    "lib/used.ts": wrong,
    "lib/unused.ts": wrong,
  }
  assert.equal(await findPlaces(files), ["typescript lib/used.ts:1:7"])
})

types("two checks do not report the same problem", async () => {
  const broken = 'export function Get(c: import("fw").Context): number { return 1 }\n'
  assert.equal(await findPlaces({ "app/api/a/route.ts": broken, "tsconfig.json": strict() }), [
    "types app/api/a/route.ts:1:1",
  ])
  const template = {
    "app/page.tpl": "template Page() { <p> }\n",
    "lib/a.ts": 'import { Page } from "../app/page.tpl.ts"\nPage()\n',
  }
  assert.equal(await findPlaces({ ...template, "tsconfig.json": strict() }), ["template app/page.tpl:1:19"])
})

types("--limit and --offset select a part of a long list", async () => {
  const lines = Array.from({ length: 30 }, (_, n) => `export const a${n}: number = ""\n`)
  const cwd = installed({ "tsconfig.json": strict(), "app/api/a/route.ts": get, "lib/a.ts": lines.join("") })
  const part = await validate(cwd, "--limit", "10", "--offset", "5")
  assert.equal([part.errors, part.problems.length, part.problems[0]?.line], [30, 10, 6])
  const { stdout } = await fw(["validate", "--limit", "10", "--offset", "5"], { cwd })
  assert.match(stdout, "30 errors in 1 route, 0 middleware and the types of 2 files.\n")
  assert.match(stdout, "Shown: 6 to 15 of 30 problems. For the next ones: fw validate --offset 15\n")
})

const missingAwaitFix = /^Is an await missing\?/
/** Mistakes, each with its fix. */
const fixes: ReadonlyArray<readonly [line: string, fix: RegExp]> = [
  ["find().name", missingAwaitFix],
  ["for (const one of findAll()) one", missingAwaitFix],
  ["take(find())", missingAwaitFix],
  ["const other: User = find()", missingAwaitFix],
  ["const either = sometimes().name", missingAwaitFix],
  ["const age = count() + 1 < count()", missingAwaitFix],
  ["const later: Promise<User> = user", /^Add the missing properties/],
  ['const more: User = { name: "Ada", age: 1 }', /^Remove the property/],
  ["if (user.name === 1) take(user)", /^Compare values of types/],
  ["user satisfies never", /^$/],
  ["const wrong: Promise<string> = find()", /^Give it a value/],
  ["user.nam", /^Did you mean name\?$/],
  ["user.address", /^Use a property that the type has/],
  ["usr", /^Did you mean user\?$/],
  ['import { a } from "#lib/a"', /^Add "\.ts" to the path: "#lib\/a\.ts"$/],
  ['import { b } from "./a"', /^Add "\.ts" to the path/],
  ['import { c } from "#lib/nope"', /^Correct the path/],
  ['import { addContac } from "./a.ts"', /^Did you mean addContact\?$/],
  ['import { addcontact } from "#lib/a.ts"', /^Did you mean addContact\?$/],
  ['import { nothingLikeIt } from "./a.ts"', /^Import a name that the module exports/],
]

types("the fix for a type error names the await, the name or the extension that is probably missing", async () => {
  const start = `interface User { name: string }
declare const user: User
declare function find(): Promise<User>
declare function findAll(): Promise<User[]>
declare function sometimes(): User | Promise<User>
declare function count(): Promise<number>
declare function take(user: User): void
`
  const cwd = installed({
    "package.json": '{ "type": "module", "imports": { "#lib/*": "./lib/*" } }',
    "tsconfig.json": strict(),
    "app/api/a/route.ts": get,
    "lib/a.ts": "export const a = 1\nexport function addContact() {}\n",
    "lib/b.ts": `${start}${fixes.map(([line]) => `${line}\n`).join("")}`,
  })
  const { problems } = await validate(cwd)
  const first = start.split("\n").length
  for (const [at, [line, fix]] of fixes.entries()) {
    const found = problems.filter((one) => one.file === "lib/b.ts" && one.line === first + at)
    assert.match(found[0]?.fix ?? "", fix, `${line}: ${found[0]?.message}`)
  }
})

types("the fix for printing a value of the type unknown is to declare its type", async () => {
  const wait = "const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))\n"
  const { problems } = await validate(
    installed({
      "tsconfig.json": strict({ types: ["node"] }),
      "app/page.tpl": `${wait}template Page() { <p>{await wait(1)}</p> }\n`,
      "app/layout.tpl": layout,
    }),
  )
  const fixes = problems.filter(({ code }) => code === "template").map(({ fix }) => fix)
  assert.match(fixes.join("\n"), "The type of this value is unknown. Declare it where the value is made")
  assert.not.match(fixes.join("\n"), "Print a property")
})

types("the fix for reading a property of a promise in a template names a missing await", async () => {
  const page = "template Page() {\n  {const user = Promise.resolve({ name: 1 })}\n  <p>{user.name}</p>\n}\n"
  const { problems } = await validate(installed({ "tsconfig.json": strict(), "app/page.tpl": page }))
  const [found] = problems.filter(({ code }) => code === "template")
  assert.equal([found?.file, found?.line], ["app/page.tpl", 3])
  assert.match(found?.fix ?? "", missingAwaitFix)
})

types(
  "if fw is not installed in the project, the types of other files are not checked, and a message says so",
  async () => {
    const cwd = installed({ "tsconfig.json": strict(), "app/api/a/route.ts": `${get}${wrong}` }, ["typescript"])
    const { valid, typesChecked, checked, untyped } = await validate(cwd)
    assert.equal([valid, typesChecked, checked.files], [true, true, 0])
    assert.match(untyped?.message ?? "", "fw is not installed")
  },
)

types.run()
