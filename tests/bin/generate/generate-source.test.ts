/**
 * Tests of `fw generate middleware` and `fw generate proxy`: the files and packages of each template, and what is
 * refused. The slow tests run the generated code.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { fw, project } from "../../support/bin/cli/command.ts"

const pack = {
  "package.json": '{\n\t"name": "shop",\n\t"dependencies": {\n\t\t"zod": "^4.0.0",\n\t\t"fw": "0.2.0"\n\t}\n}',
}
const read = (cwd: string, file: string) => readFileSync(join(cwd, file), "utf8")

const middleware = suite("fw generate middleware")

function generate(cwd: string, ...args: string[]) {
  return fw(["generate", "middleware", ...args], { cwd })
}

middleware("the blank template writes a middleware for all routes, with the given name", async () => {
  const cwd = project(pack)
  const { code, stdout, stderr } = await generate(cwd, "audit-log")
  assert.equal([code, stderr], [0, ""])
  assert.is(stdout, "  written      app/middleware.ts\n  It wraps every route at and below /.\n")
  assert.is(
    read(cwd, "app/middleware.ts"),
    `/** Wraps every route of the application. */
import type { MiddlewareFunc } from "fw"

const auditLogMiddleware: MiddlewareFunc = (next) => (c) => next(c)

export function Middleware(): MiddlewareFunc {
  return auditLogMiddleware
}
`,
  )
})

middleware(
  "the template auth adds jose to package.json, and the command prints the variables that the middleware reads",
  async () => {
    const cwd = project(pack)
    const { stdout } = await generate(cwd, "auth", "-t", "auth", "-p", "api/protected")
    assert.is(
      stdout,
      `  written      app/api/protected/middleware.ts
  It wraps every route at and below /api/protected.
  added        jose to package.json: run npm install

It reads from the environment (.env in development):
  AUTH_JWT_SECRET  32 bytes or more, such as of openssl rand -base64 48
