/**
 * Tests of which route answers: the precedence in every order of registration, and the same result as a simple
 * matcher.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { getRoutes } from "../../lib/app.ts"
import { App, FwError } from "../../lib/index.ts"
import type { Endpoint } from "../../lib/router.ts"
import { viaFetch } from "../support/contract/runner.ts"
import { random } from "../support/random.ts"

/** Returns an app whose routes answer with their pattern and parameters. */
function createApp(routes: readonly string[]): App {
  const app = new App({ logger: false })
  for (const route of routes) {
    const [method, pattern] = route.startsWith("/") ? ["GET", route] : (route.split(" ") as [string, string])
    const names = [...pattern.matchAll(/\{(\w+)\}|(\*)/g)].map(([, name, rest]) => (name ?? rest) as string)
    app.registerRoute(method, pattern, (c) => c.json(200, [route, ...names.map((name) => c.param(name))]))
  }
  return app
}

function orders<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]]
  return list.flatMap((item, i) => orders(list.toSpliced(i, 1)).map((rest) => [item, ...rest]))
}

/** Routes, and for each path the route that answers with its values, or a status. */
const precedence: ReadonlyArray<readonly [routes: string[], answers: Record<string, unknown[] | number>]> = [
  [["/a", "/{x}", "/*"], { "/a": ["/a"], "/b": ["/{x}", "b"], "/a/b": ["/*", "a/b"], "/": 404 }],
  [
    ["/a/b", "/a/{x}", "/{y}/b", "/{y}/{x}", "/a/*"],
    {
      "/a/b": ["/a/b"],
      "/a/c": ["/a/{x}", "c"],
      "/c/b": ["/{y}/b", "c"],
      "/c/d": ["/{y}/{x}", "c", "d"],
      "/a/b/c": ["/a/*", "b/c"],
      "/c": 404,
    },
  ],
  // If a search has to go back from a branch, no parameter of the branch remains.
  [
    ["/a/b/c", "/a/{x}/d", "/{y}/b/e", "/*"],
    {
      "/a/b/c": ["/a/b/c"],
      "/a/b/d": ["/a/{x}/d", "b"],
      "/a/b/e": ["/{y}/b/e", "a"],
      "/a/b/f": ["/*", "a/b/f"],
    },
  ],
  [
    ["/a/{x}/c/{y}", "/a/b/*", "/{z}/b/c/d"],
    {
      "/a/b/c/d": ["/a/b/*", "c/d"],
      "/a/x/c/d": ["/a/{x}/c/{y}", "x", "d"],
      "/q/b/c/d": ["/{z}/b/c/d", "q"],
    },
  ],
  // An optional catch-all adds two routes.
  [
    ["/shop", "/shop/*", "/shop/{x}"],
    { "/shop": ["/shop"], "/shop/a": ["/shop/{x}", "a"], "/shop/a/b": ["/shop/*", "a/b"], "/shop/": 308 },
  ],
  [["/{a}/x", "/{b}/y"], { "/1/x": ["/{a}/x", "1"], "/1/y": ["/{b}/y", "1"], "/1/z": 404 }],
  // A route that answers the method wins over a more exact one that does not.
  [["POST /u/me", "GET /u/{id}"], { "/u/me": ["GET /u/{id}", "me"], "POST /u/me": ["POST /u/me"], "POST /u/x": 405 }],
  [["HEAD /h", "GET /h"], { "/h": ["GET /h"] }],
  [["/%61b", "/caf%C3%A9", "/é"], { "/ab": ["/%61b"], "/a%62": ["/%61b"], "/%C3%A9": ["/é"] }],
  [
    ["/__proto__", "/constructor/{x}"],
    { "/__proto__": ["/__proto__"], "/constructor/y": ["/constructor/{x}", "y"], "/toString": 404 },
  ],
]

for (const [routes, answers] of precedence) {
  test(`routing: ${routes.join("  ")} give the same answers, registered in any order`, async () => {
    for (const order of orders(routes)) {
      const app = createApp(order)
      for (const [request, wanted] of Object.entries(answers)) {
        const { status, body } = await viaFetch(app, request)
        const found = status === 200 ? JSON.parse(body) : status
        assert.equal(found, wanted, `${request} in the order ${order.join("  ")}`)
      }
    }
  })
}

/**
 * Returns the best pattern by comparing each one from the first segment on. It is simple enough to be obviously
 * correct.
 */
