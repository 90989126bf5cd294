/** Tests of `fw openapi generate`: its flags, its file, its output, and what it refuses. */
import { readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { parse } from "yaml"
import { fw, program, runNode } from "../../support/bin/cli/command.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"
import { shop } from "../../support/bin/openapi/openapi-shop.ts"

const route = `import type { Context } from "fw"
/** Says hello. */
export function Get(c: Context) { return c.json(200, { hello: c.query("name") || null }) }
export function Post(c: Context) { return c.json(c.paramInt("x"), {}) }
`
const generate = ["openapi", "generate"]

function project(more: Readonly<Record<string, string>> = {}, packages = ["fw", "typescript"]): string {
  return makeProject(
    { "package.json": '{ "name": "greeter", "type": "module" }', "app/api/hello/route.ts": route, ...more },
    packages,
  )
}

const command = suite("fw openapi generate")

command("fw openapi generate writes openapi.json and prints what it wrote", async () => {
  const cwd = project()
  const { code, stdout, stderr } = await runNode([program, ...generate], { cwd })
  // On a busy machine the work takes so long that the command prints this step.
  assert.is(stderr.replace("  … Reading the routes and their types\n", ""), "")
  assert.is(code, 0)
  assert.match(
    stdout,
    /^warning: app\/api\/hello\/route\.ts:4: the status of this answer is known only when it is sent\n {2}Write the status .*\nwritten {2}openapi\.json {2}OpenAPI 3\.1\.0: 2 operations, 1 path, 1 schema\n$/,
  )
  const document = JSON.parse(readFileSync(join(cwd, "openapi.json"), "utf8"))
  assert.is(document.openapi, "3.1.0")
  assert.equal(document.info, { title: "greeter", version: "1.0.0" })
  assert.equal(document.paths["/api/hello"].get.responses[200].content["application/json"].schema, {
    type: "object",
    properties: { hello: { type: ["string", "null"] } },
    required: ["hello"],
  })
})

const main = `import { App } from "fw"
const app = new App()
const version = "2.3.0"
app.openapi({ title: "Snip", version, description: "All of it.", server: "https://api.example.com" })
export default app
`

command("the options of app.openapi() in main.ts apply, and flags override them", async () => {
  const cwd = project({ "main.ts": main })
  const info = async (...flags: string[]) => {
    await fw([...generate, "--force", ...flags], { cwd })
    const { info, servers } = JSON.parse(readFileSync(join(cwd, "openapi.json"), "utf8"))
    return { ...info, server: servers[0].url }
  }
  const told = {
    title: "Snip",
    description: "All of it.",
    version: "2.3.0",
    server: "https://api.example.com",
  }
  assert.equal(await info(), told)
  const flags = ["--title", "Other", "--version", "9", "--server", "/v9"]
  assert.equal(await info(...flags), { ...told, title: "Other", version: "9", server: "/v9" })
})

command("YAML is written to openapi.yaml by default", async () => {
  const cwd = project()
  writeFileSync(join(cwd, "openapi.json"), "by hand")
  const { code, stdout } = await fw([...generate, "-f", "yaml"], { cwd })
  assert.is(code, 0)
  assert.match(stdout, /written {2}openapi\.yaml/)
  assert.is(parse(readFileSync(join(cwd, "openapi.yaml"), "utf8")).openapi, "3.1.0")
  assert.is(readFileSync(join(cwd, "openapi.json"), "utf8"), "by hand")
})

command(
  "flags set the file, the format, the title, the version, the description, the server and OpenAPI 3.0",
  async () => {
    const cwd = project()
    const flags = ["-o", "docs/api.yaml", "-f", "YAML", "--title", "Greetings", "--version", "2.1.0"]
    const more = ["--description", "Says hello.", "--server", "https://api.example.com", "--openapi30", "--json"]
    const { code, stdout } = await fw([...generate, ...flags, ...more], { cwd })
    assert.is(code, 0, stdout)
    const { success, data } = JSON.parse(stdout)
    assert.is(success, true)
    assert.equal(
      { ...data, warnings: data.warnings.length },
      {
        file: "docs/api.yaml",
        format: "yaml",
        openapi: "3.0.3",
        operations: 2,
        paths: 1,
        schemas: 1,
        typed: true,
        warnings: 1,
      },
    )
    const document = parse(readFileSync(join(cwd, "docs/api.yaml"), "utf8"))
    assert.is(document.openapi, "3.0.3")
    assert.equal(document.info, { title: "Greetings", description: "Says hello.", version: "2.1.0" })
    assert.equal(document.servers, [{ url: "https://api.example.com" }])
    assert.equal(document.paths["/api/hello"].get.responses[200].content["application/json"].schema.properties, {
      hello: { type: "string", nullable: true },
    })
  },
)

command("--app-dir chooses another route directory, and a directory that is missing is an error", async () => {
  const main = 'import { App } from "fw"\nexport default new App()\n'
  const cwd = project({ "src/pages/other/route.ts": route, "main.ts": main }, ["fw"])
  for (const directory of ["src/pages", "./src/pages/", join(cwd, "src/pages")]) {
    assert.is((await fw([...generate, "-d", directory], { cwd })).code, 0)
    assert.equal(Object.keys(JSON.parse(readFileSync(join(cwd, "openapi.json"), "utf8")).paths), ["/other"])
  }
  const { code, stderr } = await fw([...generate, "--app-dir", "nowhere"], { cwd })
  assert.is(code, 1)
  assert.match(stderr, /there is no directory "nowhere"/)
})

command("a file that fw wrote is overwritten, and any other file is not", async () => {
  const cwd = project({}, ["fw"])
  const file = join(cwd, "openapi.json")
  for (let i = 0; i < 2; i++) assert.is((await fw(generate, { cwd })).code, 0)
  const { mtimeMs } = statSync(file)
  assert.is((await fw(generate, { cwd })).code, 0)
  assert.is(statSync(file).mtimeMs, mtimeMs, "the file was written again, although its bytes are the same")
  assert.is((await fw([...generate, "-f", "yaml"], { cwd })).code, 0)
  assert.is((await fw([...generate, "-f", "yaml"], { cwd })).code, 0)
  const own = '{ "openapi": "3.1.0", "info": { "title": "mine", "version": "1" } }\n'
  writeFileSync(file, own)
  const { code, stderr } = await fw(generate, { cwd })
  assert.is(code, 1)
  assert.match(stderr, /openapi\.json already exists, and fw did not write it\n.*--force/)
  assert.is(readFileSync(file, "utf8"), own)
  assert.is((await fw([...generate, "--force"], { cwd })).code, 0)
})

const refused: ReadonlyArray<readonly [args: string[], code: number, stderr: RegExp]> = [
  [["--version"], 2, /--version/],
  [["--format", "xml"], 2, /json/],
  [["--server", "example.com"], 1, /is not a valid URL/],
  [["--titel", "x"], 2, /Did you mean "--title"/],
]

for (const [args, wanted, message] of refused) {
  command(`fw openapi generate ${args.join(" ")} is refused`, async () => {
    const { code, stderr } = await fw([...generate, ...args], { cwd: project({}, ["fw"]) })
    assert.is(code, wanted)
    assert.match(stderr, message)
  })
}

command("without TypeScript, or with an old version of it, a warning says what is missing", async () => {
  const cwd = project({}, ["fw"])
  const { code, stdout } = await fw(generate, { cwd })
  assert.is(code, 0)
  assert.match(stdout, /^warning: TypeScript is not installed in the project: the document has only/)
  const old = project({ "node_modules/typescript/package.json": '{ "name": "typescript", "version": "5.9.2" }' }, [
    "fw",
  ])
  const ran = await fw([...generate, "--json"], { cwd: old })
  const { data } = JSON.parse(ran.stdout)
  assert.is(data.typed, false)
  assert.match(
    data.warnings[0].message,
    /the project's TypeScript is 5\.9\.2, and fw reads types with versions 7\.0 and 7\.1/,
  )
})

command("without types the document has routes, path parameters, comments and the security of middleware", async () => {
  const cwd = makeProject(shop, ["fw"])
  assert.is((await fw(generate, { cwd })).code, 0)
  const { paths } = JSON.parse(readFileSync(join(cwd, "openapi.json"), "utf8"))
  const { get } = paths["/api/users/{id}"]
  assert.is(get.summary, "One user.")
  assert.equal(get.parameters, [
    {
      name: "id",
      in: "path",
      description: "The number of a user.",
      required: true,
      schema: { type: "string" },
    },
  ])
  assert.equal(Object.keys(get.responses), ["default"])
  assert.equal(paths["/api/staff"].get.security, [{ bearer: [] }, { session_id: [] }])
})

command("a project in which fw is not installed is read with the types of the command's own fw", async () => {
  const cwd = project({}, ["typescript"])
  const { stdout } = await fw([...generate, "--json"], { cwd })
  assert.is(JSON.parse(stdout).data.typed, true)
  const { paths } = JSON.parse(readFileSync(join(cwd, "openapi.json"), "utf8"))
  assert.ok(paths["/api/hello"].get.responses[200])
})

command("the options of tsconfig.json apply, such as paths and global types", async () => {
  const cwd = project({
    "tsconfig.json": JSON.stringify({
      compilerOptions: { module: "nodenext", target: "es2022", paths: { "@/*": ["./lib/*"] } },
      include: ["**/*.ts"],
    }),
    "global.d.ts": "interface Everywhere { everywhere: 1 }\n",
    "lib/thing.ts": "export const thing = { value: null as string | null }\n",
    "app/api/t/route.ts":
      'import type { Context } from "fw"\nimport { thing } from "@/thing.ts"\nexport function Get(c: Context) { return c.json(200, { thing, more: {} as Everywhere }) }\n',
  })
  assert.is((await fw(generate, { cwd })).code, 0)
  const { paths, components } = JSON.parse(readFileSync(join(cwd, "openapi.json"), "utf8"))
  assert.equal(paths["/api/t"].get.responses[200].content["application/json"].schema.properties, {
    more: { $ref: "#/components/schemas/Everywhere" },
    thing: { type: "object", properties: { value: { type: ["string", "null"] } }, required: ["value"] },
  })
  assert.ok(components.schemas.Everywhere)
})

command("errors in the document have the form that app.onError() gives to errors", async () => {
  const main = `import { App, HttpError } from "fw"
const app = new App()
app.onError((c, error) => c.json(error instanceof HttpError ? error.status : 500, { wrong: true, id: c.getString("request_id") }))
export default app
`
  const cwd = project({ "main.ts": main })
  assert.not.match((await fw(generate, { cwd })).stdout, "main.ts")
  const { components } = JSON.parse(readFileSync(join(cwd, "openapi.json"), "utf8"))
  assert.equal(components.schemas.Error, {
    description: "The body of every error.",
    type: "object",
    properties: { wrong: { type: "boolean" }, id: { type: "string" } },
    required: ["wrong", "id"],
  })
})

command("a tsconfig.json that cannot be read does not stop fw openapi generate", async () => {
  const cwd = project({ "tsconfig.json": '{ "extends": "./nowhere.json", "compilerOptions": { "strict": 7 ' })
  const { code } = await fw(generate, { cwd })
  assert.is(code, 0)
})

command.run()