`,
    )
    assert.is(
      read(cwd, "package.json"),
      '{\n\t"name": "shop",\n\t"dependencies": {\n\t\t"fw": "0.2.0",\n\t\t"jose": "^6.2.17",\n\t\t"zod": "^4.0.0"\n\t}\n}',
    )
    const own = { "package.json": '{ "devDependencies": { "jose": "5" } }\r\n' }
    const kept = project(own)
    const { data } = JSON.parse((await generate(kept, "auth", "-t", "auth", "--json")).stdout)
    assert.equal(data.dependencies, [])
    assert.is(read(kept, "package.json"), own["package.json"])
  },
)

for (const template of ["blank", "auth", "logging", "timing", "cors"]) {
  middleware(`the template ${template} can be written for every spelling of a path`, async () => {
    const cwd = project(pack)
    for (const path of ["users/[id]", "users/{id}/a", "users/:id/b"]) {
      const { stdout } = await generate(cwd, "x", "--template", template.toUpperCase(), "--path", path, "--json")
      const { success, data } = JSON.parse(stdout)
      assert.ok(success, stdout)
      assert.equal(Object.keys(data), [
        "written",
        "overwritten",
        "dependencies",
        "environment",
        "path",
        "name",
        "template",
      ])
      const directory = path.replace(/\{id\}|:id/, "[id]")
      assert.equal(
        [data.written, data.name, data.template],
        [[`app/${directory}/middleware.ts`], "xMiddleware", template],
      )
      const text = read(cwd, `app/${directory}/middleware.ts`)
      assert.not.match(text, /exampleMiddleware|\/example|TODO/)
      assert.match(text, /^export function Middleware\(\): MiddlewareFunc \{$/m)
    }
    assert.is((await fw(["routes"], { cwd })).code, 0)
  })
}

const names: ReadonlyArray<readonly [name: string, called: string | RegExp]> = [
  ["rate_limit", "rateLimitMiddleware"],
  ["AuthMiddleware", "authMiddleware"],
  ["middleware", "ownMiddleware"],
  ["class", "classMiddleware"],
  ["2fa", /"2fa" is not a valid name for a middleware\n {2}Begin with a letter/],
  ["api/auth", /To choose the directory, use --path/],
  ["a b", /is not a valid name/],
]
for (const [name, called] of names) {
  middleware(`the name ${name} ${typeof called === "string" ? `becomes ${called}` : "is refused"}`, async () => {
    const { code, stdout, stderr } = await generate(project(pack), name, "--json")
    if (typeof called === "string") assert.is(JSON.parse(stdout).data.name, called)
    else {
      assert.is(code, 1)
      const { message, fix } = JSON.parse(stdout).error
      assert.match(`${message}\n  ${fix}`, called)
    }
    assert.is(stderr, "")
  })
}

middleware(
  "an existing middleware is not overwritten, and the fix says how to combine the old and the new middleware",
  async () => {
    const cwd = project({ ...pack, "app/middleware.ts": "mine" })
    const { code, stderr } = await generate(cwd, "auth", "-t", "auth")
    assert.is(code, 1)
    assert.match(stderr, "app/middleware.ts already exists")
    assert.match(stderr, "Middleware() { return [first, authMiddleware] }")
    assert.equal([read(cwd, "app/middleware.ts"), read(cwd, "package.json")], ["mine", pack["package.json"]])
    const other = await generate(
      project({ ...pack, "app/middleware.js": "export const Middleware = 1" }),
      "a",
      "--force",
    )
    assert.match(other.stderr, /are the same middleware/)
    assert.match((await generate(cwd, "auth", "--force")).stdout, /overwritten {2}app\/middleware\.ts/)
  },
)

middleware(
  "a blank middleware named auth gets a hint about the template, and an unknown template gets a suggestion",
  async () => {
    assert.match((await generate(project(pack), "auth")).stdout, "Use --template auth for one that does")
    const { code, stderr } = await generate(project(pack), "x", "-t", "loging")
    assert.is(code, 2)
    assert.match(stderr, 'Did you mean "logging"?')
  },
)

middleware("a package.json that is invalid or missing is an error, and nothing is written", async () => {
  for (const text of ["no JSON", "[]"]) {
    const cwd = project({ "package.json": text })
    const { code, stderr } = await generate(cwd, "auth", "-t", "auth")
    assert.is(code, 1)
    assert.match(stderr, "package.json is not a JSON object")
    assert.equal([readdirSync(cwd), read(cwd, "package.json")], [["package.json"], text])
  }
  const without = project({ "app/a/route.ts": "" })
  assert.match((await generate(without, "auth", "-t", "auth")).stderr, "there is no package.json")
  assert.equal(readdirSync(join(without, "app")), ["a"])
})

middleware.run()

const proxy = suite("fw generate proxy")

const expected: Readonly<Record<string, readonly [files: string[], dependencies: string[], variables: string[]]>> = {
  blank: [["app/proxy.ts"], [], []],
  "auth-check": [["app/proxy.ts", "app/_lib/sessions.ts"], ["jose"], ["AUTH_JWT_SECRET"]],
  "rate-limit": [["app/proxy.ts"], [], []],
  maintenance: [["app/proxy.ts"], [], ["MAINTENANCE", "MAINTENANCE_ALLOW"]],
  "redirect-www": [["app/proxy.ts"], [], ["SITE_URL"]],
}
for (const [template, [written, dependencies, variables]] of Object.entries(expected)) {
  proxy(`fw generate proxy -t ${template} writes its files and names its packages and variables`, async () => {
    const cwd = project({ ...pack, "app/api/health/route.ts": "export function Get() {}\n" })
    const { stdout } = await fw(["generate", "proxy", "-t", template, "--json"], { cwd })
    const { data } = JSON.parse(stdout)
    assert.equal(Object.keys(data), ["written", "overwritten", "dependencies", "environment", "template"])
    assert.equal([data.written, data.dependencies, data.template], [written, dependencies, template])
    assert.equal(
      data.environment.map(({ name }: { name: string }) => name),
      variables,
    )
    const text = written.map((file) => read(cwd, file)).join("")
    for (const name of variables) assert.match(text, name)
    const read_ = [...text.matchAll(/process\.env\.(\w+)/g)].map(([, name]) => name)
    assert.equal([...new Set(read_)], variables)
    assert.equal(JSON.parse((await fw(["validate", "--json"], { cwd })).stdout).data.problems, [])
  })
}

proxy(
  "an existing proxy is not overwritten without --force, also with another extension, and an existing helper is kept",
  async () => {
    const cwd = project({ ...pack, "app/proxy.ts": "mine", "app/_lib/sessions.ts": "mine too" })
    const there = await fw(["generate", "proxy", "-t", "auth-check"], { cwd })
    assert.is(there.code, 1)
    assert.equal([read(cwd, "app/proxy.ts"), read(cwd, "package.json")], ["mine", pack["package.json"]])
    const forced = await fw(["generate", "proxy", "-t", "auth-check", "--force"], { cwd })
    assert.match(forced.stdout, /^ {2}overwritten {2}app\/proxy\.ts\n {2}added/)
    assert.is(read(cwd, "app/_lib/sessions.ts"), "mine too")
    const ended = project({ ...pack, "app/proxy.mjs": "export function Proxy() {}\n" })
    assert.match((await fw(["generate", "proxy"], { cwd: ended })).stderr, /are the same proxy/)
  },
)

proxy("--app-dir chooses another route directory, also a directory that does not exist", async () => {
  const cwd = project(pack)
  mkdirSync(join(cwd, "src"))
  assert.is((await fw(["generate", "proxy", "-d", "src/routes"], { cwd })).code, 0)
  assert.ok(existsSync(join(cwd, "src/routes/proxy.ts")))
  assert.is((await fw(["generate", "proxy", "-d", "."], { cwd })).code, 0)
  assert.ok(existsSync(join(cwd, "proxy.ts")))
})

proxy.run()
