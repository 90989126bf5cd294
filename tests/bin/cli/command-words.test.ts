/**
 * Tests of command lines as people type them: other spellings of help and version, commands of other tools, and
 * directories inside of a project.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { readVersion } from "../../../bin/cli/version.ts"
import { fw, project } from "../../support/bin/cli/command.ts"
import { makeProject, route } from "../../support/bin/dev/dev-project.ts"

const words = suite("other words for commands")

const same: ReadonlyArray<readonly [typed: string, means: string]> = [
  ["help", "--help"],
  ["help new", "new --help"],
  ["help generate", "generate --help"],
  ["help generate route", "generate route --help"],
  ["help new --json", "new --help --json"],
  ["version", "--version"],
  ["version --json", "--version --json"],
  ["-v", "--version"],
]
for (const [typed, means] of same) {
  words(`fw ${typed} does the same as fw ${means}`, async () => {
    const ran = await fw(typed.split(" "))
    assert.equal(ran, await fw(means.split(" ")))
    assert.is(ran.code, 0)
  })
}

words("fw -v prints the version of the package", async () => {
  assert.is((await fw(["-v"])).stdout, `fw ${readVersion()}\n`)
})

words("help for an unknown command suggests the nearest command", async () => {
  const { code, stderr } = await fw(["help", "biuld"])
  assert.is(code, 2)
  assert.match(stderr, /Did you mean "fw build"\?/)
})

const elsewhere: Readonly<Record<string, RegExp>> = {
  serve: /fw dev\. .*npm start/,
  preview: /npm start, or fw build/,
  check: /npm run check\. .*fw validate/,
  lint: /fw validate/,
  init: /fw new <name>/,
  create: /fw new <name>/,
}
for (const [word, fix] of Object.entries(elsewhere)) {
  words(`the error for fw ${word} names the commands to run instead`, async () => {
    const { code, stderr } = await fw([word])
    assert.is(code, 2)
    assert.match(stderr, fix)
  })
}

words.run()

const inside = suite("from a directory of a project")

/**
 * A `PATH` without npm, git, Bun, Deno and CSS compilers, because `fw info` runs each that it finds to read its
 * version.
 */
const env = { PATH: "/nowhere", XDG_CACHE_HOME: "/nowhere" }

const files = {
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "app/api/health/route.ts": route("ok"),
  "styles/input.css": "a { color: red }\n",
  "compiler.mjs": `import { readFileSync, writeFileSync } from "node:fs"
const value = (flag) => process.argv[process.argv.indexOf(flag) + 1]
writeFileSync(value("--output"), readFileSync(value("--input")))
`,
}

for (const command of ["routes", "info", "validate", "routes --explain GET /api/health"]) {
  inside(`fw ${command} in a subdirectory gives the same as at the top of the project`, async () => {
    const root = makeProject(files, ["fw"])
    const at = (cwd: string) => fw([...command.split(" "), "--json"], { cwd, env })
    assert.equal(await at(join(root, "app/api/health")), await at(root))
  })
}

inside(
  "files are written relative to the project, and paths on the command line are relative to the current directory",
  async () => {
    const root = makeProject(files, ["fw"])
    const cwd = join(root, "app/api")
    const run = async (...argv: string[]) => {
      const { code, stderr } = await fw(argv, { cwd, env: { FW_CSS_BINARY: join(root, "compiler.mjs") } })
      assert.is(code, 0, stderr)
    }
    await run("generate", "route", "/users")
    await run("openapi", "generate")
    await run("openapi", "generate", "-o", "here.json", "-d", "..")
    await run("css", "build", "-i", "../../styles/input.css", "-o", "../../static/other.css")
    await run("css", "build")
    for (const file of [
      "app/api/users/route.ts",
      "openapi.json",
      "app/api/here.json",
      "static/other.css",
      "static/css/output.css",
    ])
      assert.ok(existsSync(join(root, file)), `${file} was not written`)
    assert.equal(
      JSON.parse(readFileSync(join(root, "app/api/here.json"), "utf8")).paths,
      JSON.parse(readFileSync(join(root, "openapi.json"), "utf8")).paths,
    )
  },
)

inside(
  "the project is the directory of the nearest package.json, or the current directory if there is no package.json",
  async () => {
    const root = makeProject({ ...files, "packages/own/package.json": '{ "name": "own" }' }, ["fw"])
    mkdirSync(join(root, "packages/own/app"))
    const name = async (cwd: string) => JSON.parse((await fw(["info", "--json"], { cwd, env })).stdout).data?.name
    assert.is(await name(join(root, "packages/own/app")), "own")
    assert.is(await name(join(root, "packages")), "shop")
    const bare = project({ "app/route.ts": route("ok") })
    assert.is((await fw(["routes"], { cwd: bare })).code, 0)
  },
)

inside.run()
