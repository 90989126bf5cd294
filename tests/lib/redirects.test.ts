/**
 * Tests that redirects of fw lead to the right address under every prefix, also under one that fw does not know.
 */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { nodeHandler } from "../../adapters/node.ts"
import { answerAsset } from "../../adapters/workerd/assets.ts"
import { App, type Context, proxy } from "../../lib/index.ts"
import { createRelativeReference } from "../../lib/path.ts"

const files = mkdtempSync(join(tmpdir(), "fw-redirects-"))
for (const name of ["docs", "a:b"]) {
  mkdirSync(join(files, name))
  writeFileSync(join(files, name, "index.html"), "index")
}

function inner(): App {
  const app = new App({ logger: false })
  const say = (c: Context<string>) => c.string(200, `${c.path}${c.search}`)
  app.get("/hello/{name}", say)
  app.get("/one", say)
  app.static("/s", files)
  return app
}

type Ask = (path: string) => Promise<Response>

/** Ways to serve an app under `/api`. */
const hosts: Readonly<Record<string, () => Ask>> = {
  "app.router.mount()": () => {
    const outer = new App({ logger: false })
    outer.router.mount("/api", inner().fetch)
    return (path) => outer.request(path)
  },
  "an app in an app in an app": () => {
    const middle = new App({ logger: false })
    middle.router.mount("/b", inner().fetch)
    const outer = new App({ logger: false })
    outer.router.mount("/a", middle.fetch)
    return (path) => outer.request(path.replace(/^\/api/, "/a/b"))
  },
  "a proxy that takes the prefix off": () => {
    const app = inner()
    app.setProxy((c) => proxy.rewrite(c.path.slice("/api".length) || "/"), { matchers: ["/api/*"] })
    return (path) => app.request(path)
  },
  "a proxy before app.router.mount()": () => {
    const outer = new App({ logger: false })
    outer.router.mount("/in", inner().fetch)
    outer.setProxy((c) => proxy.rewrite(c.path.replace("/api", "/in")), { matchers: ["/api/*"] })
    return (path) => outer.request(path)
  },
  // hono.mount() and other hosts that pass a Request do this.
  "a Request without the prefix": () => {
    const app = inner()
    return (path) => app.fetch(new Request(new URL(path.slice("/api".length), "http://localhost")))
  },
  // express.use("/api", …) does this.
  "node:http with the prefix taken off": () => {
    const handler = nodeHandler(inner())
    return async (path) => {
      const server = createServer((incoming, outgoing) => {
        incoming.url = (incoming.url as string).slice("/api".length)
        handler(incoming, outgoing)
      })
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      const { port } = server.address() as AddressInfo
      try {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: "manual" })
        return new Response(await answer.arrayBuffer(), answer)
      } finally {
        server.closeAllConnections()
        server.close()
      }
    }
  },
}

const redirects: ReadonlyArray<readonly [from: string, to: string, location: string]> = [
  ["/hello/ada/", "/hello/ada", "../ada"],
  ["/hello/ada/?q=1&r=%2F", "/hello/ada?q=1&r=%2F", "../ada?q=1&r=%2F"],
  ["/hello/a%2Fb/", "/hello/a%2Fb", "../a%2Fb"],
  ["/hello/x:y/", "/hello/x:y", "../x:y"],
  ["/one/", "/one", "../one"],
  ["/s/docs", "/s/docs/", "docs/"],
  ["/s/docs?q=1", "/s/docs/?q=1", "docs/?q=1"],
  ["/s/a:b", "/s/a:b/", "./a:b/"],
]
for (const [name, host] of Object.entries(hosts)) {
  for (const [from, to, location] of redirects) {
    test(`${name}: /api${from} redirects to /api${to}`, async () => {
      const ask = host()
      const answer = await ask(`/api${from}`)
      assert.equal([answer.status, answer.headers.get("location")], [308, location])
      const target = new URL(location, `http://localhost/api${from}`)
      assert.is(target.pathname + target.search, `/api${to}`)
      assert.is((await host()(target.pathname + target.search)).status, 200)
    })
  }
}

/**
 * Paths that a proxy rewrote to another name: a redirect must not show the client a name that it has not requested.
 */
