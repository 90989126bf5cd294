/**
 * Tests of errors in a middleware file or in a handler of a file: the message names the file, and says what to
 * write.
 */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { App, FwError, type Routes } from "../../../lib/index.ts"

const file = "app/middleware.ts"
const route = "app/api/route.ts"

process.env.FW_LOG_LEVEL = "off"

/** Returns routes with one middleware file around one handler. */
function routes(Middleware: unknown, Get: unknown = (c: { noContent(): Response }) => c.noContent()): Routes {
  const tree = {
    appDir: "app",
    routes: [{ method: "GET", pattern: "/api", file: route, export: "Get", line: 1, middleware: [0] }],
    middleware: [{ path: "/", file }],
    pages: [],
    layouts: [],
  }
  return { tree, modules: { [file]: { Middleware }, [route]: { Get } } } as never
}

/** Returns the error of mounting, or the error that a request for `/api` passes to `onError`. */
async function catchFailure(given: Routes): Promise<Error> {
  const app = new App({ logger: false })
  let failure: unknown
  app.onError((c, error) => {
    failure = error
    return c.noContent()
  })
  try {
    await app.mount(given)
    await app.request("/api")
  } catch (error) {
    return error as Error
  }
  return failure as Error
}

type Next = (c: unknown) => unknown
const write = "Write (next) => (c) => next(c)."
const itself = "Write () => before it: export const Middleware = () => rateLimit()."
const refused: ReadonlyArray<readonly [what: string, middleware: unknown, message: string, fix: string]> = [
  [
    "the middleware itself",
    (next: Next) => (c: unknown) => next(c),
    `${file} exports the middleware itself as Middleware, not a function that returns it`,
    itself,
  ],
  [
    "the middleware itself, async",
    (next: Next) => async (c: unknown) => next(c),
    `${file} exports the middleware itself as Middleware, not a function that returns it`,
    itself,
  ],
  ["no return value", () => {}, `Middleware() of ${file} was given undefined, not a middleware`, write],
  ["an object", () => ({}), `Middleware() of ${file} was given an object, not a middleware`, write],
  [
    "a promise",
    async () => (next: Next) => next,
    `Middleware() of ${file} was given a promise, not a middleware`,
    write,
  ],
  ["a list with an object", () => [{}], `Middleware() of ${file} was given an object, not a middleware`, write],
  ["a middleware that returns nothing", () => () => {}, `${file} returned nothing, not a handler`, write],
  ["a middleware that returns an object", () => () => ({}), `${file} returned an object, not a handler`, write],
  ["an async middleware", () => async (next: Next) => next, `${file} returned a promise, not a handler`, write],
]
for (const [what, middleware, message, fix] of refused) {
  test(`the error of a middleware file with ${what} names the file and the fix`, async () => {
    const failure = await catchFailure(routes(middleware))
    assert.instance(failure, FwError)
    assert.equal([failure.message, (failure as FwError).fix], [message, fix])
  })
}

const pass = () => (next: Next) => (c: unknown) => next(c)
const forgot = "Is a return missing?"
const answer = "Write return c.json(200, data), or c.html(200, html)."
const bugs: ReadonlyArray<readonly [what: string, given: Routes, message: string]> = [
  [
    "a middleware that forgets return",
    routes(() => (next: Next) => (c: unknown) => void next(c)),
    `${file} returned nothing, not a Response. ${forgot}`,
  ],
  [
    "a middleware that returns an object",
    routes(() => () => () => ({})),
    `${file} returned an object, not a Response. ${answer}`,
  ],
  ["a handler that forgets return", routes(pass, () => {}), `${route} returned nothing, not a Response. ${forgot}`],
  [
    "a handler that returns an object",
    routes(pass, async () => ({})),
    `${route} returned an object, not a Response. ${answer}`,
  ],
  [
    "a handler that returns a text",
    routes(pass, () => "text"),
    `${route} returned a string, not a Response. Write return c.string(200, text).`,
  ],
]
for (const [what, given, message] of bugs) {
  test(`the error of ${what} names its file`, async () => assert.is((await catchFailure(given)).message, message))
}

test("the error of one function in two files names the file that it ran in", async () => {
  const shared = () => () => ({})
  const { tree, modules } = routes(shared)
  const inner = "app/api/middleware.ts"
  const both = { ...tree, middleware: [...tree.middleware, { path: "/api", file: inner }] }
  const [first] = tree.routes
  const failure = await catchFailure({
    tree: { ...both, routes: [{ ...first, middleware: [0] } as (typeof tree.routes)[0]] },
    modules: { ...modules, [inner]: { Middleware: shared } },
  })
  assert.match(failure.message, `${file} returned an object`)
})

test("the properties of a middleware, such as its body limit, also count in a middleware file", async () => {
  const { bodyLimit } = await import("../../../lib/index.ts")
  const app = new App({ logger: false })
  const given = routes(() => bodyLimit(1))
  await app.mount({
    ...given,
    tree: { ...given.tree, routes: given.tree.routes.map((r) => ({ ...r, method: "POST" })) },
  })
  const answer = await app.request("/api", { method: "POST", body: "ab", headers: { "content-length": "2" } })
  assert.is(answer.status, 413)
})

test.run()
