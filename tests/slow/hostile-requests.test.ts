/**
 * Tests with thousands of hostile requests over sockets: none reaches a file outside a static directory, passes a
 * guard, or is read as two requests. The random generators have seeds, and `HOSTILE_COUNT` sets the number of
 * requests.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type Context, proxy } from "../../lib/index.ts"
import { Wire, watchProcess } from "../support/adapters/node/wire.ts"
import { spellings } from "../support/lib/spellings.ts"
import { random } from "../support/random.ts"

process.env.FW_LOG_LEVEL = "off"
const seen = watchProcess()
const count = Number(process.env.HOSTILE_COUNT ?? 3000)
const canary = "canary-of-a-secret-file"

const directory = mkdtempSync(join(tmpdir(), "fw-hostile-"))
test.after(() => rmSync(directory, { recursive: true }))
mkdirSync(join(directory, "public", "sub"), { recursive: true })
for (const file of ["secret.txt", "public/.env", "public/.git", "public/sub/.secret"])
  writeFileSync(join(directory, file), canary)
writeFileSync(join(directory, "public/page.txt"), "page")
symlinkSync("../secret.txt", join(directory, "public/link.txt"))
symlinkSync("..", join(directory, "public/up"))
symlinkSync("/etc/passwd", join(directory, "public/passwd.txt"))

/** Returns the responses to requests, each on its own connection, some dozens at once. */
async function answersTo(app: App, requests: readonly string[]): Promise<string[]> {
  const answers: string[] = []
  const next = requests.entries()
  const send = async () => {
    for (const [index, text] of next) {
      const wire = await Wire.open(app.addr)
      wire.send(text)
      // A connection that stays open gets one more request, whose answer closes it.
      if (!text.includes("Connection: close")) {
        await wire.until("\r\n\r\n")
        wire.send(get("/last"))
      }
      await wire.end()
      answers[index] = wire.pending
    }
  }
  await Promise.all(Array.from({ length: 32 }, send))
  return answers
}

const get = (target: string, ...headers: string[]) =>
  `${[`GET ${target} HTTP/1.1`, "Host: a", "Connection: close", ...headers].join("\r\n")}\r\n\r\n`
const readStatus = (answer: string) => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0)

/** Returns the number of responses by status. Fails for a status of 500, and for a missing response. */
function tally(answers: readonly string[]): string {
  const counts = new Map<number, number>()
  for (const answer of answers) counts.set(readStatus(answer), (counts.get(readStatus(answer)) ?? 0) + 1)
  assert.is(counts.get(500), undefined)
  assert.is(counts.get(0), undefined, "a request got no answer")
  return [...counts]
    .sort()
    .map(([status, times]) => `${times} × ${status}`)
    .join(", ")
}

/** Returns targets with `..` segments, each a random sequence of pieces that ends in an existing name. */
function climbing(): string[] {
  const { below, pick } = random(1)
  const ups = [
    "..",
    "%2e%2e",
    ".%2e",
    "%2E.",
    "%252e%252e",
    "..%00",
    "..;",
    "...",
    "....",
    "%c0%ae%c0%ae",
    "..%5c",
    "up",
    ".",
  ]
  const slashes = ["/", "//", "%2f", "%2F", "%5c", "\\", "%252f", "/./", ";/", "%c0%af"]
  const names = [
    "secret.txt",
    ".env",
    "%2eenv",
    ".git",
    "sub/.secret",
    "link.txt",
    "passwd.txt",
    "etc/passwd",
    "up/secret.txt",
    "page.txt/../.env",
  ]
  const ends = ["", "/", "?x", "#x", "%00", "%00.txt", ".", "%20", ";", "::$DATA"]
  return Array.from({ length: count }, () => {
    let target = pick(["/static", "/static/sub", "", "http://a/static", "/static/x"]) + pick(slashes)
    for (let left = below(6); left > 0; left--) target += pick(ups) + pick(slashes)
    return target + pick(names) + pick(ends)
  })
}

test("no target reads a file outside a static directory, a dotfile, or the target of a link out of it", async () => {
  const app = new App({ logger: false })
  app.static("/static", join(directory, "public"))
  await app.listen("127.0.0.1:0")
  assert.match(String(await answersTo(app, [get("/static/page.txt")])), /page$/)
  const targets = climbing()
  const answers = await answersTo(
    app,
    targets.map((target) => get(target)),
  )
  await app.shutdown()
  for (const [index, answer] of answers.entries())
    assert.not.match(answer, new RegExp(`${canary}|root:`), `${targets[index]}`)
  console.log(`targets that climb: ${tally(answers)}`)
})

const headerTricks = [
  "X-Original-URL: /admin/secret",
  "X-Rewrite-URL: /admin/secret",
  "X-HTTP-Method-Override: GET",
  "X-Middleware-Subrequest: proxy",
  "X-Forwarded-Prefix: /admin",
  "Forwarded: host=admin",
  "Upgrade: websocket",
]

