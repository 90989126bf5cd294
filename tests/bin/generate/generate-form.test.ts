/**
 * Tests of `fw generate form`: which files it writes in which project, what it refuses, and that a refusal leaves
 * no files.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { scanDirectory } from "../../../adapters/disk/directory.ts"
import { compile } from "../../../template/index.ts"
import { fw, project } from "../../support/bin/cli/command.ts"

const pack = { "package.json": "{}" }
const main = 'import { App, csrf } from "fw"\n\nconst app = new App()\napp.use(csrf())\nexport default app\n'

function generate(cwd: string, ...args: string[]) {
  return fw(["generate", "form", ...args], { cwd })
}

/** Returns the paths of all files and directories below a directory. */
function tree(directory: string): string[] {
  return (readdirSync(directory, { recursive: true }) as string[]).sort()
}

function read(cwd: string, file: string): string {
  return readFileSync(join(cwd, file), "utf8")
}

test("fw generate form writes page, route, schema and test, and in a new project also a layout and test support", async () => {
  const cwd = project(pack)
  const { code, stdout, stderr } = await generate(cwd, "contact")
  assert.equal([code, stderr], [0, ""])
  assert.is(
    stdout,
    `  written      app/contact/page.tpl
  written      app/contact/route.ts
  written      app/contact/schema.ts
  written      app/layout.tpl
  written      tests/contact-form.test.ts
  written      tests/support/app.ts
  The form is at /contact. The schema is plain TypeScript, because package.json has no zod, valibot or arktype.
  The main file does not use csrf(), so pages of other sites can send this form. Add app.use(csrf()).
`,
  )
  assert.not.match(read(cwd, "tests/contact-form.test.ts"), "cross-site")
  assert.match(read(cwd, "app/contact/route.ts"), "\n * @security none\n")
  assert.match(read(cwd, "tests/support/app.ts"), "const app = new App()")
  assert.match(read(cwd, "app/layout.tpl"), '<body id="page">')
})

test("a layout and test support of the project are kept, and csrf() is tested if it is used", async () => {
  const cwd = project({
    ...pack,
    "main.ts": main,
    "app/(site)/layout.tpl": "template Layout() { {children} }\n",
    "tests/support/app.ts": "mine",
  })
  const { stdout } = await generate(cwd, "(site)/contact", "--json")
  assert.equal(JSON.parse(stdout).data, {
    written: [
      "app/(site)/contact/page.tpl",
      "app/(site)/contact/route.ts",
      "app/(site)/contact/schema.ts",
      "tests/site-contact-form.test.ts",
    ],
    overwritten: [],
    patterns: ["/contact"],
    library: null,
    csrf: true,
    guards: [],
  })
  assert.match(read(cwd, "tests/site-contact-form.test.ts"), "cross-site")
})

test("a main file that imports csrf() without using it leaves the form unprotected, and the command says so", async () => {
  const unused = main.replace("app.use(csrf())\n", "")
  const { stdout } = await generate(project({ ...pack, "main.ts": unused }), "contact")
  assert.match(stdout, "The main file does not use csrf()")
})

const session = 'export { requireSession as Middleware } from "../../lib/auth/sessions.ts"\n'
const own = 'export { members as Middleware } from "../../lib/members.ts"\n'
const answering =
  'import { unauthorized } from "fw"\nexport const Middleware = () => () => () => { throw unauthorized() }\n'
const open = 'export { csrf as Middleware } from "fw"\n'
const proxy = `import { proxy } from "fw"
export const ProxyConfig = { matcher: ["/a/:path*"] }
export function Proxy() { return proxy.redirect("/login", 302) }
`
/** Returns a main file with more middleware. */
const used = (middleware: string) => `${main}app.use(requestID(), ${middleware})\n`
const guarded: ReadonlyArray<
  readonly [about: string, files: Readonly<Record<string, string>>, guards: readonly string[], signsIn: boolean]
