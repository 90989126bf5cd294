/** Tests of the file that `fw dev` writes for other programs, and of the status that they can request. */
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { DevStatus } from "../../../bin/dev/tools/status.ts"
import { type DevFile, readDevFile, toLocalOrigin } from "../../../bin/project/dev-file.ts"
import { ask, makeProject, route, startDev } from "../../support/bin/dev/dev-project.ts"

const path = ".fw/dev.json"
const file = suite("fw dev: dev.json")

file(
  "dev.json is readable only by its owner, exists while fw dev runs, and contains the address of fw dev",
  async () => {
    const root = makeProject({ "app/api/route.ts": route("one") })
    const dev = startDev(root)
    const port = await dev.port()
    const found: DevFile = JSON.parse(readFileSync(join(root, path), "utf8"))
    assert.is(found.address, `http://127.0.0.1:${port}`)
    assert.is(found.pid, dev.child.pid)
    assert.match(found.token, /^[\w-]{40,}$/)
    if (process.platform !== "win32") assert.is(statSync(join(root, path)).mode & 0o777, 0o600)
    assert.equal(await readDevFile(root), found)
    await dev.stop()
    assert.not.ok(existsSync(join(root, path)))
  },
)

const valid = { address: "http://127.0.0.1:3000", pid: process.pid, token: "secret" }
for (const [what, content, isFound] of [
  ["the process of the file runs", valid, true],
  ["the process of the file has ended", { ...valid, pid: 2 ** 30 }, false],
  ["the address is another machine's", { ...valid, address: "http://192.0.2.1:3000" }, false],
  ["the address is a name", { ...valid, address: "http://localhost.example:3000" }, false],
  ["the address has a path", { ...valid, address: "http://127.0.0.1:3000/x" }, false],
  ["the address has a user", { ...valid, address: "http://a@127.0.0.1:3000" }, false],
  ["the address has another protocol", { ...valid, address: "ftp://127.0.0.1:3000" }, false],
  ["a part is missing", { address: valid.address, pid: valid.pid }, false],
  ["the process id stands for several processes", { ...valid, pid: -1 }, false],
  ["the file does not contain an object", null, false],
] as const) {
  file(`dev.json is ${isFound ? "used" : "ignored"} if ${what}`, async () => {
    const root = makeProject({ [path]: JSON.stringify(content) })
    assert.equal(await readDevFile(root), isFound ? valid : null)
  })
}

for (const [bound, origin] of [
  ["0.0.0.0", "http://127.0.0.1:80"],
  ["::", "http://[::1]:80"],
  ["192.0.2.7", "http://192.0.2.7:80"],
] as const) {
  file(`a server on ${bound} is reached at ${origin}`, () =>
    assert.is(toLocalOrigin({ address: bound, port: 80 }), origin),
  )
}

file.run()

const status = suite("fw dev: status")
const bug = `import type { Context } from "fw"
export function Get(c: Context): Response {
  console.log("key", process.env.API_KEY, process.env.FW_SECRETS?.split(",")[1], "https://ada:pass1234@db.example/")
  throw new Error("no " + c.query("q"))
}
`
const root = makeProject({
  "app/api/route.ts": route("one"),
  "app/api/bug/route.ts": bug,
  ".env":
    "API_KEY=abc-123-def\nFW_SECRETS=the-first-secret-of-32-bytes-or-more,the-second-secret-of-32-bytes-or-more\n",
})
const dev = startDev(root)
let port = 0
let token = ""

status.before(async () => {
  port = await dev.port()
  token = (JSON.parse(readFileSync(join(root, path), "utf8")) as DevFile).token
})
status.after(async () => {
  await dev.stop()
})

async function readStatus(): Promise<DevStatus> {
  const { status, body } = await ask(port, "/__fw/status", { headers: { authorization: `Bearer ${token}` } })
  assert.is(status, 200, body)
  return JSON.parse(body)
}

for (const [what, headers] of [
  ["without a token", () => ({})],
  ["with another token", () => ({ authorization: `Bearer ${"x".repeat(token.length)}` })],
  ["with a shorter token", () => ({ authorization: `Bearer ${token.slice(1)}` })],
  ["from a page of another site", () => ({ authorization: `Bearer ${token}`, origin: "https://evil.example" })],
  ["from a cross-site script", () => ({ authorization: `Bearer ${token}`, "sec-fetch-site": "cross-site" })],
  ["for another host", () => ({ authorization: `Bearer ${token}`, host: "evil.example" })],
] as const) {
  status(`the status is refused ${what}`, async () => {
    const { status, body } = await ask(port, "/__fw/status", { headers: headers() })
    assert.is(status, 403)
    assert.not.match(body, root)
    assert.not.match(body, token)
  })
}

status("the status contains the project, and no problems at first", async () => {
  const { root: found, state, problems, warnings, errors } = await readStatus()
  assert.equal([found, state, problems, warnings, errors], [root, "running", [], [], []])
})

status(
  "the status contains the last errors with code frame and request, and the program's output, without secrets",
  async () => {
    for (const q of ["first", "second"]) await ask(port, `/api/bug?q=${q}`)
    const { errors, log, state } = await readStatus()
    assert.is(state, "running")
    assert.equal(
      errors.map(({ message, file, line, request }) => [message, file, line, request]),
      [
        ["no second", "app/api/bug/route.ts", 4, "GET /api/bug"],
        ["no first", "app/api/bug/route.ts", 4, "GET /api/bug"],
      ],
    )
    assert.match(String(errors[0]?.frame), /> 4 \|/)
    assert.match(String(errors[0]?.time), /^\d{4}-\d\d-\d\dT/)
    const lines = log.map(({ text }) => text)
    assert.ok(lines.includes("key *** *** https://***@db.example/"), lines.join("\n"))
    assert.not.match(JSON.stringify(log), /abc-123-def|the-second-secret|pass1234/)
  },
)

status("the status contains the problems of a build until they are fixed", async () => {
  writeFileSync(join(root, "app/api/route.ts"), "export function Get() { return = 1 }\n")
  await dev.says(/error: /)
  const broken = await readStatus()
  assert.is(broken.state, "failed")
  assert.equal(
    broken.problems.map(({ file, line }) => [file, line]),
    [["app/api/route.ts", 1]],
  )
  writeFileSync(join(root, "app/api/route.ts"), route("two"))
  await dev.says(/rebuilt in/)
  assert.equal((await readStatus()).problems, [])
})

status("the status contains a limited number of errors and lines", async () => {
  for (let i = 0; i < 60; i++) await ask(port, `/api/bug?q=${"x".repeat(3000)}`)
  const { errors, log } = await readStatus()
  assert.is(errors.length, 50)
  assert.ok(log.length <= 500)
  assert.ok(errors.every(({ message }) => message.length < 2100))
})

status.run()
