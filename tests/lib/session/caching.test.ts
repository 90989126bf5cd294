/** Tests that a session's cookie is never sent with an answer that a shared cache may give to other people. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, type Context, etag, type MiddlewareFunc } from "../../../lib/index.ts"
import { session } from "../../../lib/session.ts"
import { memoryStore } from "../../../lib/store/memory.ts"

process.env.FW_SECRETS = "a secret for tests of 32 bytes or more"

const future = "Fri, 01 Jan 2100 00:00:00 GMT"
const setting =
  (headers: Readonly<Record<string, string>>, when: "before" | "after"): MiddlewareFunc =>
  (next) =>
  async (c) => {
    if (when === "before") for (const [name, value] of Object.entries(headers)) c.setHeader(name, value)
    const response = await next(c)
    if (when === "after") for (const [name, value] of Object.entries(headers)) c.setHeader(name, value)
    return response
  }

type Place = "outside, before next()" | "outside, after next()" | "inside, before next()" | "inside, after next()"
const places: readonly Place[] = [
  "outside, before next()",
  "outside, after next()",
  "inside, before next()",
  "inside, after next()",
]

/** Returns an app whose answers have headers for caches, and a visitor who signed in an hour ago. */
async function visitor(headers: Readonly<Record<string, string>>, place: Place, act?: (c: Context) => unknown) {
  const app = new App({ logger: false, staticDir: "tests/fixtures/contract/static" })
  const when = place.endsWith("before next()") ? "before" : "after"
  const only: MiddlewareFunc = (next) => {
    const set = setting(headers, when)(next)
    return (c) => (c.method === "POST" ? next(c) : set(c))
  }
  const sessions = session({ store: memoryStore(), idle: 7200, lifetime: 7200 })
  if (place.startsWith("outside")) app.use(only, sessions)
  else app.use(sessions, only)
  app.post("/login", (c) => {
    c.session.signIn("ada")
    return c.noContent()
  })
  app.get("/page", (c) => {
    act?.(c)
    return c.json(200, [])
  })
  app.get("/tagged", etag(), (c) => c.json(200, []))
  app.get("/plain", (c) => c.noContent())
  const signIn = await app.request("/login", { method: "POST" })
  const cookie = signIn.headers.getSetCookie()[0]?.split(";")[0] ?? ""
  const later = async (path: string, more: Record<string, string> = {}) => {
    const now = Date.now
    Date.now = () => now() + 3_600_000
    try {
      return await app.request(path, { headers: { cookie, ...more } })
    } finally {
      Date.now = now
    }
  }
  return { app, later }
}

/**
 * Returns true if a shared cache may store an answer with a cookie, which is the mistake that these tests look for.
 */
function leaks({ headers }: Response): boolean {
  const control = headers.get("cache-control") ?? ""
  return headers.getSetCookie().length > 0 && !/\b(?:private|no-store)\b/.test(control)
}

const shared: ReadonlyArray<Readonly<Record<string, string>>> = [
  { "Cache-Control": "public, s-maxage=600" },
  { "Cache-Control": "public" },
  { "Cache-Control": "max-age=60" },
  { "Cache-Control": "Max-Age=60, must-revalidate" },
  { "Cache-Control": "s-maxage=60, max-age=0" },
  { "Cache-Control": "immutable" },
  { Expires: future },
  { "CDN-Cache-Control": "max-age=60" },
  { "Cache-Control": "private", "CDN-Cache-Control": "max-age=60" },
  { "Surrogate-Control": "max-age=60" },
]
for (const headers of shared)
  for (const place of places) {
    const title = `${JSON.stringify(headers)} ${place}`
    test(`a later answer has no cookie, and is unchanged with ${title}`, async () => {
      const { later } = await visitor(headers, place)
      const page = await later("/page")
      assert.equal(page.headers.getSetCookie(), [])
      for (const [name, value] of Object.entries(headers)) assert.is(page.headers.get(name), value)
    })
    test(`a sign-in with ${title} makes the answer private`, async () => {
      const { later } = await visitor(headers, place, (c) => c.session.signIn("bob"))
      const page = await later("/page")
      assert.is(page.headers.getSetCookie().length, 1)
      assert.not.ok(leaks(page))
      assert.not.match(page.headers.get("cache-control") ?? "", /public|s-maxage/)
      assert.is(page.headers.get("vary"), "Cookie")
    })
  }

const others: ReadonlyArray<readonly [headers: Readonly<Record<string, string>>, control: string | null]> = [
  [{}, null],
  [{ "Cache-Control": "private, max-age=60" }, "private, max-age=60"],
  [{ "Cache-Control": "no-store" }, "no-store"],
  [{ "Cache-Control": "no-cache" }, "private, no-cache"],
  [{ "Cache-Control": "public, max-age=60, no-store" }, "public, max-age=60, no-store"],
  [{ Expires: "0" }, "private"],
  [{ ETag: '"a"' }, "private"],
]
for (const [headers, control] of others)
  test(`the cookie of a sign-in is sent with ${JSON.stringify(headers)}`, async () => {
    const { later } = await visitor(headers, "outside, before next()", (c) => c.session.signIn("bob"))
    const page = await later("/page")
    assert.is(page.headers.getSetCookie().length, 1)
    assert.is(page.headers.get("cache-control"), control)
  })

const uses: ReadonlyArray<readonly [name: string, act: (c: Context) => unknown, vary: string | null]> = [
  ["a value", (c) => c.session.get("cart"), "Cookie"],
  ["the subject", (c) => c.session.subject, "Cookie"],
  ["messages", (c) => c.session.flashed(), "Cookie"],
  ["nothing", () => undefined, null],
]
for (const [name, act, vary] of uses)
  test(`the answer of a handler that reads ${name} of the session has ${vary ?? "nothing"} in Vary`, async () => {
    const { app } = await visitor({ "Cache-Control": "public, max-age=60" }, "inside, before next()", act)
    const page = await app.request("/page")
    assert.is(page.headers.get("vary"), vary)
    assert.is(page.headers.get("cache-control"), "public, max-age=60")
  })

test.run()
