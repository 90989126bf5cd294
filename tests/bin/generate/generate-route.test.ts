/**
 * Tests of `fw generate route`: the file for each path and method, what it refuses, and that a failure leaves no
 * files.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { fw, project } from "../../support/bin/cli/command.ts"

const pack = { "package.json": "{}" }

function generate(cwd: string, ...args: string[]) {
  return fw(["generate", "route", ...args], { cwd })
}

test("fw generate route writes Get, Put and Delete for a path that ends in a parameter", async () => {
  const cwd = project(pack)
  const { code, stdout, stderr } = await generate(cwd, "users/[id]")
  assert.equal([code, stderr], [0, ""])
  assert.is(
    stdout,
    "  written      app/api/users/[id]/route.ts\n  The route answers GET, PUT, DELETE /api/users/{id}.\n",
  )
  assert.is(
    readFileSync(join(cwd, "app/api/users/[id]/route.ts"), "utf8"),
    `import type { Context } from "fw"

export function Get(c: Context<"id">) {
  return c.json(200, { id: c.param("id") })
}

export async function Put(c: Context<"id">) {
  const body = await c.bind<{ name: string }>()
  return c.json(200, { ...body, id: c.param("id") })
}

export function Delete(c: Context<"id">) {
  return c.noContent()
}
`,
  )
})

test("fw generate route writes only Get for a path that ends in a name", async () => {
  const cwd = project(pack)
  await generate(cwd, "users")
  assert.is(
    readFileSync(join(cwd, "app/api/users/route.ts"), "utf8"),
    'import type { Context } from "fw"\n\nexport function Get(c: Context) {\n  return c.json(200, { items: [] })\n}\n',
  )
})

const paths: ReadonlyArray<readonly [args: string[], file: string, methods: string[], patterns: string[]]> = [
  [["users", "-m", "post,GET"], "users", ["GET", "POST"], ["/api/users"]],
  [["users", "-m", "GET", "-m", "PATCH"], "users", ["GET", "PATCH"], ["/api/users"]],
  [["users/{id}"], "users/[id]", ["GET", "PUT", "DELETE"], ["/api/users/{id}"]],
  [["users/:id", "--methods=GET"], "users/[id]", ["GET"], ["/api/users/{id}"]],
  [["users/:id/posts"], "users/[id]/posts", ["GET"], ["/api/users/{id}/posts"]],
  [["docs/[...slug]"], "docs/[...slug]", ["GET"], ["/api/docs/*"]],
  [["shop/[[...cat]]"], "shop/[[...cat]]", ["GET"], ["/api/shop", "/api/shop/*"]],
  [["(admin)/x", "-m", "HEAD,OPTIONS"], "(admin)/x", ["HEAD", "OPTIONS"], ["/api/x"]],
  [["."], ".", ["GET"], ["/api"]],
]
for (const [args, directory, methods, patterns] of paths) {
  test(`fw generate route ${args.join(" ")} writes a route that answers ${methods.join(", ")} ${patterns.join(" and ")}`, async () => {
    const cwd = project(pack)
    const { code, stdout } = await generate(cwd, ...args, "--json")
    const written = [join("app/api", directory, "route.ts")]
    assert.is(code, 0, stdout)
    assert.equal(JSON.parse(stdout), { success: true, data: { written, overwritten: [], methods, patterns } })
    const { data } = JSON.parse((await fw(["routes", "--json"], { cwd })).stdout)
    const expected = methods.flatMap((method) => patterns.map((pattern) => `${method} ${pattern}`))
    const found = data.routes.map((route: { method: string; pattern: string }) => `${route.method} ${route.pattern}`)
    assert.equal(found.sort(), expected.sort())
  })
}

const refused: ReadonlyArray<readonly [args: string[], code: number, message: RegExp]> = [
  [["api/users"], 1, /begins with api, which fw adds itself\n {2}Write users\./],
  [["//users"], 1, /begins with two slashes\n {2}Write users\./],
  [["../users"], 1, /leads to another directory/],
  [["users/route.ts"], 1, /is the name of a file/],
  [["[id]/[id]"], 1, /has the parameter "id" twice/],
  [["users", "-m", "GTE"], 2, /--methods cannot be "GTE"[\s\S]*Did you mean "GET"\?/],
  [["users", "-m", ""], 2, /--methods cannot be ""/],
  [[], 2, /needs <path>/],
]
for (const [args, expected, message] of refused) {
  test(`fw generate route ${args.join(" ") || "without a path"} is refused`, async () => {
    const cwd = project(pack)
    const { code, stderr } = await generate(cwd, ...args)
    assert.is(code, expected)
    assert.match(stderr, message)
    assert.not(existsSync(join(cwd, "app")))
  })
}

test("an existing file is not overwritten without --force, and a Get next to a page is refused", async () => {
  const cwd = project({
    ...pack,
    "app/api/a/route.ts": "mine",
    "app/api/b/page.tpl": "template Page() { <p>x</p> }\n",
  })
  const there = await generate(cwd, "a")
  assert.is(there.code, 1)
  assert.match(there.stderr, "app/api/a/route.ts already exists")
  assert.is(readFileSync(join(cwd, "app/api/a/route.ts"), "utf8"), "mine")
  assert.is((await generate(cwd, "a", "--force")).stdout.split("\n")[0], "  overwritten  app/api/a/route.ts")
  const page = await generate(cwd, "b")
  assert.match(page.stderr, /app\/api\/b\/page\.tpl and app\/api\/b\/route\.ts both claim GET \/api\/b/)
  assert.is((await generate(cwd, "b", "-m", "POST")).code, 0)
})

test("--app-dir chooses another route directory, and a directory that is not a project is refused", async () => {
  const cwd = project({ ...pack, "src/routes/x/page.tpl": "template Page() {}" })
  assert.is((await generate(cwd, "a", "-d", "src/routes")).code, 0)
  assert.ok(existsSync(join(cwd, "src/routes/api/a/route.ts")))
  const nowhere = await generate(project({}), "a")
  assert.match(nowhere.stderr, 'neither a directory "app" nor a package.json')
})

test.run()
