/** Tests of the proxy in every way to send a request, and of the configurations that it refuses. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { env } from "../../adapters/disk/env.ts"
import { App, FwError, type ProxyConfig, proxy } from "../../lib/index.ts"
import { compileProxyConfig } from "../../lib/proxy-matchers.ts"
import { proxyCases } from "../support/contract/proxy.ts"
import { contract, viaFetch, viaSocket } from "../support/contract/runner.ts"
import { random } from "../support/random.ts"

contract(proxyCases)

const quiet = () => new App({ logger: false })

const refused: ReadonlyArray<readonly [name: string, config: unknown, code: string]> = [
  ["an unknown key", { matches: [] }, "proxy_config"],
  ["a text in place of a list", { matchers: "/api/*" }, "proxy_config"],
  ["a list with a regular expression", { excludes: [/x/] }, "proxy_config"],
  ["null", null, "proxy_config"],
  ["a list", ["/api"], "proxy_config"],
  ["a matcher without a slash", { matchers: ["api/*"] }, "proxy_config"],
  ["a matcher with a query", { matchers: ["/api?x=1"] }, "proxy_config"],
  ["a matcher with a dot segment", { matchers: ["/a/../b"] }, "pattern"],
  ["a matcher with an empty segment", { matchers: ["/a//b"] }, "pattern"],
]

for (const [name, config, code] of refused) {
  test(`app.setProxy(): ${name} is refused at once, or before listening`, async () => {
    const app = quiet()
    const failure = await (async () => {
      app.setProxy(() => proxy.continue(), config as ProxyConfig)
      await app.listen("127.0.0.1:0")
      await app.shutdown()
    })().catch((error) => error)
    assert.instance(failure, FwError)
    assert.is(failure.code, code)
  })
}

const unreadable = ["/(", "/:a(", "/{a", "/x}", "/a/:b(?<n>x)", "/+"]

for (const matcher of unreadable) {
  for (const key of ["matchers", "excludes"] as const) {
    test(`app.setProxy(): with ${matcher} in ${key}, which cannot be read, the app does not start and answers only 500`, async () => {
      const app = quiet()
      let reached = 0
      app.get("/*", (c) => {
        reached++
        return c.noContent()
      })
      app.notFound((c) => {
        reached++
        return c.noContent()
      })
      app.setProxy(() => proxy.continue(), { [key]: [matcher] })
      for (const path of ["/", "/a", "/anything/else"]) {
        assert.is((await viaFetch(app, path)).status, 500, path)
        assert.is((await viaSocket(app, path)).status, 500, path)
      }
      const failure = await app.listen("127.0.0.1:0").catch((error) => error)
      assert.instance(failure, FwError)
      assert.is(failure.code, "proxy_config")
      assert.is(app.addr, "")
      assert.is(reached, 0)
    })
  }
}

test("app.setProxy(): a value that is not a function is refused", () => {
  assert.throws(
    () => quiet().setProxy("x" as never),
    (error: FwError) => error.code === "handler",
  )
})

test("app.setProxy(): a call after the first request is refused", async () => {
  const app = quiet()
  await app.request("/")
  assert.throws(
    () => app.setProxy(() => proxy.continue()),
    (error: FwError) => error.code === "sealed",
  )
})

test("app.setProxy(): the last call applies, even if the matchers of the first are read later", async () => {
  const app = quiet()
  app.setProxy(() => proxy.responseJSON(401, "first"), { matchers: ["/(.*)"] })
  app.setProxy(() => proxy.responseJSON(402, "last"))
  await new Promise((resolve) => setImmediate(resolve))
  assert.is((await app.request("/")).status, 402)
})

test("app.setProxy(): repeated parameters match the same paths as in URLPattern", async () => {
  const URLPattern = await env.loadURLPattern()
  const unused = () => Promise.reject(new Error("URLPattern was loaded, which these matchers do not need"))
  const { below, pick } = random(7)
  const createPath = (pieces: readonly string[], most: number) =>
    Array.from({ length: below(most) }, () => `/${pick(pieces)}`).join("")
  let repeated = 0
  for (let round = 0; round < 400; round++) {
    const names = ["p", "q", "r", "s", "t"]
    const named = createPath(["a", "b", ":", ":*", ":+", ":*"], 6).replace(/:/g, () => `:${names.pop()}`)
    const matcher = named || "/"
    repeated += matcher.split(/[*+]/).length > 2 ? 1 : 0
    const covers = await compileProxyConfig({ matchers: [matcher] }, unused)
    const pattern = new URLPattern({ pathname: matcher })
    for (let tries = 0; tries < 20; tries++) {
      const path = createPath(["a", "b", "c"], 7)
      // A trailing slash makes no difference.
      const expected = [path, `${path}/`].some((pathname) => pattern.test({ pathname }))
      assert.is(covers(path || "/"), expected, `${matcher} covers ${path}`)
      assert.is(covers(`${path}/`), expected, `${matcher} covers ${path}/`)
    }
  }
  assert.ok(repeated > 100)
})

test("app.hasProxy is true if a proxy is set", () => {
  const app = quiet()
  assert.is(app.hasProxy, false)
  app.setProxy(() => proxy.continue())
  assert.is(app.hasProxy, true)
})

test("proxy: the proxy runs once per request, and not again for its own rewrite", async () => {
  const app = quiet()
  const seen: string[] = []
  app.setProxy((c) => {
    seen.push(c.path)
    return c.path === "/a" ? proxy.rewrite("/b") : proxy.responseJSON(500, "again")
  })
  app.get("/b", (c) => c.noContent())
  assert.is((await app.request("/a")).status, 204)
  assert.equal(seen, ["/a"])
})

test.run()
