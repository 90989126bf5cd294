/** Tests of `fw generate page`: which files it writes, what it refuses, and that a failure leaves no files. */
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { scanDirectory } from "../../../adapters/disk/directory.ts"
import { writeNewFiles } from "../../../bin/generate/files.ts"
import type { FwError } from "../../../lib/errors.ts"
import { compile } from "../../../template/index.ts"
import { fw, project } from "../../support/bin/cli/command.ts"

const pack = { "package.json": "{}" }
const route = 'export function Get(c) { return c.text(200, "x") }\n'

function generate(cwd: string, ...args: string[]) {
  return fw(["generate", "page", ...args], { cwd })
}

/** Returns the paths of all files and directories below a directory. */
function tree(directory: string): string[] {
  return (readdirSync(directory, { recursive: true }) as string[]).sort()
}

test("a page is written with its parameters and a title from its directory", async () => {
  const cwd = project({ ...pack, "app/page.tpl": "template Page() { <p>x</p> }\n" })
  const { code, stdout, stderr } = await generate(cwd, "user-settings/[user-id]/[...slug]")
  assert.equal([code, stderr], [0, ""])
  assert.is(
    stdout,
    "  written      app/user-settings/[user-id]/[...slug]/page.tpl\n" +
      "  The page answers GET /user-settings/{user-id}/*.\n",
  )
  assert.is(
    readFileSync(join(cwd, "app/user-settings/[user-id]/[...slug]/page.tpl"), "utf8"),
    `import type { Context } from "fw"

export const title = "User settings"

template Page(c: Context) {
  <h1>{title}</h1>
  <p>user-id: {c.param("user-id")}</p>
  <p>slug: {c.param("slug")}</p>
}
`,
  )
})

const paths: ReadonlyArray<readonly [path: string, patterns: readonly string[], directory?: string]> = [
  [".", ["/"], ""],
  ["about", ["/about"]],
  ["./about/", ["/about"], "about"],
  ["(site)/users/[id]", ["/users/{id}"]],
  ["users/{id}", ["/users/{id}"], "users/[id]"],
  ["users/:id/edit", ["/users/{id}/edit"], "users/[id]/edit"],
  ["docs/[[...c]]", ["/docs", "/docs/*"]],
  [".well-known/about", ["/.well-known/about"]],
  ["it's & new", ["/it's%20&%20new"]],
  ["café/naïve", ["/caf%C3%A9/na%C3%AFve"]],
]
for (const [path, patterns, directory = path] of paths) {
  test(`the page and the layout for the path ${path} are accepted by the compiler and the scan`, async () => {
    const cwd = project({ ...pack, "app/api/health/route.ts": route })
    const ran = await fw(["generate", "page", path, "--with-layout", "--json"], { cwd })
    const written = ["page.tpl", "layout.tpl"].map((name) => join("app", directory, name))
    assert.equal(JSON.parse(ran.stdout), { success: true, data: { written, overwritten: [], patterns } })
    for (const file of written) {
      assert.equal(compile(readFileSync(join(cwd, file), "utf8"), file).diagnostics, [])
    }
    const { pages, layouts } = await scanDirectory(cwd, "app")
    assert.equal(
      pages.map(({ pattern }) => pattern),
      patterns,
    )
    assert.is(layouts.length, 1)
  })
}

test("a layout is a whole document, uses the styles of a project that has styles, and loads nothing from other hosts", async () => {
  const cwd = project(pack)
  await generate(cwd, ".", "--with-layout")
  const bare = readFileSync(join(cwd, "app/layout.tpl"), "utf8")
  for (const part of ["<!doctype html>", '<html lang="en">', '<meta charset="utf-8">', "width=device-width"]) {
    assert.ok(bare.includes(part), `the layout does not contain ${part}`)
  }
  assert.match(bare, /<title>\{title\}<\/title>[\s\S]*\{children\}/)
  assert.not.match(bare, /https?:|stylesheet/)
  for (const file of ["styles/input.css", "static/css/output.css"]) {
    const styled = project({ ...pack, [file]: "" })
    await generate(styled, ".", "--with-layout")
    const text = readFileSync(join(styled, "app/layout.tpl"), "utf8")
    assert.is(text.replace('      <link rel="stylesheet" href="/static/css/output.css">\n', ""), bare)
    assert.is.not(text, bare)
  }
})