/** Guards of `/admin`, each set in another way. */
const guards: ReadonlyArray<readonly [name: string, guard: (app: App, secret: (c: Context) => Response) => void]> = [
  [
    "a proxy",
    (app, secret) => {
      app.setProxy(() => proxy.responseJSON(401, {}), { matchers: ["/admin/*"] })
      app.get("/admin/secret", secret)
    },
  ],
  [
    "a proxy with repeated parameters",
    (app, secret) => {
      app.setProxy(() => proxy.responseJSON(401, {}), { matchers: ["/:a*/secret/:b*"] })
      app.get("/admin/secret", secret)
    },
  ],
  [
    "a group",
    (app, secret) =>
      app.group("/admin", (group) => {
        group.use(() => (c) => c.noContent())
        group.get("/secret", secret)
      }),
  ],
  [
    "a check of c.path",
    (app, secret) => {
      app.use((next) => (c) => (c.path.startsWith("/admin") ? c.noContent() : next(c)))
      app.get("/admin/secret", secret)
    },
  ],
]

for (const [name, guard] of guards) {
  test(`no spelling of a path bypasses ${name}`, async () => {
    const app = new App({ logger: false })
    guard(app, (c) => c.string(200, canary))
    app.get("/open/{x}", (c) => c.string(200, "open"))
    await app.listen("127.0.0.1:0")
    const targets = [...spellings("/admin/secret"), ...spellings("/open/../admin/secret")]
    const requests = [
      ...targets.flatMap((target) => [get(target), get(`http://a${target}`), get(target).replace("GET", "HEAD")]),
      ...headerTricks.flatMap((header) => ["/open/1", "/", "/admin/secret"].map((target) => get(target, header))),
    ]
    const answers = await answersTo(app, requests)
    await app.shutdown()
    for (const [index, answer] of answers.entries()) assert.not.match(answer, canary, requests[index] ?? "")
    console.log(`${name}: ${tally(answers)}`)
  })
}

/**
 * Returns requests with different spellings of Transfer-Encoding together with Content-Length, before a second
 * request that only a wrong parser finds.
 */
function smuggling(): string[] {
  const { pick } = random(2)
  const names = [
    "Transfer-Encoding",
    "transfer-encoding",
    "Transfer-Encoding ",
    " Transfer-Encoding",
    "X\r\nTransfer-Encoding",
    "Transfer-Encoding\t",
  ]
  const values = [
    "chunked",
    "Chunked",
    "chunked ",
    "\tchunked",
    "\x0bchunked",
    "xchunked",
    "chunked, identity",
    "identity, chunked",
    "gzip, chunked",
    "chunked, chunked",
    ",chunked",
    "chunked,",
    "",
    '"chunked"',
    "chunked;x",
    "\r\n chunked",
    "chunked\x00",
    "cow",
  ]
  const lengths = [
    "Content-Length: 5",
    "Content-Length: +5",
    "Content-Length: 5, 5",
    "Content-Length: 0x5",
    "Content-Length:\t5",
    "Content-Length: 4\r\nContent-Length: 5",
    "content-length: 5",
  ]
  return Array.from({ length: count }, (_, index) => {
    const inner = `GET /smuggled?${index} HTTP/1.1\r\nHost: a\r\n\r\n`
    const lines = [`${pick(names)}:${pick(["", " "])}${pick(values)}`, pick(lengths)]
    if (pick([true, false])) lines.reverse()
    const body = pick([`0\r\n\r\n${inner}`, `5\r\n${inner}`, `0;x=y\r\n\r\n${inner}`, `00\r\n\r\n${inner}`])
    return `POST /first HTTP/1.1\r\nHost: a\r\n${lines.join("\r\n")}\r\n\r\n${body}`
  })
}

test("no framing of a body makes one request be read as two", async () => {
  const app = new App({ logger: false })
  const smuggled: string[] = []
  app.get("/smuggled", (c) => {
    smuggled.push(c.search)
    return c.noContent()
  })
  app.post("/first", async (c) => c.string(200, await c.text()))
  await app.listen("127.0.0.1:0")
  const requests = smuggling()
  const answers = await answersTo(app, requests)
  await app.shutdown()
  assert.equal(
    smuggled.map((query) => requests[Number(query.slice(1))]),
    [],
  )
  await app.listen("127.0.0.1:0")
  const valid = "POST /first HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"
  await answersTo(app, [`${valid}GET /smuggled?valid HTTP/1.1\r\nHost: a\r\n\r\n`])
  await app.shutdown()
  assert.equal(smuggled, ["?valid"], "the test does not notice a second request")
  console.log(`bodies with two lengths: ${tally(answers)}`)
})

test("these tests cause no unhandled rejection, uncaught exception or warning", () => assert.equal(seen, []))

test.run()
