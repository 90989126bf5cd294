/** Tests of the directory of static files that a project names, and of the styles in it. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { findCSS } from "../../../bin/css/binary.ts"
import { findProjectCompiler } from "../../../bin/css/npm.ts"
import { toProjectPath } from "../../../bin/generate/auth-sources.ts"
import { findStyles, readStaticDir } from "../../../bin/project/static-dir.ts"
import { inProject } from "../../support/lib/scan/scan-project.ts"

const test = suite("the directory of static files")

const main = (options: string) =>
  `import { App } from "fw"\nconst staticDir = "x"\nexport default new App(${options})\n`
const rows: readonly (readonly [options: string | null, directory: string])[] = [
  [null, "static"],
  ["", "static"],
  ['{ staticDir: "public" }', "public"],
  ["{ bodyLimit: 1, 'staticDir': 'web/public/' }", "web/public"],
  ["{ staticDir: './public' }", "public"],
  ["{ staticDir }", "static"],
  ["{ staticDir: process.env.DIR }", "static"],
  ['{ staticDir: "../elsewhere" }', "static"],
  ['{ staticDir: "/srv/www" }', "static"],
  ['{ staticDir: "." }', "static"],
]
for (const [options, directory] of rows) {
  test(`the static files of a project ${options === null ? "without a main file" : `with new App(${options})`} are in ${directory}`, async () => {
    const files = options === null ? { "app/page.tpl": "" } : { "main.ts": main(options) }
    await inProject(files, async (root) => {
      assert.is(readStaticDir(root), directory)
      assert.equal(findStyles(root), { input: "styles/input.css", output: `${directory}/css/output.css` })
    })
  })
}

test("files of a generated sign-in are written to the directories that the project uses", () => {
  const places = { root: ".", appDir: "src/app", staticDir: "public", databaseIndex: "db/index.mts" }
  assert.is(toProjectPath("static/auth/passkeys.js", places), "public/auth/passkeys.js")
  assert.is(toProjectPath("app/login/page.tpl", places), "src/app/login/page.tpl")
  assert.is(toProjectPath("lib/auth/users.ts", places), "lib/auth/users.ts")
  assert.is(toProjectPath("db/index.ts", places), "db/index.mts")
})

test("a project compiles styles with its own @tailwindcss/cli, unless FW_CSS_BINARY is set", async () => {
  const manifest = '{ "name": "@tailwindcss/cli", "version": "4.3.5", "bin": { "tailwindcss": "./dist/index.mjs" } }'
  const files = { "node_modules/@tailwindcss/cli/package.json": manifest, "package.json": "{}" }
  await inProject(files, async (root) => {
    const own = `${root}/node_modules/@tailwindcss/cli/dist/index.mjs`
    assert.is(findProjectCompiler(root), own)
    const found = await findCSS({ cwd: root, env: {} })
    assert.equal([found.path, found.installed, found.isGiven], [own, true, true])
    assert.is((await findCSS({ cwd: root, env: { FW_CSS_BINARY: "tw" } })).path, `${root}/tw`)
  })
  await inProject({ "package.json": "{}" }, async (root) => assert.is(findProjectCompiler(root), undefined))
})

test.run()
