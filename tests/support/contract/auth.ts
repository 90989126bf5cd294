/** Contract cases: `basicAuth()` and `bearerAuth()`, which clients get in and what the others get. */
import {
  type BasicAuthOptions,
  type BearerAuthOptions,
  basicAuth,
  bearerAuth,
  HttpError,
} from "../../../lib/index.ts"
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
  ["a user", basic("ada:s3cret:with colon"), welcome("ada")],
  ["in UTF-8", basic("Zoë:pässword"), welcome("Zoë")],
  ["the scheme in any case", `bAsIc  ${base64("ada:s3cret:with colon")}`, welcome("ada")],
  ["nothing", null, refused("missing authorization header", ask)],
  ["another password", basic("ada:s3cret"), wrong],
  ["a longer password", basic("ada:s3cret:with colon!"), wrong],
  ["no password", basic("ada:"), wrong],
  ["nobody", basic("bob:s3cret:with colon"), wrong],
  ["nobody without a password", basic("bob:"), wrong],
  ["a name that every object has", basic("constructor:x"), wrong],
  ["__proto__", basic("__proto__:x"), wrong],
  ["no colon", basic("ada"), broken],
  ["nothing after the scheme", "Basic", broken],
  ["no base 64", "Basic ä%", broken],
  ["the scheme and no space", `Basic${base64("ada:s3cret:with colon")}`, broken],
  ["two of them", `${basic("ada:x")}, ${basic("ada:s3cret:with colon")}`, broken],
  ["bytes that are not UTF-8", `Basic ${btoa("ada:\xff")}`, broken],
  ["a control character", basic("ada:a\0b"), broken],
  ["another scheme", "Bearer abc", broken],
  [
    "a function decides",
    basic("eve:x"),
    welcome("eve"),
    { verify: async (name, password, c) => name === "eve" && password === "x" && c.path === "/" },
  ],
  ["only true is yes", basic("eve:x"), wrong, { verify: (() => ({})) as never }],
  [
    "an error of its own does not let the client in",
    basic("eve:x"),
    { status: 500, ...error("internal_server_error", "internal server error") },
    { verify: () => Promise.reject(new Error("the database is gone")) },
  ],
  [
    "an HttpError is its own answer",
    basic("eve:x"),
    { status: 403, ...error("forbidden", "locked") },
    { verify: () => Promise.reject(new HttpError(403, "locked")) },
  ],
  [
    "a realm with a quote",
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
  ["a token", "Bearer t0k.en-~+/==", welcome("")],
  ["the scheme in any case", "bearer t0k.en-~+/==", welcome("")],
  ["nothing: no word on what is wrong", null, refused("missing authorization header", "Bearer")],
  ["another token", "Bearer other", invalidToken],
  ["a beginning of it", "Bearer t0k.en", invalidToken],
  ["two tokens", "Bearer a b", badRequest],
  ["no token", "Bearer", badRequest],
  ["a character that no token has", "Bearer a,b", badRequest],
  ["another scheme", basic("a:b"), badRequest],
  [
    "a function decides",
    "Bearer abc",
    welcome("u1"),
    {
      verify: async (token, c) => {
        c.set("user_id", "u1")
        return token === "abc"
      },
    },
  ],
  ["only true is yes", "Bearer abc", invalidToken, { verify: (() => "yes") as never }],
  [
    "an error of its own does not let the client in",
    "Bearer abc",
    { status: 500, ...error("internal_server_error", "internal server error") },
    { verify: () => Promise.reject(new Error("the key server is gone")) },
  ],
  [
    "with a realm",
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

/** The cases. */
export const authCases: readonly Case[] = [
  ...basicRows.map(
    ([name, authorization, expect, options = { users }]): Case => ({
      subject: "basicAuth()",
      name,
      app: () => guarded(basicAuth(options))(),
      request: request(authorization),
      expect,
    }),
  ),
  ...bearerRows.map(
    ([name, authorization, expect, options = { tokens: ["first", "t0k.en-~+/=="] }]): Case => ({
      subject: "bearerAuth()",
      name,
      app: () => guarded(bearerAuth(options))(),
      request: request(authorization),
      expect,
    }),
  ),
]
