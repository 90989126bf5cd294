/**
 * Tools for the tests of applications, exported as `fw/testing`. They include a client that calls an app without
 * sockets and stores cookies.
 */

import { cookieLines } from "./answer/stand-in.ts"
import { sendTestRequest } from "./app.ts"
import { checkKeys } from "./checks.ts"
import { fault } from "./errors/fault.ts"
import type { LogRecord } from "./log/record.ts"
import { openOutbox } from "./mail/outbox.ts"
import type { OutgoingMail } from "./mail/outgoing.ts"
import { type Answering, testLines } from "./request/around.ts"
import { CookieJar } from "./request/cookie-jar.ts"

export type { Answering } from "./request/around.ts"

/**
 * Options of `testClient()`.
 *
 * @example
 * const options: TestClientOptions = { origin: "https://shop.example", headers: { Accept: "application/json" } }
 * const client = testClient(new App(), options)
 */
export interface TestClientOptions {
  /** The origin of the client. Paths and cookies belong to it. Default: `http://localhost`. */
  readonly origin?: string
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** The address of the client, `c.clientIP`. Default: `127.0.0.1`. */
  readonly clientIP?: string
  /** The bindings of the program, `c.env`. Default: the environment variables. */
  readonly env?: object
  /** The clock for the expiry of cookies, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number
}

/**
 * Options of a request, in addition to those of `fetch`.
 *
 * @example
 * const init: TestRequestInit = { json: { name: "Ada" } }
 * app.post("/users", async (c) => c.json(201, await c.bind()))
 * const answer = await testClient(app).request("/users", init)
 * await answer.json() // → { name: "Ada" }
 */
export interface TestRequestInit extends RequestInit {
  /** A value that is sent as JSON, with POST unless `method` is set. */
  readonly json?: unknown
  /** Fields that are sent as a form, with POST unless `method` is set. */
  readonly form?: Readonly<Record<string, string>>
}

/**
 * A client that stores cookies as a browser does.
 *
 * @example
 * async function signIn(client: TestClient) {
 *   return client.request("/login", { form: { email: "ada@x.example", password: "secret" } })
 * }
 */
export interface TestClient {
  /**
   * Sends a request to the app. Redirects are not followed: the response is the redirect.
   *
   * @throws TypeError for more than one of `body`, `json` and `form`.
   */
  request(path: string | URL, init?: TestRequestInit): Promise<Response>
  /**
   * Returns the value of the cookie that a request for a path would send; `""` if there is none. Default path: `/`.
   */
  cookie(name: string, path?: string): string
  /** Sets a cookie as if a response from `/` had set it: `session_id=abc; Path=/`. */
  setCookie(line: string): void
  /** Deletes all cookies, as for a new visitor. */
  clearCookies(): void
  /** The lines of all levels that `c.log` has written in requests of this client. */
  readonly lines: readonly LogRecord[]
  /**
   * The mails that requests of this client have sent with `mail()` of `fw/mail`, and the mails of jobs since the client was
   * created. In tests, no mail leaves the process.
   */
  readonly mails: readonly OutgoingMail[]
}

/**
 * Creates a client for an app.
 *
 * @example
 * app.post("/login", (c) => {
 *   c.setCookie({ name: "session_id", value: "8f14e4" })
 *   return c.noContent()
 * })
 * app.get("/me", (c) => c.string(200, c.cookie("session_id")))
 * const client = testClient(app)
 * await client.request("/login", { method: "POST" })
 * const answer = await client.request("/me")
 * await answer.text() // → "8f14e4"
 */
export function testClient(app: Answering, options: TestClientOptions = {}): TestClient {
  checkArguments(app, options)
  const { origin = "http://localhost", headers: commonHeaders = {}, now = Date.now } = options
  const { clientIP = "127.0.0.1", env } = options
  const jar = new CookieJar(now)
  const lines: LogRecord[] = []
  return {
    async request(path, init = {}) {
      const url = new URL(path, origin)
      const requestOptions = toRequestInit(init, commonHeaders)
      const jarCookies = jar.header(url)
      const ownCookies = requestOptions.headers.get("cookie")
      if (jarCookies) requestOptions.headers.set("cookie", ownCookies ? `${ownCookies}; ${jarCookies}` : jarCookies)
      const answer: Response & { readonly [cookieLines]?: readonly string[] } = await sendTestRequest(
        app,
        url,
        requestOptions,
        [{ clientIP, env, [testLines]: lines }],
      )
      for (const line of answer[cookieLines] ?? answer.headers.getSetCookie()) jar.set(line, url)
      return answer
    },
    cookie: (name, path = "/") => jar.value(name, new URL(path, origin)),
    setCookie: (line) => jar.set(line, new URL(origin)),
    clearCookies: () => jar.clear(),
    lines,
    mails: openOutbox(lines),
  }
}

/**
 * Checks the arguments. @throws FwError `test_client` for a value that does not answer requests, and for an unknown or
 * invalid option.
 */
function checkArguments(app: unknown, options: unknown): void {
  if (typeof (app as Partial<Answering> | null)?.fetch !== "function") {
    throw fault("test_client", [app])
  }
  checkKeys(options, ["origin", "headers", "clientIP", "env", "now"], "test_client", "testClient()", {
    origin: "string",
    now: "function",
  })
}

function toRequestInit(
  { json, form, ...init }: TestRequestInit,
  commonHeaders: Readonly<Record<string, string>>,
): RequestInit & { readonly headers: Headers } {
  if ([init.body ?? undefined, json, form].filter((body) => body !== undefined).length > 1)
    throw new TypeError("a request has one body: give body, json or form")
  const headers = new Headers(init.headers)
  for (const [name, value] of Object.entries(commonHeaders)) if (!headers.has(name)) headers.set(name, value)
  if (json === undefined && form === undefined) return { ...init, headers }
  if (json !== undefined && !headers.has("content-type")) headers.set("content-type", "application/json")
  const body = form === undefined ? JSON.stringify(json) : new URLSearchParams(form)
  return { method: "POST", ...init, headers, body }
}