const outers: ReadonlyArray<readonly [outer: string, path: string, from: string]> = [
  ["app/layout.tpl", "team", "../layout.tpl.ts"],
  ["app/layout.tpl", "(site)/team/[id]", "../../../layout.tpl.ts"],
  ["app/(site)/layout.tsx", "(site)/team", "../layout.tsx"],
  ["app/team/layout.mjs", "team/members", "../layout.mjs"],
]
for (const [outer, path, from] of outers)
  test(`a layout in ${path} calls the nearest layout, ${outer}`, async () => {
    const cwd = project({ ...pack, "static/css/output.css": "", [outer]: "export function Layout() {}" })
    assert.equal((await generate(cwd, path, "--with-layout")).stderr, "")
    const file = `app/${path}/layout.tpl`
    const text = readFileSync(join(cwd, file), "utf8")
    assert.match(text, `import { Layout as Outer } from "${from}"`)
    assert.match(text, /\{Outer\(title, c\) \{\s*<section>\{children\}<\/section>/)
    assert.not.match(text, "<html")
    assert.equal(compile(text, file).diagnostics, [])
  })

const refused: ReadonlyArray<readonly [path: string, message: RegExp]> = [
  ["//about", /begins with two slashes\n {2}Write about\./],
  ["../x", /leads to another directory, "\.\."/],
  ["a/../../x", /leads to another directory/],
  ["a/./b", /leads to another directory/],
  ["a//b", /has an empty part/],
  ["a\\b", /contains a backslash\n {2}Write a\/b\./],
  ["C:/x", /some systems do not allow, "C:"/],
  ["a\0b", /with a control character/],
  ["nul", /is a device on Windows/],
  ["x".repeat(256), /is longer than 255 bytes/],
  [`a/${"ä".repeat(128)}`, /is longer than 255 bytes/],
  ["a/COM1.txt", /is a device on Windows/],
  ["a./b", /ends with a dot/],
  ["_drafts/x", /ignores as private/],
  [".git", /ignores as private/],
  ["node_modules/x", /ignores as private/],
  ["docs/*", /Give the catch-all a name: \[\.\.\.slug\]/],
  ["users/page.tpl", /is the name of a file/],
  ["users/[id", /mixes text and a parameter/],
  ["users/[[id]]", /has an optional parameter/],
  ["docs/[...a]/b", /catch-all before its end/],
  ["[id]/x/[id]", /has the parameter "id" twice/],
  ["[9]", /has no valid parameter name/],
  ["(admin", /a group that does not end/],
]
for (const [path, message] of refused) {
  test(`fw generate page refuses the path ${JSON.stringify(path)}`, async () => {
    const cwd = project({ ...pack, "app/api/health/route.ts": route })
    const before = tree(cwd)
    const { code, stderr } = await generate(cwd, path, "--with-layout")
    assert.is(code, 1)
    assert.match(stderr, message)
    assert.equal(tree(cwd), before)
  })
}

const conflicts: ReadonlyArray<readonly [file: string, path: string, message: RegExp]> = [
  ["app/users/route.ts", "users", /app\/users\/page\.tpl and app\/users\/route\.ts both claim GET \/users/],
  ["app/users/[name]/page.tpl", "users/[id]", /both claim GET \/users\/\{(?:id|name)\}, the same as/],
  ["app/(a)/x/page.tpl", "(b)/x", /app\/\(a\)\/x\/page\.tpl and app\/\(b\)\/x\/page\.tpl both claim/],
  ["app/x/page.ts", "x", /app\/x\/page\.(?:ts|tpl) and app\/x\/page\.(?:ts|tpl) are the same page/],
  ["app/docs/page.tpl", "docs/[[...slug]]", /both claim GET \/docs/],
]
for (const [file, path, message] of conflicts) {
  test(`a page at ${path} next to ${file} is refused, with an error that names the conflict`, async () => {
    const text = file.endsWith(".ts") ? route : "template Page() { <p>x</p> }\n"
    // A mistake that the project already had is no reason to refuse.
    const cwd = project({ ...pack, [file]: text, "app/other/Route.ts": route })
    const before = tree(cwd)
    const { code, stderr } = await generate(cwd, path, "--force")
    assert.is(code, 1)
    assert.match(stderr, message)
    assert.equal(tree(cwd), before)
    assert.is((await generate(cwd, "elsewhere")).code, 0)
  })
}

test("existing files are not overwritten without --force, and then nothing is written", async () => {
  const cwd = project({ ...pack, "app/about/layout.tpl": "mine" })
  const both = await generate(cwd, "about", "--with-layout")
  assert.is(both.code, 1)
  assert.match(both.stderr, "app/about/layout.tpl already exists")
  assert.equal(readdirSync(join(cwd, "app/about")), ["layout.tpl"])
  assert.is(readFileSync(join(cwd, "app/about/layout.tpl"), "utf8"), "mine")

  const forced = await generate(cwd, "about", "--with-layout", "--force")
  assert.is(forced.stdout.split("\n")[1], "  overwritten  app/about/layout.tpl")
  assert.match(readFileSync(join(cwd, "app/about/layout.tpl"), "utf8"), "<!doctype html>")
  assert.equal(readdirSync(join(cwd, "app/about")).sort(), ["layout.tpl", "page.tpl"])
})

test("no file is written through a link out of the route directory", async () => {
  const cwd = project({ ...pack, "app/x/page.tpl": "template Page() {}", "lib/y": "" })
  symlinkSync("../lib", join(cwd, "app/inside-project"))
  symlinkSync(project({}), join(cwd, "app/far"))
  symlinkSync("nowhere", join(cwd, "app/dangling"))
  mkdirSync(join(cwd, "app/z"))
  symlinkSync("../../lib/y", join(cwd, "app/z/page.tpl"))
  const before = tree(cwd)
  for (const path of ["inside-project/a", "far/a", "dangling/a", "z"]) {
    assert.is((await generate(cwd, path, "--force")).code, 1, path)
  }
  assert.match(
    (await generate(cwd, "inside-project/a")).stderr,
    "app/inside-project/a/page.tpl would be outside app, or outside the project",
  )
  assert.equal(tree(cwd), before)
  assert.is(readFileSync(join(cwd, "lib/y"), "utf8"), "")
})

test("a route directory outside the project is refused, also through a link", async () => {
  const outside = project({ "app/x": "" })
  const cwd = project({ ...pack, "lib/x": "" })
  symlinkSync(join(outside, "app"), join(cwd, "app"))
  symlinkSync("lib", join(cwd, "inside"))
  for (const args of [[], ["-d", outside], ["-d", "../elsewhere"], ["-d", "inside/../../x"]]) {
    const { code, stderr } = await generate(cwd, "about", ...args)
    assert.is(code, 1, args.join(" "))
    assert.match(stderr, "outside", args.join(" "))
  }
  assert.equal(tree(outside), ["app", "app/x"])
  assert.is((await generate(cwd, "about", "-d", "inside")).code, 0)
  assert.ok(existsSync(join(cwd, "lib/about/page.tpl")))
})

test("--app-dir chooses another route directory, also the current directory", async () => {
  const cwd = project({ ...pack, "src/routes/x/route.ts": route })
  assert.is((await generate(cwd, "about", "-d", "src/routes")).code, 0)
  assert.ok(existsSync(join(cwd, "src/routes/about/page.tpl")))
  assert.is((await generate(join(cwd, "src"), "up", "-d", "./routes/")).code, 0)
  assert.ok(existsSync(join(cwd, "src/routes/up/page.tpl")))
  assert.is((await generate(join(cwd, "src/routes"), "here", "--app-dir", ".")).code, 0)
  assert.ok(existsSync(join(cwd, "src/routes/here/page.tpl")))
})

test("fw generate page fails outside a project, and writes nothing", async () => {
  const cwd = project({})
  const { code, stderr } = await generate(cwd, "about")
  assert.is(code, 1)
  assert.match(stderr, 'neither a directory "app" nor a package.json')
  assert.equal(tree(cwd), [])
})

test("if one file fails, new files and directories are removed, and overwritten files are restored", async () => {
  const root = project({ "app/old.txt": "old" })
  writeFileSync(join(root, "app/file"), "")
  const files = ["app/a/b/new.txt", "app/old.txt", "app/file/below.txt"].map((file) => ({
    file,
    text: "new",
  }))
  const failed = await writeNewFiles(files, { root, within: "app", force: true }).catch((error: FwError) => error)
  assert.ok(failed instanceof Error)
  assert.equal(tree(root), ["app", "app/file", "app/old.txt"])
  assert.is(readFileSync(join(root, "app/old.txt"), "utf8"), "old")
})

test("of two calls of fw generate page at the same time, one writes and the other gets an error", async () => {
  const cwd = project(pack)
  const codes = (await Promise.all([generate(cwd, "a/b"), generate(cwd, "a/b")])).map(({ code }) => code)
  assert.equal(codes.sort(), [0, 1])
  assert.equal(tree(join(cwd, "app")), ["a", "a/b", "a/b/page.tpl"])
})

test.run()
