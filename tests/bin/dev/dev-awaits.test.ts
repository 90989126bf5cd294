/** Tests of promises in `fw dev` that reject while nothing awaits them. */
import { execFileSync } from "node:child_process"
import { open } from "node:fs/promises"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { ask, oneDev, write } from "../../support/bin/dev/dev-project.ts"

const test = suite("fw dev: forgotten await")

const bodies = `import type { Context } from "fw"

const user = { "~standard": { version: 1, vendor: "test", validate: () => ({ issues: [{ message: "no" }] }) } } as const

export function Post(c: Context) {
  void c.bind()
  return c.noContent()
}

export function Put(c: Context) {
  const form = c.bindForm(user)
  return c.json(200, { name: typeof form })
}

export async function Patch(c: Context) {
  const body = c.bind()
  await new Promise((resolve) => setTimeout(resolve))
  return c.json(200, { error: await body.then(() => "", String) })
}
`

const floating = (message: string) => `import { readFile } from "node:fs/promises"
import { type Context, HttpError } from "fw"

async function check() {
  await readFile("queue")
  throw new HttpError(403, "${message}")
}

export function Get(c: Context) {
  void check()
  return c.noContent()
}
`

const one = oneDev(test, { "app/api/route.ts": bodies, "app/floating/route.ts": floating("first") }, [
  "fw",
  "esbuild",
  "typescript",
])

const broken = {
  headers: { "content-type": "application/json" },
  body: "{",
}

test("a body that is never awaited is reported with the position of its call, and a body that is awaited late is not", async () => {
  const late = await ask(one.port, "/api", { ...broken, method: "PATCH" })
  assert.match(late.body, "HttpError")
  assert.is((await ask(one.port, "/api", { ...broken, method: "POST" })).status, 204)
  const [text] = await one.dev.says(/error: [\s\S]*?is an await missing\?.*\n/i)
  assert.match(text, "app/api/route.ts:6:10")
  assert.match(text, "> 6 |   void c.bind()")
  assert.not.match(text, "route.ts:16")
  const form = { ...broken, headers: { "content-type": "application/x-www-form-urlencoded" }, body: "a=1" }
  assert.is((await ask(one.port, "/api", { ...form, method: "PUT" })).status, 200)
  assert.match((await one.dev.says(/error: [\s\S]*?is an await missing\?.*\n/i))[0], "app/api/route.ts:11:")
  assert.not.match(one.dev.output, "starts the program again")
})

test("an unhandled rejection ends the program and is shown with the source that ran, and the program can be started again", async () => {
  execFileSync("mkfifo", [join(one.root, "queue")])
  assert.is((await ask(one.port, "/floating")).status, 204)
  const queue = await open(join(one.root, "queue"), "w")
  // This program cannot be built, so the program that runs stays.
  write(one.root, { "app/floating/route.ts": `// a line\n${floating("second")}}` })
  await one.dev.says(/error: Unexpected[\s\S]*?route\.ts:14:1\n/)
  await queue.close()
  const [text] = await one.dev.says(/error: HttpError[\s\S]*?is an await missing\?.*\n/i)
  assert.match(text, "app/floating/route.ts:6:9")
  assert.match(text, '> 6 |   throw new HttpError(403, "first")')
  write(one.root, { "app/floating/route.ts": floating("third") })
  await one.dev.says(/rebuilt in/)
  assert.is((await ask(one.port, "/api", { ...broken, method: "PATCH" })).status, 200)
})

test.run()
