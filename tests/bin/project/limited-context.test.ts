/** Tests of a context whose answer is for every client: what it refuses, and that it works as before afterwards. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { limitContext } from "../../../bin/project/limited-context.ts"
import { App } from "../../../lib/app.ts"
import type { Context } from "../../../lib/context.ts"
import { contextKey } from "../../../lib/context-key.ts"

/** Runs a function with a limited context. Returns its result or error, and what was reported. */
async function use(run: (c: Context) => unknown, hasOrigin = false) {
  const app = new App({ logger: false })
  let result: unknown
  const reported: string[] = []
  app.get("/{id}", async (c) => {
    c.set("user", "ada")
    const end = limitContext(c, hasOrigin, (name, what) => reported.push(`${name} ${what}`))
    result = await Promise.resolve()
      .then(() => run(c))
      .catch((error: Error) => error.message)
    end()
    return c.json(200, [c.header("x-a"), c.query("q"), c.get("user"), c.origin])
  })
  const answer = await app.request("/7?q=1", { headers: { "x-a": "a" } })
  assert.equal(await answer.json(), ["a", "1", "ada", "http://localhost"], "the context is still limited after the end")
  return { result, reported }
}

const team = contextKey<string>("team")

const refused: ReadonlyArray<readonly [what: string, ...uses: ((c: Context) => unknown)[]]> = [
  ["prerender.read reads a header", (c) => c.header("a"), (c) => c.isHTMX, (c) => c.isJSON],
  ["prerender.read reads a cookie", (c) => c.cookie("a"), (c) => c.cookie("a", { signed: true })],
  ["prerender.read reads the session", (c) => (c as unknown as { session: unknown }).session],
  ["prerender.read reads the messages for a visitor", (c) => c.flashed()],
  [
    "prerender.read reads the query",
    (c) => c.query("q"),
    (c) => c.queryDefault("q", ""),
    (c) => c.queryInt("q"),
    (c) => c.queryBool("q"),
    (c) => c.queryAll("q"),
    (c) => c.bindQuery(),
    (c) => c.search,
  ],
  ["prerender.read reads the client's address", (c) => c.clientIP],
  ["prerender.read reads the request", (c) => c.request.url],
  ["prerender.read reads the body", (c) => c.text(), (c) => c.form(), (c) => c.bind(), (c) => c.parts()],
  ["prerender.read sets a cookie", (c) => c.setCookie({ name: "a", value: "b" })],
  ["prerender.read leaves a message for a visitor", (c) => c.flash("saved")],
  ["prerender.read sends events", (c) => c.sse(() => {})],
  ['prerender.middleware reads "user"', (c) => c.get("user"), (c) => c.getString("user")],
  ['prerender.middleware reads "team"', (c) => team.find(c), (c) => team.get(c)],
  ["prerender.site reads the address of the site", (c) => c.origin],
]
for (const [what, ...uses] of refused) {
  for (const run of uses) {
    test(`${run} is refused`, async () => {
      const { result, reported } = await use(run)
      assert.equal(reported, [what])
      assert.match(result as string, /^\/7 is made at build time/)
    })
  }
}

test("a limited context has the path, parameters, the page's own values, headers, and the address of a known site", async () => {
  const run = async (c: Context) => {
    c.set("count", 1)
    team.set(c, "blue")
    c.setHeader("Cache-Control", "no-store")
    return [c.path, c.param("id"), c.pattern, c.method, c.getInt("count"), team.get(c), c.origin]
  }
  const { result, reported } = await use(run, true)
  assert.equal(result, ["/7", "7", "/{id}", "GET", 1, "blue", "http://localhost"])
  assert.equal(reported, [])
})

test.run()