function naive(patterns: readonly string[], path: string): unknown[] | null {
  const parts = path.slice(1).split("/")
  if (parts.includes("")) return null
  const rank = (segment: string | undefined) => (segment === "*" ? 2 : segment?.startsWith("{") ? 1 : 0)
  const found = patterns.flatMap((pattern) => {
    const segments = pattern.slice(1).split("/")
    const rest = segments.at(-1) === "*"
    if (rest ? parts.length < segments.length : parts.length !== segments.length) return []
    const values: string[] = []
    for (const [i, segment] of segments.entries()) {
      if (segment === "*") values.push(parts.slice(i).join("/"))
      else if (segment.startsWith("{")) values.push(parts[i] as string)
      else if (segment !== parts[i]) return []
    }
    return [{ pattern, segments, values }]
  })
  found.sort((a, b) => {
    const at = a.segments.findIndex((segment, i) => rank(segment) !== rank(b.segments[i]))
    return at < 0 ? 0 : rank(a.segments[at]) - rank(b.segments[at])
  })
  const [best] = found
  return best ? [best.pattern, ...best.values] : null
}

test("routing: random paths get the routes and values that a naive matcher finds", async () => {
  const { pick, below } = random(20261121)
  const words = ["a", "ab", "abc"]
  let matched = 0
  for (let round = 0; round < 400; round++) {
    const patterns = new Map<string, string>()
    for (let i = below(9) + 1; i > 0; i--) {
      const segments = Array.from({ length: below(4) + 1 }, (_, at) => pick([...words, `{p${at}}`, `{p${at}}`]))
      if (below(4) === 0) segments[segments.length - 1] = "*"
      const pattern = `/${segments.join("/")}`
      patterns.set(pattern, pattern)
    }
    const app = createApp([...patterns.values()])
    for (let i = 0; i < 12; i++) {
      const path = `/${Array.from({ length: below(5) + 1 }, () => pick([...words, "d"])).join("/")}`
      const { status, body } = await viaFetch(app, path)
      const wanted = naive([...patterns.values()], path)
      if (wanted) matched++
      assert.equal(status === 404 ? null : JSON.parse(body), wanted, `${path} in ${[...patterns.keys()].join("  ")}`)
    }
  }
  assert.ok(matched > 1000, `only ${matched} paths matched anything`)
})

test("routing: find() gives the first result of findAll() that has the method, or else the first one", () => {
  const { pick, below } = random(20261122)
  const words = ["a", "ab", "abc", "b", "caf%C3%A9", "%2F", ".a"]
  let matched = 0
  for (let round = 0; round < 300; round++) {
    const app = new App({ logger: false })
    for (let i = below(9) + 1; i > 0; i--) {
      const parts = Array.from({ length: below(5) }, (_, at) => pick([...words, `{p${at}}`, `{p${at}}`]))
      if (below(4) === 0) parts.push("*")
      try {
        app.registerRoute(pick(["GET", "GET", "POST", "*"]), `/${parts.join("/")}`, (c) => c.noContent())
      } catch (error) {
        assert.is((error as FwError).code, "conflict")
      }
    }
    const table = getRoutes(app)
    for (let i = 0; i < 20; i++) {
      const path = `/${Array.from({ length: below(6) }, () => pick([...words, "d", ""])).join("/")}`
      const method = pick(["GET", "HEAD", "POST", "PUT"])
      const covering = table.findAll(path)
      const has = ({ routes }: Endpoint) =>
        routes.has(method) || routes.has("*") || (method === "HEAD" && routes.has("GET"))
      const wanted = covering.find(has) ?? covering[0]
      const found = table.find(method, path)
      if (wanted) matched++
      assert.is(found?.endpoint, wanted, `${method} ${path} in ${covering.map(({ pattern }) => pattern.text)}`)
      assert.is(found?.route !== undefined, wanted !== undefined && has(wanted))
      assert.is(found?.values.length, wanted?.pattern.names.length)
    }
  }
  assert.ok(matched > 1000, `only ${matched} paths matched anything`)
})

test("routing: find() gives the first result of findAll() for paths that almost match", () => {
  const known = ["/", "/about", "/users", "/users/new", "/api/v1/users", "/api/v1/teams", "/:a"]
  const patterns = [...known.slice(0, -1), "/%3Aa", "/users/{id}/edit"]
  for (const more of [[], ["/{x}"], ["/*"]]) {
    const app = new App({ logger: false })
    for (const pattern of [...patterns, ...more]) app.get(pattern, (c) => c.noContent())
    const table = getRoutes(app)
    for (const path of [...known, ...known]) assert.ok(table.find("GET", path)?.route, path)
    for (const path of known)
      for (let i = 1; i <= path.length; i++)
        for (const other of ["x", "s", "/", ""]) {
          const near = path.slice(0, i) + other + path.slice(i + 1)
          const [wanted] = table.findAll(near)
          assert.is(table.find("GET", near)?.endpoint, wanted, `${near} in ${[...patterns, ...more]}`)
        }
  }
})