> = [
  ["a session", { "app/a/middleware.ts": session }, [], true],
  [
    "a session that is imported with #lib",
    {
      "package.json": '{ "imports": { "#lib/*": "./lib/*" } }',
      "app/a/middleware.ts": session.replace(/"(?:\.\.\/)+lib\//, '"#lib/'),
    },
    [],
    true,
  ],
  ["code of the project", { "app/a/middleware.ts": own }, ["app/a/middleware.ts"], false],
  ["middleware that answers", { "app/a/middleware.ts": answering }, ["app/a/middleware.ts"], false],
  ["the proxy", { "app/proxy.ts": proxy }, ["app/proxy.ts"], false],
  [
    "a session and code of the project",
    { "app/a/middleware.ts": session, "app/middleware.ts": own },
    ["app/middleware.ts"],
    true,
  ],
  ["only middleware of fw that lets visitors pass", { "app/a/middleware.ts": open }, [], false],
  ["a guard of fw in the main file", { "main.ts": used("basicAuth({ check: () => false })") }, ["main.ts"], false],
  [
    "a guard that is written in the main file",
    { "main.ts": used("() => () => c.string(401, '')") },
    ["main.ts"],
    false,
  ],
  [
    "a guard that the main file imports",
    { "main.ts": `import { members } from "./lib/members.ts"\n${used("members")}` },
    ["main.ts"],
    false,
  ],
  [
    "a session and a guard of the main file",
    { "main.ts": used("ipRestriction({ deny: [] })"), "app/a/middleware.ts": session },
    ["main.ts"],
    true,
  ],
  [
    "a main file that only names guards",
    {
      "main.ts": `import { unauthorized } from "fw"\n${main}app.get("/x", () => { throw unauthorized() })\n`,
    },
    [],
    false,
  ],
  ["guards of other paths", { "app/b/middleware.ts": session, "app/b/proxy.txt": "" }, [], false],
]
for (const [about, files, guards, signsIn] of guarded) {
  test(`with ${about}, ${signsIn ? "the generated test signs in" : guards.length > 0 ? "the command names the files that may refuse visitors" : "the generated test needs no sign-in"}`, async () => {
    const cwd = project({ ...pack, "main.ts": main, ...files })
    const { stdout } = await generate(cwd, "a/contact", "--json")
    const { data } = JSON.parse(stdout)
    const file = "tests/a-contact-form.test.ts"
    const isOpen = guards.length === 0 && !signsIn
    assert.equal(data.guards, guards)
    assert.is(read(cwd, "app/a/contact/route.ts").includes("@security none"), isOpen)
    const text = read(cwd, file)
    assert.is(text.includes("before("), !isOpen)
    assert.is(text.includes('"/signup"'), signsIn)
    assert.is(text.includes("await app.request("), isOpen)
    for (const name of guards) assert.ok(text.includes(name))
    const again = await generate(cwd, "a/contact", "--force")
    assert.is(
      again.stdout.includes(
        `${guards.join(" and ")} may refuse a visitor who is not signed in. If so, the test fails until you sign in there`,
      ),
      guards.length > 0,
    )
  })
}

const paths: ReadonlyArray<readonly [path: string, url: string, test: string]> = [
  [".", "/", "form"],
  ["users/{id}/edit", "/users/1/edit", "users-id-edit-form"],
  ["docs/[...slug]", "/docs/1", "docs-slug-form"],
  ["café", "/caf%C3%A9", "café-form"],
]
for (const [path, url, name] of paths) {
  test(`for the path ${path}, the templates compile, the scan accepts the routes, and the test uses ${url}`, async () => {
    const cwd = project({ ...pack, "main.ts": main })
    const { code, stderr } = await generate(cwd, path)
    assert.is(code, 0, stderr)
    assert.match(read(cwd, `tests/${name}.test.ts`), `const url = ${JSON.stringify(url)}\n`)
    const { pages, routes } = await scanDirectory(cwd, "app")
    assert.equal(
      routes.map(({ method, pattern }) => [method, pattern]),
      [["POST", pages[0]?.pattern]],
    )
    const [page = ""] = pages.map(({ file }) => file)
    assert.equal(compile(read(cwd, page), page).diagnostics, [])
  })
}

const libraries: ReadonlyArray<readonly [manifest: object, library: string | null, source: string]> = [
  [{ dependencies: { zod: "^4.1.0" } }, "zod", "z.email("],
  [{ devDependencies: { zod: "latest" } }, "zod", "z.email("],
  [{ dependencies: { zod: "~3.25.1" } }, "zod", "z.string().email("],
  [{ dependencies: { valibot: "^1.0.0" } }, "valibot", "v.email("],
  [{ dependencies: { arktype: "^2.1.0" } }, "arktype", '"string.email"'],
  [{ dependencies: { valibot: "^1.0.0", zod: "^4.0.0" } }, "zod", "z.object("],
  [{ dependencies: { joi: "^17.0.0" } }, null, "StandardSchema<ContactFields>"],
]
for (const [manifest, library, source] of libraries) {
  test(`the schema for ${JSON.stringify(manifest)} uses ${library ?? "no library"}`, async () => {
    const cwd = project({ "package.json": JSON.stringify(manifest), "main.ts": main })
    const { stdout } = await generate(cwd, "contact", "--json")
    assert.is(JSON.parse(stdout).data.library, library)
    assert.ok(read(cwd, "app/contact/schema.ts").includes(source))
  })
}

const types: ReadonlyArray<readonly [path: string, type: string]> = [
  [".", "Fields"],
  ["sign-up", "SignUpFields"],
  ["(account)/notes/new", "AccountNotesNewFields"],
  ["users/[id]/edit", "UsersIdEditFields"],
  ["2fa", "Form2faFields"],
  ["café", "CaféFields"],
]
for (const [path, type] of types)
  test(`the type of the fields of ${path} is ${type}, because each type name in the document must be unique`, async () => {
    const cwd = project({ ...pack, "main.ts": main })
    await generate(cwd, path)
    const text = read(cwd, `app/${path}/schema.ts`)
    assert.match(text, `export interface ${type} {`)
    assert.ok(text.includes(`StandardSchema<${type}>`))
  })

test("a package.json that is not JSON counts as a package.json without a library", async () => {
  const cwd = project({ "package.json": "{", "main.ts": main })
  assert.is(JSON.parse((await generate(cwd, "contact", "--json")).stdout).data.library, null)
})

test("all types of fields have labels, and passwords and files are never shown again", async () => {
  const cwd = project({ ...pack, "main.ts": main })
  const kinds = "firstName,email,bio:long,age:number,terms:checkbox,password,photo:file"
  await generate(cwd, "join", "--fields", kinds)
  const source = read(cwd, "app/join/page.tpl")
  assert.equal(compile(source, "page.tpl").diagnostics, [])
  const page = source.replace(/\s+/g, " ")
  const names = kinds.split(",").map((field) => field.replace(/:.*/, ""))
  for (const name of names) {
    assert.ok(page.includes(`<label for="${name}-field">`), `the field ${name} has no label`)
    assert.ok(
      page.includes(`id="${name}-field" name="${name}"`),
      `no field has the id ${name}-field and the name ${name}`,
    )
    assert.ok(
      page.includes(`aria-describedby={form.issues.${name} && "${name}-issue"}`),
      `the issue of the field ${name} does not describe the field`,
    )
    assert.is(page.includes(`form.values.${name}`), name !== "password" && name !== "photo", name)
  }
  assert.match(page, '<label for="firstName-field">First name</label>')
  assert.match(page, 'enctype="multipart/form-data"')
  assert.match(read(cwd, "app/join/route.ts"), 'c.readForm(schema, { types: ["image/*"], maxFile: 5_000_000 })')
})

test("a form with only checkboxes has no test of a refusal, because such a form is always accepted", async () => {
  const cwd = project({ ...pack, "main.ts": main })
  await generate(cwd, "topics", "-f", "news:checkbox")
  assert.not.match(read(cwd, "tests/topics-form.test.ts"), "refused")
  assert.not.match(read(cwd, "app/topics/schema.ts"), "textOf")
})

test("forms have classes only in a project with the styles of fw new", async () => {
  const plain = project({ ...pack, "styles/input.css": "body { color: red }" })
  const styled = project({ ...pack, "styles/input.css": ".input {}" })
  for (const cwd of [plain, styled]) await generate(cwd, "contact")
  assert.not.match(read(plain, "app/contact/page.tpl"), "class=")
  for (const name of ["button button-main", "input", "problem", "notice mx-auto w-full"])
    assert.match(read(styled, "app/contact/page.tpl"), `class="${name}"`)
})

const refused: ReadonlyArray<readonly [args: readonly string[], message: RegExp]> = [
  [["../x"], /leads to another directory/],
  [["x", "-f", "e-mail"], /"e-mail" is not a valid field\n {2}Write a name of letters/],
  [["x", "-f", "a:text:b"], /"a:text:b" is not a valid field/],
  [["x", "-f", "__proto__"], /"__proto__" is not a valid field/],
  [["x", "-f", "age:int"], /the field age cannot have the kind "int"\n {2}Kinds are text, long, email/],
  [["x", "-f", "age:"], /the field age cannot have the kind ""/],
  [["x", "-f", "age:number,age"], /two fields with the name age/],
  [["x", "-f", "name,name"], /two fields with the name name\n {2}Remove or rename one/],
  [["x", "-f", "name", "-f", "name"], /two fields with the name name/],
  [["x", "-f", "name,Name"], /the fields name and Name would both have the label "Name"/],
  [["x", "-f", "firstName,age,first_name"], /firstName and first_name would both have the label "First name"/],
]
for (const [args, message] of refused) {
  test(`fw generate form ${args.join(" ")} is refused`, async () => {
    const cwd = project(pack)
    const { code, stderr } = await generate(cwd, ...args)
    assert.is(code, 1)
    assert.match(stderr, message)
    assert.equal(tree(cwd), ["package.json"])
  })
}

for (const file of ["app/contact/page.tpl", "app/contact/schema.ts", "tests/contact-form.test.ts"]) {
  test(`${file} is not overwritten without --force, and then nothing is written`, async () => {
    const cwd = project({ ...pack, "main.ts": main, [file]: "mine" })
    const before = tree(cwd)
    const { code, stderr } = await generate(cwd, "contact")
    assert.is(code, 1)
    assert.match(stderr, `${file} already exists`)
    assert.equal([tree(cwd), read(cwd, file)], [before, "mine"])
    const forced = await generate(cwd, "contact", "--force", "--json")
    assert.equal(JSON.parse(forced.stdout).data.overwritten, [file])
  })
}

test("another file that answers the form's requests is a conflict that names both files", async () => {
  const cwd = project({ ...pack, "app/(a)/x/route.ts": "export function Post(c) { return c.noContent() }\n" })
  const { code, stderr } = await generate(cwd, "x", "--force")
  assert.is(code, 1)
  assert.match(stderr, /app\/\(a\)\/x\/route\.ts and app\/x\/route\.ts both claim POST \/x/)
  assert.is(existsSync(join(cwd, "app/x")), false)
})

test("no file is written through a link out of the route directory or out of the project", async () => {
  const cwd = project({ ...pack, "main.ts": main, "lib/x": "" })
  mkdirSync(join(cwd, "app"))
  symlinkSync("../lib", join(cwd, "app/inside"))
  symlinkSync(project({}), join(cwd, "tests"))
  const before = tree(cwd)
  for (const path of ["inside/contact", "contact"]) {
    const { code, stderr } = await generate(cwd, path, "--force")
    assert.is(code, 1, path)
    assert.match(stderr, "would be outside", path)
  }
  assert.equal(tree(cwd), before)
})

test("if one file cannot be written, all other files are removed", async () => {
  const cwd = project({ ...pack, "main.ts": main })
  writeFileSync(join(cwd, "tests"), "a file")
  const before = tree(cwd)
  assert.is((await generate(cwd, "contact")).code, 1)
  assert.equal(tree(cwd), before)
})

test.run()
