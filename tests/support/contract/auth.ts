/** Contract cases: which clients `basicAuth()` and `bearerAuth()` let in, and what others get. */
import { type BasicAuthOptions, type BearerAuthOptions, basicAuth, bearerAuth, HttpError } from "../../../lib/index.ts"
import { app, type Case, type Expected, error } from "./case.ts"

const base64 = (text: string) => btoa(String.fromCharCode(...new TextEncoder().encode(text)))
const basic = (pair: string) => `Basic ${base64(pair)}`
const refused = (message: string, challenge: string): Expected => ({
  status: 401,
  headers: { "www-authenticate": challenge },
  ...error("unauthorized", message),
})
const welcome = (who: string): Expected => ({ body: `hello ${who}`, headers: { "www-authenticate": null } })

const users = { ada: "s3cret:with colon", Zoë: "pässword" }
const ask = 'Basic realm="Restricted", charset="UTF-8"'
const wrong = refused("invalid credentials", ask)
const broken = refused("invalid authorization format", ask)

const basicRows: ReadonlyArray<
  readonly [name: string, authorization: string | null, expect: Expected, options?: BasicAuthOptions]
> = [
  ["the right password", basic("ada:s3cret:with colon"), welcome("ada")],
  ["a name and a password in UTF-8", basic("Zoë:pässword"), welcome("Zoë")],
  ["the scheme in another case", `bAsIc  ${base64("ada:s3cret:with colon")}`, welcome("ada")],
  ["no header", null, refused("missing authorization header", ask)],
  ["another password", basic("ada:s3cret"), wrong],
  ["a longer password", basic("ada:s3cret:with colon!"), wrong],
  ["no password", basic("ada:"), wrong],
  ["an unknown user", basic("bob:s3cret:with colon"), wrong],
  ["an unknown user without a password", basic("bob:"), wrong],
  ["the user constructor", basic("constructor:x"), wrong],
  ["the user __proto__", basic("__proto__:x"), wrong],
  ["a value without a colon", basic("ada"), broken],
  ["nothing after the scheme", "Basic", broken],
  ["a value that is not base64", "Basic ä%", broken],
  ["a scheme without a space after it", `Basic${base64("ada:s3cret:with colon")}`, broken],
  ["a header with two values", `${basic("ada:x")}, ${basic("ada:s3cret:with colon")}`, broken],
  ["bytes that are not UTF-8", `Basic ${btoa("ada:\xff")}`, broken],
  ["a password with a control character", basic("ada:a\0b"), broken],
  ["another scheme", "Bearer abc", broken],
  [
    "a client that verify() accepts",
    basic("eve:x"),
    welcome("eve"),
    { verify: async (name, password, c) => name === "eve" && password === "x" && c.path === "/" },
  ],
  ["a verify() that returns an object", basic("eve:x"), wrong, { verify: (() => ({})) as never }],
  [
    "a verify() that fails",
    basic("eve:x"),
    { status: 500, ...error("internal_server_error", "internal server error") },
    { verify: () => Promise.reject(new Error("the database is gone")) },
  ],
  [
    "a verify() that throws an HttpError",
    basic("eve:x"),
    { status: 403, ...error("forbidden", "locked") },
    { verify: () => Promise.reject(new HttpError(403, "locked")) },
  ],
  [
    "no header, with a quote in the realm",
    null,
    refused("missing authorization header", 'Basic realm="the \\"vault\\"", charset="UTF-8"'),
    { users, realm: 'the "vault"' },
  ],
]

const invalidToken = refused("invalid token", 'Bearer error="invalid_token"')
const badRequest = refused("invalid authorization format", 'Bearer error="invalid_request"')

const bearerRows: ReadonlyArray<
  readonly [name: string, authorization: string | null, expect: Expected, options?: BearerAuthOptions]
> = [
  ["the right token", "Bearer t0k.en-~+/==", welcome("")],
  ["the scheme in another case", "bearer t0k.en-~+/==", welcome("")],
  ["no header", null, refused("missing authorization header", "Bearer")],
  ["another token", "Bearer other", invalidToken],
  ["the beginning of the right token", "Bearer t0k.en", invalidToken],
  ["two tokens", "Bearer a b", badRequest],
  ["a scheme without a token", "Bearer", badRequest],
  ["a character that a token cannot have", "Bearer a,b", badRequest],
  ["another scheme", basic("a:b"), badRequest],
  [
    "a client that verify() accepts",
    "Bearer abc",
    welcome("u1"),
    {
      verify: async (token, c) => {
        c.set("user_id", "u1")
        return token === "abc"
      },
    },
  ],
  ["a verify() that returns an object", "Bearer abc", invalidToken, { verify: (() => "yes") as never }],
  [
    "a verify() that fails",
    "Bearer abc",
    { status: 500, ...error("internal_server_error", "internal server error") },
    { verify: () => Promise.reject(new Error("the key server is gone")) },
  ],
  [
    "another token, with a realm",
    "Bearer other",
    refused("invalid token", 'Bearer realm="api", error="invalid_token"'),
    { tokens: ["a"], realm: "api" },
  ],
]

const guarded = (guard: Parameters<import("../../../lib/index.ts").App["use"]>[0]) =>
  app((a) => {
    a.use(guard)
    a.get("/", (c) => c.string(200, `hello ${c.getString("user_id")}`))
  })
const request = (authorization: string | null) => ({
  path: "/",
  headers: authorization === null ? {} : { authorization },
})

export const authCases: readonly Case[] = [
  ...basicRows.map(
    ([name, authorization, expect, options = { users }]): Case => ({
      subject: "basicAuth()",
      name: `${name} is answered with ${expect.status ?? 200}`,
      app: () => guarded(basicAuth(options))(),
      request: request(authorization),
      expect,
    }),
  ),
  ...bearerRows.map(
    ([name, authorization, expect, options = { tokens: ["first", "t0k.en-~+/=="] }]): Case => ({
      subject: "bearerAuth()",
      name: `${name} is answered with ${expect.status ?? 200}`,
      app: () => guarded(bearerAuth(options))(),
      request: request(authorization),
      expect,
    }),
  ),
]
