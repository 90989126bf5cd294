/** Tests that programs that build and answer give the same answers under `fw dev`, without warnings. */
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { lintProject } from "../../../bin/inspect/project-sources.ts"
import { ask, makeProject, readStatus, startDev } from "../../support/bin/dev/dev-project.ts"
import { packageDirectory } from "../../support/packages.ts"

const test = suite("fw dev: programs that build")

const context = 'import type { Context } from "fw"\n'

/** Returns two modules that import each other, and a route that answers with a value of the second one. */
function circle(name: string, second: string): Record<string, string> {
  return {
    [`lib/${name}/a.ts`]: `import * as b from "./b.ts"\nexport const user = { n: 1 }\nexport const use = () => b.two\n`,
    [`lib/${name}/b.ts`]: `import { user } from "./a.ts"\n${second}\n`,
    [`app/${name}/route.ts`]: `${context}import { use, user } from "../../lib/${name}/a.ts"\nexport const Get = (c: Context) => c.json(200, [user.n, typeof use()])\n`,
  }
}

interface Row {
  readonly files: Readonly<Record<string, string>>
  /** The paths to request, with the expected bodies. */
  readonly asked: Readonly<Record<string, string>>
}

const page = (head: string, body: string) => `${context}${head} {\n  ${body}\n}\n`
const rows: Readonly<Record<string, Row>> = {
  "an optional catch-all without a segment": {
    files: {
      "app/shop/[[...cat]]/page.tpl": page("template Page(c: Context)", '<p>{c.param("cat")}</p>'),
      "app/goods/[[...cat]]/route.ts": `${context}export const Get = (c: Context<"cat">) => c.json(200, c.param("cat"))\nexport const Post = Get\n`,
    },
    asked: { "/shop": "<p></p>", "/shop/a/b": "<p>a/b</p>", "/goods": '""', "/goods/a": '"a"' },
  },
  "a parameter in a helper of several routes, and in a handler of routes that main.ts registers": {
    files: {
      "lib/asked.ts": `${context}export const asked = (c: Context) => c.string(200, c.param("id") || "none")\n`,
      "app/asked/route.ts": 'export { asked as Get } from "../../lib/asked.ts"\n',
      "app/asked/[id]/route.ts": 'export { asked as Get } from "../../../lib/asked.ts"\n',
      "main.ts": `import { App } from "fw"\nimport type { Context } from "fw"\nconst app = new App()\nconst any = (c: Context) => c.string(200, c.param("key") || "none")\napp.get("/keys", any)\napp.get("/keys/{key}", any)\nexport default app\n`,
    },
    asked: { "/asked": "none", "/asked/7": "7", "/keys": "none", "/keys/x": "x" },
  },
  "pages with other forms of the context": {
    files: {
      "app/forms/a/page.tpl": page("template Page({ path }: Context)", "<p>{path}</p>"),
      "app/forms/b/page.tpl": page(
        'template Page({ path, method: verb }: Pick<Context, "path" | "method">)',
        "<p>{path} {verb}</p>",
      ),
      "app/forms/c/page.tpl":
        'interface Has {\n  path: string\n  query(name: string): string\n}\ntemplate Page(has: Has) {\n  <p>{has.path}{has.query("x")}</p>\n}\n',
      "app/forms/d/page.tpl":
        "type Has = {\n  readonly path: string\n}\ntemplate Page({ path }: Has) {\n  <p>{path}</p>\n}\n",
      "app/forms/e/page.tpl":
        "template Page({ path, size = 3 }: { path: string; size?: number }) {\n  <p>{path}{size}</p>\n}\n",
      "lib/has.ts": "export interface Has {\n  readonly path: string\n}\n",
      "app/forms/f/page.tpl":
        'import type { Has } from "../../../lib/has.ts"\ntemplate Page(c: Has) {\n  <p>{c.path}</p>\n}\n',
      "app/forms/g/page.tpl": page("template Page({ path, ...rest }: Context)", "<p>{path}{typeof rest}</p>"),
    },
    asked: {
      "/forms/a": "<p>/forms/a</p>",
      "/forms/b": "<p>/forms/b GET</p>",
      "/forms/c?x=1": "<p>/forms/c1</p>",
      "/forms/d": "<p>/forms/d</p>",
      "/forms/e": "<p>/forms/e3</p>",
      "/forms/f": "<p>/forms/f</p>",
      "/forms/g": "<p>/forms/gobject</p>",
    },
  },
  "modules that import each other": {
    files: {
      ...circle("method", "export const two = { async user() { return user } }"),
      ...circle("getter", "export const two = { get user() { return user }, set user(v) { v.n = 2 } }"),
      ...circle("generator", "export const two = { *user() { yield user }, async *other() { yield user } }"),
      ...circle("plain", "export const two = { user() { return user } }"),
      ...circle("caught", "export let two = 0\ntry { two = 1 } catch (user) { console.log(user) }"),
      ...circle("pattern", "export const two: number[] = []\nfor (const { user } of [{ user: 1 }]) two.push(user)"),
      ...circle("label", "export let two = 0\nuser: for (const x of [1]) { two = x; break user }"),
      ...circle("key", "export const two = { user: 1, x: { user: 2 }.user }"),
      ...circle("later", "export const two = () => user.n"),
      ...circle("typed", "export const two: typeof user | null = null"),
    },
    asked: {
      "/method": '[1,"object"]',
      "/getter": '[1,"object"]',
      "/generator": '[1,"object"]',
      "/plain": '[1,"object"]',
      "/caught": '[1,"number"]',
      "/pattern": '[1,"object"]',
      "/label": '[1,"number"]',
      "/key": '[1,"object"]',
      "/later": '[1,"function"]',
      "/typed": '[1,"object"]',
    },
  },
}
const files = Object.assign({}, ...Object.values(rows).map((row) => row.files)) as Record<string, string>
const asked = Object.entries(Object.assign({}, ...Object.values(rows).map((row) => row.asked)) as object)
const tsconfig = JSON.stringify({
  compilerOptions: {
    strict: true,
    module: "nodenext",
    target: "es2022",
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ["app", "lib", "main.ts"],
})

test("the programs answer under fw dev as in a build, without warnings", async () => {
  const root = makeProject({ ...files, "tsconfig.json": tsconfig }, ["fw", "esbuild", "typescript"])
  assert.equal(await lintProject({ root, appDir: "app" }), [])
  const dev = startDev(root)
  const port = await dev.port()
  // fw dev adds no script to a page that a script requests.
  const headers = { "sec-fetch-dest": "empty" }
  for (const [path, body] of asked) assert.is((await ask(port, path, { headers })).body, body, path)
  const { warnings, problems } = await readStatus(root, port)
  assert.equal([...warnings, ...problems], [])
  assert.is(await dev.stop(), 0)
  assert.not.match(dev.output, /warning|error/)

  execFileSync(process.execPath, [join(packageDirectory("fw"), "dist/bin/fw.js"), "build", "--target", "app"], {
    cwd: root,
    timeout: 120_000,
    stdio: "pipe",
  })
  const { default: app } = await import(pathToFileURL(join(root, "dist/app/app.mjs")).href)
  for (const [path, body] of asked) {
    const answer: Response = await app.fetch(new Request(`http://localhost${path}`))
    assert.is(await answer.text(), body, path)
  }
})

test("a mistake that a build does not find is a warning, and other pages answer", async () => {
  const root = makeProject({
    "app/card/page.tpl": "template Page(name: string) {\n  <p>{name.length}</p>\n}\n",
    "app/layout.tpl": "template Layout(title: string) {\n  <title>{title}</title>\n}\n",
  })
  const dev = startDev(root)
  const port = await dev.port()
  assert.is((await ask(port, "/card")).status, 200)
  await dev.says(/warning: the layout does not print its children/)
  await dev.says(/warning: fw calls Page with the context only, and this one takes name: string/)
  assert.is(await dev.stop(), 0)
})

test.run()