const rewritten: ReadonlyArray<readonly [asked: string, rewrite: string, body: string]> = [
  ["/old", "/hello/ada/", "/hello/ada/"],
  ["/old/", "/hello/ada/", "/hello/ada/"],
  ["/old/?q=1", "/hello/ada", "/hello/ada?q=1"],
  ["/", "/one/", "/one/"],
  ["/old", "/s/docs", "index"],
  ["/old/", "/s/docs", "index"],
  ["/old/", "/s/docs/", "index"],
]
for (const mounted of [false, true]) {
  for (const [asked, rewrite, body] of rewritten) {
    test(`${asked}, rewritten to ${rewrite}${mounted ? " of a mounted app" : ""}, is answered without a redirect`, async () => {
      const app = mounted ? new App({ logger: false }) : inner()
      if (mounted) app.router.mount("/in", inner().fetch)
      app.setProxy((c) => {
        const path = mounted ? `/in${rewrite}` : rewrite
        return c.path === path ? proxy.continue() : proxy.rewrite(path)
      })
      const answer = await app.request(asked)
      assert.equal([answer.status, await answer.text()], [200, body])
    })
  }
}

test("a redirect has the query that the client sent, not the one that a proxy wrote", async () => {
  const app = inner()
  app.setProxy((c) => proxy.rewrite(`${c.path}?secret=1`))
  assert.is((await app.request("/one/?q=1")).headers.get("location"), "../one?q=1")
  assert.is((await app.request("/s/docs?q=1")).headers.get("location"), "docs/?q=1")
})

test("a redirect of the program is sent as it was written", async () => {
  const app = new App({ logger: false })
  app.get("/absolute", (c) => c.redirect(302, "/login"))
  app.get("/relative", (c) => c.redirect(302, "login"))
  const outer = new App({ logger: false })
  outer.router.mount("/in", app.fetch)
  assert.is((await outer.request("/in/absolute")).headers.get("location"), "/login")
  assert.is((await outer.request("/in/relative")).headers.get("location"), "login")
})

const references: ReadonlyArray<readonly [from: string, to: string, reference: string]> = [
  ["/a/b", "/a/b/", "b/"],
  ["/a/b/", "/a/b", "../b"],
  ["/a/b", "/a/c?x", "c?x"],
  ["/a/b", "/a/", "./"],
  ["/a/b/c", "/x", "../../x"],
  ["/a", "/", "./"],
  ["/a/b/", "/a/b/", "./"],
  ["/a", "/x:y", "./x:y"],
  ["/a/b", "/x:y", "../x:y"],
]
for (const [from, to, reference] of references) {
  test(`the relative reference from ${from} to ${to} is ${reference}`, () => {
    assert.is(createRelativeReference(from, to), reference)
    assert.is(new URL(reference, `http://h${from}`).href, new URL(to, "http://h").href)
  })
}

/** A binding that redirects as the one of Workers does. */
const ASSETS = {
  async fetch(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const to = {
      "/static/docs": "/static/docs/",
      "/static/a.html": "/static/a",
      "/static/far": "https://x.example/",
    }
    const location = to[pathname as keyof typeof to]
    if (location) return new Response(null, { status: 307, headers: { location: location + search } })
    return new Response(pathname)
  },
}
const assets: ReadonlyArray<readonly [path: string, asked: string, answer: string]> = [
  ["/static/docs", "/static/docs", "docs/?q=1"],
  ["/static/docs", "/in/static/docs", "docs/?q=1"],
  ["/static/a.html", "/in/static/a.html", "a?q=1"],
  ["/static/far", "/static/far", "https://x.example/?q=1"],
  ["/static/docs", "/old", "/static/docs/"],
  ["/static/a", "/static/a", "/static/a"],
]
for (const [path, asked, expected] of assets) {
  test(`a worker's asset ${path}, requested as ${asked}, is answered with ${expected}`, async () => {
    const request = {
      method: "GET",
      path,
      search: "?q=1",
      originalPath: asked,
      header: () => "",
      env: { ASSETS },
    }
    const answer = await answerAsset([], request)
    assert.is(answer?.headers.location ?? (await new Response(answer?.body ?? null).text()), expected)
  })
}

test.run()
