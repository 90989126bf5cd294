/**
 * Tests of the tools for a running `fw dev`, for tests and for the documentation, and of the documentation as
 * resources.
 */

import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { callTool, type MCPTool } from "../../bin/mcp/tool.ts"
import { listTools } from "../../bin/mcp/tools.ts"
import { commands } from "../../bin/table.ts"
import { fakeIo, program } from "../support/bin/cli/command.ts"
import { makeProject, route, startDev, write } from "../support/bin/dev/dev-project.ts"

const routes = `import type { Context } from "fw"
export function Get(c: Context): Response {
  if (c.query("q") === "bug") throw new Error("broken")
  if (c.query("q") === "away") return c.redirect(302, "http://192.0.2.1/")
  if (c.query("q") === "bytes") return c.blob(200, "image/png", new Uint8Array([0, 255, 1]))
  return c.string(200, "0123456789".repeat(Number(c.query("n") || 1)))
}
export async function Post(c: Context): Promise<Response> {
  c.setCookie({ name: "a", value: "1" })
  c.setCookie({ name: "b", value: "2" })
  return c.json(201, { header: c.header("x-own"), body: await c.text(), host: c.header("host") })
}
`
const stream = `import type { Context } from "fw"
export function Get(c: Context): Response {
  const body = new ReadableStream({ start: (out) => out.enqueue(new TextEncoder().encode("first ")) })
  return new Response(body, { headers: { "content-type": "text/event-stream" } })
}
`
const account = `import { type Context, csrf } from "fw"
export const Get = (c: Context): Response => c.json(200, { cookie: c.header("cookie"), site: c.header("sec-fetch-site"), origin: c.header("origin") })
export const Post = csrf()((c: Context): Response => {
  c.setCookie({ name: "session", value: "s1", secure: true, httpOnly: true, maxAge: c.query("out") === "" ? 60 : -1 })
  return c.json(200, { origin: c.header("origin") === "http://" + c.header("host") })
})
`
const test = "import { test } from 'node:test'\ntest('ok', () => {})\ntest('not ok', () => { throw new Error('x') })\n"
const root = makeProject({
  "app/api/route.ts": routes,
  "app/account/route.ts": account,
  "app/api/stream/route.ts": stream,
  "tests/a.test.ts": test,
})
const tools = listTools(commands)

async function call(name: string, given: Record<string, unknown> = {}, cwd = root) {
  const tool = tools.find((one) => one.name === name) as MCPTool
  return callTool(tool, given, fakeIo({ cwd, env: process.env }).io)
}

async function failed(name: string, given: Record<string, unknown>, cwd = root): Promise<string> {
  try {
    await call(name, given, cwd)
  } catch (error) {
    return (error as { code: string }).code
  }
  return "none"
}

const running = suite("mcp: a running fw dev")
const dev = startDev(root)

running.before(async () => {
  await dev.port()
})
running.after(async () => {
  await dev.stop()
})

running("fw_request sends a request to fw dev, and returns its answer in parts", async () => {
  const whole = (await call("fw_request", { path: "/api" })).data
  assert.is(whole.status, 200)
  assert.match(String((whole.headers as Record<string, string>)["content-type"]), "text/plain")
  assert.equal([whole.isText, whole.total, whole.complete], [true, 10, true])
  assert.is(whole.body, "0123456789")
  const { data, text } = await call("fw_request", { path: "/api?n=5", limit: 5, offset: 8 })
  assert.equal([data.body, data.total, data.offset], ["89012", 50, 8])
  assert.match(text, "For the next ones, pass --offset 13.")
})

running("fw_request sends method, headers and body, and returns all headers with the same name", async () => {
  const given = {
    path: "/api",
    method: "post",
    headers: ["X-Own: yes", "content-type: text/plain"],
    body: "hello",
  }
  const { data } = await call("fw_request", given)
  const { host, ...answer } = JSON.parse(String(data.body))
  assert.equal([data.status, answer], [201, { header: "yes", body: "hello" }])
  assert.match(host, /^127\.0\.0\.1:\d+$/)
  assert.match(String((data.headers as Record<string, string>)["set-cookie"]), /^a=1.*\nb=2/)
})

