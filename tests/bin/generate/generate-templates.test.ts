/**
 * Tests of `fw generate templates`: which files it writes or leaves as they are, and what it refuses.
 * `slow/generate-types.test.ts` checks the files with TypeScript.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, program, project, runNode } from "../../support/bin/cli/command.ts"

const command = ["generate", "templates"]
const route = "export function Get() { return new Response() }\n"
const files = [".fw/routes.ts", ".fw/links.ts", ".fw/start.node.ts", ".fw/entry.node.ts"]

const generate = suite("fw generate templates")

generate("fw generate templates writes its files only when they change", async () => {
  const cwd = project({ "app/api/hello/route.ts": route, "main.ts": "" })
  const written = files.map((file) => `  written    ${file}\n`).join("")
  const unchanged = "  unchanged  4 files\n"
  assert.equal(await fw(command, { cwd }), { code: 0, stdout: written, stderr: "" })
  const times = () => files.map((file) => statSync(join(cwd, file)).mtimeMs)
  const before = times()
  assert.equal(await fw(command, { cwd }), { code: 0, stdout: unchanged, stderr: "" })
  assert.equal(times(), before)
  assert.equal(readdirSync(join(cwd, ".fw")).sort(), ["entry.node.ts", "links.ts", "routes.ts", "start.node.ts"])
  assert.match(readFileSync(join(cwd, ".fw/routes.ts"), "utf8"), '"pattern": "/api/hello"')
})

generate("a new route changes only routes.ts, and a generated file that was edited is written again", async () => {
  const cwd = project({ "app/api/hello/route.ts": route })
  await fw(command, { cwd })
  writeFileSync(join(cwd, "app/api/hello/route.ts"), `${route}export const Post = Get\n`)
  writeFileSync(join(cwd, ".fw/start.node.ts"), "// mine\n")
  const { stdout } = await fw([...command, "--json"], { cwd })
  assert.equal(JSON.parse(stdout), {
    success: true,
    data: {
      written: [".fw/routes.ts", ".fw/start.node.ts"],
      unchanged: [".fw/links.ts", ".fw/entry.node.ts"],
      typesChecked: false,
    },
  })
})

generate("the entry imports the project's main file with any extension, or creates an app", async () => {
  for (const main of ["main.ts", "main.mts", "main.js", "main.mjs"]) {
    const cwd = project({ "app/route.ts": route, [main]: "" })
    await fw(command, { cwd })
    assert.match(readFileSync(join(cwd, ".fw/entry.node.ts"), "utf8"), `import app from "../${main}"\n`)
  }
  const cwd = project({ "pages/route.ts": route })
  assert.is((await fw([...command, "-d", "pages"], { cwd })).code, 0)
  assert.match(readFileSync(join(cwd, ".fw/entry.node.ts"), "utf8"), 'new App({ appDir: "pages" })')
})

generate("a project that registers everything by hand has no routes in routes.ts", async () => {
  const cwd = project({ "main.ts": "" })
  assert.is((await fw(command, { cwd })).code, 0)
  assert.match(readFileSync(join(cwd, ".fw/routes.ts"), "utf8"), '"routes": []')
})

generate("fw generate templates, fw routes and fw build refuse a template file without its template", async () => {
  const cwd = project({ "app/page.tpl": "template Pag() {\n  <p>Hello</p>\n}\n" })
  for (const argv of [command, ["routes"], ["build", "--target", "node"]]) {
    const { code, stderr } = await fw(argv, { cwd })
    assert.is(code, 1, argv.join(" "))
    assert.match(
      stderr,
      "app/page.tpl:1:10: Pag is not an export that fw recognises. Did you mean Page?",
      argv.join(" "),
    )
  }
})

generate("XML templates are compiled next to their source, and page.xml.tpl is refused", async () => {
  const cwd = project({ "app/feed/feed.xml.tpl": "template Feed() {\n  <rss/>\n}\n", "app/route.ts": route })
  const { code, stdout } = await fw(command, { cwd })
  assert.is(code, 0)
  assert.match(stdout, "app/feed/feed.xml.tpl.ts")
  assert.match(readFileSync(join(cwd, "app/feed/feed.xml.tpl.ts"), "utf8"), '$fwRaw("<rss/>")')
  writeFileSync(join(cwd, "app/feed/page.xml.tpl"), "template Page() {\n  <a/>\n}\n")
  const refused = await fw(command, { cwd })
  assert.is(refused.code, 1)
  assert.match(refused.stderr, "app/feed/page.xml.tpl: pages and layouts are HTML. A route answers with XML")
})

const page = "template Page() {\n  <p>Hello</p>\n}\n"

generate(
  "templates are compiled, unchanged templates are not written again, and the module of a deleted template is removed",
  async () => {
    const cwd = project({ "app/page.tpl": page, "app/about/page.tpl": page, "lib/kept.tpl.ts": "// mine\n" })
    const first = JSON.parse((await fw([...command, "--json"], { cwd })).stdout).data
    assert.equal(first.written.slice(0, 2), ["app/about/page.tpl.ts", "app/page.tpl.ts"])
    const time = () => statSync(join(cwd, "app/page.tpl.ts")).mtimeMs
    const before = time()
    rmSync(join(cwd, "app/about/page.tpl"))
    const second = JSON.parse((await fw([...command, "--json"], { cwd })).stdout).data
    assert.equal(second.written, [".fw/routes.ts", ".fw/links.ts"])
    assert.is(time(), before)
    assert.is(existsSync(join(cwd, "app/about/page.tpl.ts")), false)
    assert.is(existsSync(join(cwd, "lib/kept.tpl.ts")), true)
  },
)

generate("the route directory can have a name that is ignored at the top of the project", async () => {
  const cwd = project({ "app/dist/page.tpl": page, "app/coverage/page.tpl": page, "dist/page.tpl": page })
  const { written } = JSON.parse((await fw([...command, "--json"], { cwd })).stdout).data
  assert.equal(written.slice(0, 2), ["app/coverage/page.tpl.ts", "app/dist/page.tpl.ts"])
  assert.match(readFileSync(join(cwd, ".fw/routes.ts"), "utf8"), '"pattern": "/dist"')
  assert.is(existsSync(join(cwd, "dist/page.tpl.ts")), false)
})

generate("every error of every template is reported with its position, and the old module stays", async () => {
  const cwd = project({ "app/page.tpl": page, "lib/card.tpl": page })
  await fw(command, { cwd })
  const old = readFileSync(join(cwd, "app/page.tpl.ts"), "utf8")
  writeFileSync(join(cwd, "app/page.tpl"), page.replace("</p>", ""))
  writeFileSync(join(cwd, "lib/card.tpl"), page.replace("Hello", "<a onclick={go}>x</a>"))
  const { code, stdout } = await fw([...command, "--json"], { cwd })
  const { problems } = JSON.parse(stdout).error
  assert.is(code, 1)
  assert.equal(
    problems.map(({ at }: { at: unknown }) => at),
    [
      { file: "app/page.tpl", line: 2, column: 3 },
      { file: "lib/card.tpl", line: 2, column: 9 },
    ],
  )
  assert.is(readFileSync(join(cwd, "app/page.tpl.ts"), "utf8"), old)
})

generate("a mistake in the project is an error, and nothing is written", async () => {
  for (const [given, args, problem] of [
    [{}, [], 'there is no directory "app"'],
    [{ "app/route.ts": route }, ["--app-dir", "routes"], 'there is no directory "routes"'],
    [
      { "app/route.ts": "export function GET() {}\n" },
      [],
      "app/route.ts:1:1: GET is not an export that fw recognises. Did you mean Get?",
    ],
  ] as const) {
    const cwd = project(given as Record<string, string>)
    const ran = await fw([...command, ...args], { cwd })
    assert.is(ran.code, 1)
    assert.is(ran.stdout, "")
    assert.ok(ran.stderr.includes(problem), ran.stderr)
    assert.is(existsSync(join(cwd, ".fw")), false)
  }
})

generate("with a directory as argument, only the templates in it are compiled", async () => {
  const card = "template Card() {\n  <section>{children}</section>\n}\n"
  const cwd = project({
    "components/card.tpl": card,
    "components/deep/feed.xml.tpl": "template Feed() {\n  <rss/>\n}\n",
    "components/old.tpl.ts": "// Generated by fw from old.tpl.\n",
    "other/card.tpl": card,
  })
  const json = async () => JSON.parse((await fw([...command, "components", "--json"], { cwd })).stdout).data
  const outputs = ["components/card.tpl.ts", "components/deep/feed.xml.tpl.ts"]
  assert.equal(await json(), { written: outputs, unchanged: [], typesChecked: false })
  assert.equal(await json(), { written: [], unchanged: outputs, typesChecked: false })
  for (const file of [".fw", "other/card.tpl.ts", "components/old.tpl.ts"])
    assert.is(existsSync(join(cwd, file)), false, file)
  writeFileSync(join(cwd, "components/card.tpl"), card.replace("</section>", ""))
  const { code, stderr } = await fw([...command, "./components/"], { cwd })
  assert.is(code, 1)
  assert.match(stderr, "components/card.tpl:2:3: <section> is never closed")
  for (const dir of ["nothing", "..", "components/card.tpl"]) {
    const refused = await fw([...command, dir], { cwd })
    assert.is(refused.code, 1)
    assert.match(refused.stderr, `${dir} is not a directory of this project`)
  }
})

generate("fw generate templates prints its result with colours if FORCE_COLOR is set", async () => {
  const cwd = project({ "app/route.ts": route })
  const ran = await runNode([program, ...command], { cwd, env: { FORCE_COLOR: "1" } })
  assert.is(ran.stderr, "")
  assert.match(ran.stdout, "\x1b[32mwritten\x1b[39m    .fw/routes.ts")
  assert.match((await fw([...command, "--help"])).stdout, "fw generate templates [dir] [flags]")
})

generate.run()
