/** Tests of `/__fw/` in `fw dev`: what it shows of requests, what its buttons do, and who may use it. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import type { OneRequest, RequestList } from "../../../../bin/commands/requests.ts"
import { fw } from "../../../support/bin/cli/command.ts"
import { type Asking, ask, type Dev, makeProject, startDev } from "../../../support/bin/dev/dev-project.ts"
import { until } from "../../../support/store/until.ts"

const test = suite("fw dev: requests")
const secret = "correct-horse"
const root = makeProject({
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "main.ts":
    'import { App, ipRestriction } from "fw"\nconst app = new App()\napp.use(ipRestriction({ deny: ["203.0.113.7"] }))\nexport default app\n',
  "app/middleware.ts": `import type { MiddlewareFunc } from "fw"
export function Middleware(): MiddlewareFunc {
  return (next) => async (c) => next(c)
}
`,
  "app/admin/middleware.ts": `import { HttpError, type MiddlewareFunc } from "fw"
export function Middleware(): MiddlewareFunc {
  return () => async () => new HttpError(403, "only for admins")
}
`,
  "app/admin/page.tpl": 'export const title = "Admin"\n\ntemplate Page() {\n  <h1>Admin</h1>\n}\n',
  "app/api/orders/route.ts": `import type { Context } from "fw"
import { memoryStore } from "fw/store"
const store = memoryStore()
const schema = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value: value as { name: string } }) } } as const
export async function Post(c: Context) {
  const order = await c.bind(schema)
  for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate)
  c.log.info("order placed", { name: order.name, password: "${secret}" })
  console.log("printed by the program")
  await c.span("save it", () => store.kv.set("orders:7", order.name))
  return c.json(201, { id: 7 })
}
export function Get(): never {
  throw new Error("no orders")
}
`,
  "static/app.txt": "a file",
})
let dev: Dev
let port = 0
const send = (path: string, asking?: Asking) => ask(port, path, asking)
const show = async (...args: string[]) => {
  const { stdout, stderr, code } = await fw(["requests", "--json", ...args], { cwd: root, env: {} })
  const { success, data, error } = JSON.parse(stdout) as { success: boolean; data: unknown; error: { code: string } }
  assert.is(code, success ? 0 : 1, stderr)
  return success ? data : error.code
}
/** Sends a request, and returns everything that is stored about it once it is complete. */
async function inspect(path: string, asking?: Asking, isComplete = (_: OneRequest) => true): Promise<OneRequest> {
  await send(path, asking)
  const { requests } = (await show("--limit", "1", "--files")) as RequestList
  let found: OneRequest | undefined
  await until(async () => {
    found = JSON.parse((await send(`/__fw/requests?request=${requests[0]?.id}`)).body) as OneRequest
    return found.ms !== null && isComplete(found)
  })
  return found as OneRequest
}
const order: Asking = {
  method: "POST",
  headers: { "content-type": "application/json", cookie: `sid=${secret}` },
  body: JSON.stringify({ name: "Ada", password: secret }),
}

test.before(async () => {
  dev = startDev(root)
  port = await dev.port()
})
test.after(async () => {
  assert.is(await dev.stop(), 0)
})

test("a request shows what the program did, in order, without its secrets", async () => {
  const { parts, answeredBy, pattern, status, body, headers, ...rest } = await inspect("/api/orders?token=abc", order)
  assert.equal(
    [status, pattern, answeredBy, rest.url],
    [201, "/api/orders", "handler app/api/orders/route.ts", "/api/orders?token=***"],
  )
  assert.equal(
    parts.map(({ depth, kind, name }) => `${depth} ${kind} ${name}`),
    [
      '0 middleware main.ts:3 app.use(ipRestriction({ deny: ["203.0.113.7"] }))',
      "1 middleware app/middleware.ts",
      "2 handler app/api/orders/route.ts",
      "3 validation body",
      "3 log info: order placed",
      "3 log printed by the program",
      "3 span save it",
      "4 store kv.set",
    ],
  )
  assert.is(parts.find(({ kind }) => kind === "store")?.detail, "orders")
  assert.is(body.text, '{\n  "name": "Ada",\n  "password": "***"\n}')
  assert.equal(
    headers.find(([name]) => name === "cookie"),
    ["cookie", "sid=***"],
  )
  assert.not.ok(JSON.stringify([parts, body, headers, rest]).includes(secret))
  assert.match(String(rest.routing), "Post of app/api/orders/route.ts")
})

test("the browser's own tools get the times, and the program does not see the parent's headers", async () => {
  const { headers } = await send("/api/orders", order)
  assert.match(
    String(headers["server-timing"]),
    /^validation__body;desc="validation: body";dur=[\d.]+, .*store;dur=.*desc="handler: app\/api\/orders\/route.ts";dur=/,
  )
})