const encoded: ReadonlyArray<readonly [pattern: string, path: string, values: readonly string[]]> = [
  ["/{x}", "/%2F", ["/"]],
  ["/*", "/%2F", ["%2F"]],
  ["/*", "/a/%2F/caf%C3%A9/", ["a/%2F/café"]],
  ["/{x}/*", "/%25/%252F", ["%", "%2F"]],
  ["/a/{x}/b", "/a/b%20c/b", ["b c"]],
]

for (const [pattern, path, values] of encoded) {
  test(`routing: ${path} gives ${pattern} the values ${JSON.stringify(values)}`, () => {
    const app = new App({ logger: false })
    app.get(pattern, (c) => c.noContent())
    assert.equal(getRoutes(app).find("GET", path)?.values, values)
  })
}

const conflicts: ReadonlyArray<readonly [string, string]> = [
  ["/a", "/a"],
  ["/a", "/a/"],
  ["/a/{x}", "/a/{y}"],
  ["/a/:x", "/a/[x]"],
  ["/a/*", "/a/[...rest]"],
  ["/%61", "/a"],
]

for (const [one, other] of conflicts) {
  test(`routing: ${one} and ${other} conflict, and the error names both`, () => {
    const app = new App({ logger: false })
    app.get(one, (c) => c.noContent())
    app.post(other, (c) => c.noContent())
    assert.throws(
      () => app.get(other, (c) => c.noContent()),
      (error: FwError) =>
        error instanceof FwError && error.code === "conflict" && error.message.split("get(").length === 3,
    )
  })
}

const patterns: ReadonlyArray<readonly [pattern: string, message: RegExp]> = [
  ["a", /does not start with a slash/],
  ["", /./],
  ["//a", /empty segment/],
  ["/a/*/b", /catch-all before its end/],
  ["/{a}/{a}", /twice/],
  ["/{}", /no valid parameter name/],
  ["/{a b}", /no valid parameter name/],
  ["/x{a}", /mixes text and a parameter/],
  ["/a?b=1", /more than a path/],
  ["/a/../b", /no request can have/],
  ["/%zz", /percent-encoded/],
  ["/{__proto__}", /no valid parameter name/],
]

for (const [pattern, message] of patterns.filter(([pattern]) => pattern !== "" && pattern !== "a")) {
  test(`app.get(): the pattern ${pattern} is refused`, () => {
    assert.throws(
      () => new App({ logger: false }).get(pattern, (c) => c.noContent()),
      (error: FwError) =>
        error instanceof FwError && error.code === "pattern" && message.test(error.message) && error.fix !== "",
    )
  })
}

for (const method of ["", "GE T", "GET\r\n", "é", undefined, null, 5, {}, ["GET"], () => "GET"]) {
  const shown = typeof method === "string" ? JSON.stringify(method) : typeof method

  test(`app.registerRoute(): the method ${shown} ${method} is refused`, () => {
    assert.throws(
      () => new App({ logger: false }).registerRoute(method as string, "/", (c) => c.noContent()),
      (error: unknown) => error instanceof FwError && error.code === "method" && error.fix !== "",
    )
  })
}

test("app.router has no member except mount()", () => {
  const { router } = new App({ logger: false })
  assert.equal(Object.keys(router), ["mount"])
  assert.is(Object.getPrototypeOf(router), Object.prototype)
})

test("app.router: mounting at a path that a route or another mount has is a conflict", () => {
  const app = new App({ logger: false })
  app.mountHandler("/m", () => new Response())
  const conflict = (error: FwError) => error.code === "conflict"
  assert.throws(() => app.router.mount("/m/", () => new Response()), conflict)
  assert.throws(() => app.mountHandler("/m/", () => new Response()), conflict)
  assert.throws(() => app.registerRoute("*", "/m/[...x]", (c) => c.noContent()), conflict)
})

test("app.router: mount() refuses a value that is not a handler or not a path", () => {
  const app = new App({ logger: false })
  const isCode = (code: string) => (error: FwError) => error.code === code
  assert.throws(() => app.router.mount("/m", undefined as never), isCode("handler"))
  assert.throws(() => app.router.mount("m", () => new Response()), isCode("pattern"))
  assert.throws(() => app.mountHandler("/m", undefined as never), isCode("handler"))
  assert.throws(() => app.mountHandler("m", () => new Response()), isCode("pattern"))
})

test.run()
