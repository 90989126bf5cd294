/** Contract cases: every way to fail in proxies, middleware and handlers. */
import { type App, type HandlerFunc, HttpError, type MiddlewareFunc } from "../../../lib/index.ts"
import { app, type Case, type Expected, error } from "./case.ts"

const bare: Expected = { status: 500, ...error("internal_server_error", "internal server error") }
const teapot = () => new HttpError(418, "short and stout", { code: "teapot", headers: { "X-Tea": "green" } })
const tea: Expected = { status: 418, headers: { "x-tea": "green" }, ...error("teapot", "short and stout") }

/** Returns a promise like those of other libraries. */
function thenable(settle: (yes: (value: unknown) => void, no: (error: unknown) => void) => void): unknown {
  // biome-ignore lint/suspicious/noThenProperty: the object is thenable on purpose.
  return { then: settle }
}

const ok: HandlerFunc = (c) => c.string(200, "ok")
/** Every way in which a handler or a middleware can fail, and the answer. */
const failures: ReadonlyArray<readonly [name: string, fail: () => never | unknown, expect: Expected]> = [
  [
    "throws an HttpError",
    () => {
      throw teapot()
    },
    tea,
  ],
  [
    "rejects with an HttpError",
    async () => {
      throw teapot()
    },
    tea,
  ],
  ["returns an HttpError", () => teapot(), tea],
  ["resolves to an HttpError", async () => teapot(), tea],
  [
    "throws an Error",
    () => {
      throw new Error("secret")
    },
    bare,
  ],
  [
    "throws a string",
    () => {
      throw "secret"
    },
    bare,
  ],
  [
    "throws null",
    () => {
      throw null
    },
    bare,
  ],
  [
    "throws undefined",
    () => {
      throw undefined
    },
    bare,
  ],
  ["rejects with undefined", () => Promise.reject(undefined), bare],
  ["returns nothing", () => undefined, bare],
  ["resolves to nothing", async () => undefined, bare],
  ["returns a plain object", () => ({ a: 1 }), bare],
  ["returns a thenable that fails", () => thenable((_, no) => no(new Error("secret"))), bare],
  ["returns a thenable that resolves to nothing", () => thenable((yes) => yes(undefined)), bare],
  [
    "throws an HttpError whose headers are invalid",
    () => {
      throw new HttpError(400, "x", { headers: { "x-a": "1\r\nx-evil: 1" } })
    },
    { ...bare, headers: { "x-evil": null, "x-a": null } },
  ],
  [
    "throws an HttpError whose issues are not JSON",
    () => {
      throw new HttpError(400, "x", { issues: [{ message: 1n as unknown as string }] })
    },
    bare,
  ],
  ["returns Response.error()", () => Response.error(), bare],
]
const links: ReadonlyArray<readonly [name: string, place: (a: App, fail: () => unknown) => void]> = [
  ["a handler", (a, fail) => a.get("/", fail as HandlerFunc)],
  [
    "a middleware of a group, before next(),",
    (a, fail) =>
      a.group("/", (g) => {
        g.use(() => fail as HandlerFunc)
        g.get("/", ok)
      }),
  ],
  [
    "a middleware of a group, after next(),",
    (a, fail) =>
      a.group("/", (g) => {
        g.use(after(fail))
        g.get("/", ok)
      }),
  ],
  [
    "a global middleware, before next(),",
    (a, fail) => {
      a.use(() => fail as HandlerFunc)
      a.get("/", ok)
    },
  ],
  [
    "a global middleware, after next(),",
    (a, fail) => {
      a.use(after(fail))
      a.get("/", ok)
    },
  ],
  [
    "a proxy",
    (a, fail) => {
      a.setProxy(fail as never)
      a.get("/", ok)
    },
  ],
  ["notFound()", (a, fail) => a.notFound(fail as HandlerFunc)],
  ["a mounted handler", (a, fail) => a.router.mount("/", fail as never)],
  [
    "onError(), for another error,",
    (a, fail) => {
      a.onError(fail as never)
      a.get("/", () => {
        throw new Error("first")
      })
    },
  ],
]

function after(fail: () => unknown): MiddlewareFunc {
  return (next) => async (c) => {
    await next(c)
    return (await fail()) as Response
  }
}

/** Returns the expected response: an invalid result of onError leaves it unchanged. */
function createExpected(link: string, failure: string, expect: Expected): Expected {
  return link.startsWith("onError") && /nothing|plain object/.test(failure) ? bare : expect
}

export const failureCases: readonly Case[] = [
  ...links.flatMap(([link, place]) =>
    failures.map(
      ([failure, fail, expect]): Case => ({
        subject: "errors",
        name: `${link} ${failure}: the answer is ${createExpected(link, failure, expect).status}`,
        app: app((a) => place(a, fail)),
        request: "/",
        expect: createExpected(link, failure, expect),
      }),
    ),
  ),
]