test("a refused request shows the middleware that answered, its error, and the handler that did not run", async () => {
  const { answeredBy, status, parts, routing } = await inspect("/admin")
  assert.equal(
    [status, answeredBy, parts.at(-1)?.error],
    [403, "middleware app/admin/middleware.ts", "only for admins"],
  )
  assert.match(String(routing), "the page app/admin/page.tpl")
})

test("a bug is shown with its lines of code", async () => {
  const { errors, problems } = await inspect("/api/orders", {}, ({ errors }) => errors.length > 0)
  assert.equal([problems, errors[0]?.message, errors[0]?.file], [1, "no orders", "app/api/orders/route.ts"])
  assert.match(String(errors[0]?.frame), '> 14 |   throw new Error("no orders")')
})

test("requests for static files are listed only with --files", async () => {
  assert.is((await inspect("/static/app.txt")).isFile, true)
  const [without, all] = [(await show()) as RequestList, (await show("--files")) as RequestList]
  assert.is(all.total, without.total + 1)
  assert.is(all.requests[0]?.url, "/static/app.txt")
  assert.is(await show("4711"), "no_request")
})

test("fw requests prints a list of requests, or one request", async () => {
  const [list, one] = await Promise.all(
    [["--limit", "2"], ["1"]].map((args) => fw(["requests", ...args], { cwd: root, env: {} })),
  )
  assert.match(
    list?.stdout ?? "",
    /^ *4 .* 500 .* GET \/api\/orders \(1 problem\)\n *3 .* 403 .* GET \/admin\nShown: 2 of 4\. For older ones, pass --offset 2\.\n$/,
  )
  assert.match(
    one?.stdout ?? "",
    /^POST \/api\/orders\?token=\*\*\*\nAnswer: 201 in .*\nAnswered by: handler app\/api\/orders\/route\.ts\nRoute: \/api\/orders\nType: /,
  )
  assert.not.match(one?.stdout ?? "", secret)
})

const click = (path: string) =>
  send(path, { method: "POST", headers: { origin: `http://127.0.0.1:${port}`, host: `127.0.0.1:${port}` } })

test("a replay sends the request again with its secrets, to the current program", async () => {
  const answer = await click("/__fw/requests/replay?request=1")
  assert.is(answer.status, 303)
  const id = /request=(\d+)/.exec(String(answer.headers.location))?.[1]
  const again = JSON.parse((await send(`/__fw/requests?request=${id}`)).body) as OneRequest
  assert.equal([again.status, again.replayOf, again.method, again.url], [201, 1, "POST", "/api/orders?token=***"])
  assert.equal(again.body.text, '{\n  "name": "Ada",\n  "password": "***"\n}')
  assert.match((await send(String(answer.headers.location))).body, "<dt>Replay</dt><dd>of request 1</dd>")
})

test("the button for a test writes a test file that passes", async () => {
  const answer = await click("/__fw/requests/test?request=1")
  assert.match(String(answer.headers.location), "did=Written%3A+tests%2Fpost-api-orders.test.ts")
  assert.not.ok(readFileSync(join(root, "tests/post-api-orders.test.ts"), "utf8").includes(secret))
  const { code, stdout, stderr } = await fw(["test"], { cwd: root, env: {} })
  assert.is(code, 0, stdout + stderr)
  assert.match(String((await click("/__fw/requests/test?request=1")).headers.location), "post-api-orders-2.test.ts")
})

test("the page of requests escapes what clients send, and lists static files on demand", async () => {
  await send('/<script>alert("1")</script>')
  const { body, headers } = await send("/__fw/")
  assert.not.ok(body.includes("<script>alert"))
  assert.match(body, "&#60;script&#62;alert")
  assert.not.match(body, "/static/app.txt")
  assert.match((await send("/__fw/?files=1")).body, "/static/app.txt")
  assert.match(String(headers["content-security-policy"]), "default-src 'none'")
  assert.match((await send("/__fw/inspector.js")).headers["content-type"] ?? "", "text/javascript")
  assert.equal([(await send("/__fw")).status, (await send("/__fw")).headers.location], [303, "/__fw/"])
})

const refused: readonly (readonly [path: string, asking: Asking, status: number])[] = [
  ["/__fw/", { headers: { "sec-fetch-site": "cross-site" } }, 403],
  ["/__fw/requests", { headers: { host: "evil.example" } }, 403],
  ["/__fw/requests/replay?request=1", { method: "POST" }, 403],
  ["/__fw/requests/replay?request=1", { method: "POST", headers: { origin: "https://evil.example" } }, 403],
  ["/__fw/requests/replay?request=1", {}, 403],
  ["/__fw/nothing", {}, 404],
  ["/__fw/", { method: "POST" }, 405],
]
for (const [path, asking, status] of refused) {
  test(`${asking.method ?? "GET"} ${path} with ${JSON.stringify(asking.headers ?? {})} is answered ${status}`, async () => {
    assert.is((await send(path, asking)).status, status)
  })
}

test.run()