running(
  "fw_request keeps cookies until they are cleared, and sends the headers that a page of the application sends",
  async () => {
    const visit = async (given: Record<string, unknown> = {}) =>
      JSON.parse(String((await call("fw_request", { path: "/account", ...given })).data.body)) as Record<
        string,
        unknown
      >
    assert.equal(await visit({ clearCookies: true }), { cookie: "", site: "same-origin", origin: "" })
    assert.equal(await visit({ method: "post" }), { origin: true })
    assert.is((await visit()).cookie, "session=s1")
    assert.is((await visit({ headers: ["Cookie: own=1"] })).cookie, "own=1; session=s1")
    await visit({ method: "POST", path: "/account?out=1" })
    assert.is((await visit()).cookie, "")
    await visit({ method: "POST" })
    assert.is((await visit({ clearCookies: true })).cookie, "")
    const headers = ["Origin: https://evil.example", "Sec-Fetch-Site: cross-site"]
    assert.is((await call("fw_request", { path: "/account", method: "POST", headers })).data.status, 403)
  },
)

running("answers that are not text, that redirect to another host or that do not end are limited", async () => {
  const bytes = (await call("fw_request", { path: "/api?q=bytes" })).data
  assert.equal([bytes.isText, bytes.body, bytes.total], [false, "", 3])
  const away = (await call("fw_request", { path: "/api?q=away" })).data
  assert.is(away.status, 302)
  const endless = (await call("fw_request", { path: "/api/stream" })).data
  assert.equal([endless.body, endless.complete], ["first ", false])
  const long = await call("fw_request", { path: "/api?n=100000", limit: 40_000 })
  assert.ok(JSON.stringify(long.data).length < 100_000)
})

for (const [what, given] of [
  ["another host", { path: "http://192.0.2.1/" }],
  ["a path without its slash", { path: "api" }],
  ["a second request", { path: "/api HTTP/1.1\r\nHost: x" }],
  ["a method of two words", { path: "/", method: "GET /" }],
  ["another host in a header", { path: "/", headers: ["Host: 192.0.2.1"] }],
  ["a header of the connection", { path: "/", headers: ["transfer-encoding: chunked"] }],
  ["a header with a line break", { path: "/", headers: ["x-a: b\r\nx-c: d"] }],
  ["a header without a value", { path: "/", headers: ["x-a"] }],
] as const)
  running(`fw_request does not send ${what}`, async () => assert.is(await failed("fw_request", given), "arguments"))

running("fw_dev_status returns the status in parts, with the errors of requests", async () => {
  for (let i = 0; i < 3; i++) await call("fw_request", { path: "/api?q=bug" })
  const { data, text } = await call("fw_dev_status", { limit: 2, offset: 1 })
  const { url, state, problems, errors, errorsTotal, offset } = data as Record<string, unknown>
  assert.match(String(url), /^http:\/\/127\.0\.0\.1:\d+\/$/)
  assert.equal([state, problems, errorsTotal, offset], ["running", [], 3, 1])
  const [first, ...rest] = errors as { message: string; file: string; line: number; request: string }[]
  assert.is(rest.length, 1)
  assert.equal(
    [first?.message, first?.file, first?.line, first?.request],
    ["broken", "app/api/route.ts", 3, "GET /api"],
  )
  assert.match(text, /> 3 \|/)
  const token = JSON.parse(readFileSync(join(root, ".fw/dev.json"), "utf8")).token as string
  assert.not.match(JSON.stringify(data) + text, token)
})

running("fw_dev_status marks errors of a program before the last rebuild", async () => {
  const marks = async () =>
    ((await call("fw_dev_status")).data.errors as { isOld: boolean }[]).map(({ isOld }) => isOld)
  assert.equal(await marks(), [false, false, false])
  write(root, { "app/later/route.ts": route("x") })
  await dev.says(/rebuilt in/)
  await call("fw_request", { path: "/api?q=bug" })
  assert.equal(await marks(), [false, true, true, true])
  assert.match((await call("fw_dev_status")).text, /Z \(of an earlier program\) error: broken/)
})

running.run()

const missing = suite("mcp: no fw dev")

missing("without a running fw dev, the tools fail and say how to start one", async () => {
  const cwd = makeProject({})
  assert.is(await failed("fw_dev_status", {}, cwd), "no_dev_server")
  assert.is(await failed("fw_request", { path: "/" }, cwd), "no_dev_server")
})

missing("no request is sent to another server at the address, or to fw dev of another project", async () => {
  const cwd = makeProject({})
  const seen: string[] = []
  const server = createServer((incoming, outgoing) => {
    seen.push(String(incoming.url))
    outgoing.end(JSON.stringify({ root: "/other", problems: [], warnings: [], errors: [], log: [] }))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const file = { address: `http://127.0.0.1:${port}`, pid: process.pid, token: "t" }
  mkdirSync(join(cwd, ".fw"))
  writeFileSync(join(cwd, ".fw/dev.json"), JSON.stringify(file))
  assert.is(await failed("fw_request", { path: "/delete" }, cwd), "no_dev_server")
  assert.equal(seen, ["/__fw/status"])
  server.close()
})

missing.run()

const daily = suite("mcp: tests and documentation")

daily("fw_test lists only the failures, in a short text", async () => {
  // The tests run in the built server, because Node 20 cannot load a reporter from a TypeScript source.
  const client = new Client({ name: "test", version: "1.0.0" })
  const args = [program, "mcp", "serve", "--workdir", root]
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }))
  const answer = await client.callTool({ name: "fw_test", arguments: {} })
  await client.close()
  const [{ text }] = answer.content as [{ text: string }]
  const { failures, ...totals } = answer.structuredContent as {
    failures: { name: string; line: number }[]
  } & Record<string, number>
  assert.equal([totals.total, totals.passed, totals.failed], [2, 1, 1])
  assert.equal(
    failures.map(({ name, line }) => [name, line]),
    [["not ok", 3]],
  )
  assert.match(text, /✗ not ok\n/)
})

daily("fw_docs finds sections, and returns them in parts", async () => {
  const { data, text } = await call("fw_docs", { query: "fw test watch", limit: 3 })
  const { hits, total } = data as { hits: { page: string; anchor: string; excerpt: string }[]; total: number }
  assert.is(hits.length, 3)
  assert.ok(total > 3)
  assert.ok(hits.some(({ page, anchor }) => page === "reference/testing.md" && anchor === "fw-test"))
  assert.match(text, "For the next ones, pass --offset 3.")
  const most = await call("fw_docs", { query: "the a of", limit: 50 })
  assert.ok(JSON.stringify(most.data).length < 60_000)
})

daily(
  "pages of the documentation are resources, which can be listed in parts and read whole or by section",
  async () => {
    const client = new Client({ name: "test", version: "1.0.0" })
    const args = [program, "mcp", "serve", "--workdir", root]
    await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: "ignore" }))
    const uris: string[] = []
    for (let cursor: string | undefined; ; ) {
      const { resources, nextCursor } = await client.listResources(cursor === undefined ? {} : { cursor })
      assert.ok(JSON.stringify(resources).length < 10_000)
      uris.push(...resources.map(({ uri }) => uri))
      cursor = nextCursor
      if (cursor === undefined) break
    }
    const page = "fw://docs/reference/testing.md"
    assert.ok(uris.includes(page))
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents as { text: string; mimeType: string }[]
      assert.is(content?.mimeType, "text/markdown")
      return content?.text ?? ""
    }
    assert.match(await read(page), /^# Testing\n/)
    assert.match(await read(`${page}#fw-test`), /^## fw test\n/)
    for (const uri of uris) assert.ok((await read(uri)).length <= 61_000, uri)
    const refused = (call: Promise<unknown>) => call.then(String, (error: Error) => error.message)
    for (const uri of ["fw://docs/../package.json", "fw://docs/none.md", `${page}#none`, "file:///etc/passwd"])
      assert.match(await refused(client.readResource({ uri })), "there is no page")
    assert.match(await refused(client.listResources({ cursor: "x" })), "cursor")
    await client.close()
  },
)

daily.run()
