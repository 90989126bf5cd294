/** Contract cases: signed cookies. Another program computed their signatures with HMAC-SHA-256. */
import type { App, Context, HandlerResult } from "../../../lib/index.ts"
import { app, type Case } from "./case.ts"

const first = "the first secret: 32 bytes or more"
const second = "the second secret: 32 bytes or more"
const byFirst = "G3Rt9Z-ZTby6ARrz1RXXC6aCJuPjDlpmb9LLgeGwfRQ"
const bySecond = "3JbccHyZCGFfeUimR8yGKtqgX7VuE7KuPRiX4SMakCk"

const both = `${first},${second}`

type Answer = (c: Context) => HandlerResult

/** Returns an app that passes requests to another one, whose environment has secrets. */
function withSecrets(answer: Answer, secrets: unknown = both): () => App {
  const inner = app((a) => a.get("/", answer))()
  return app((a) =>
    a.get("/", (c) => {
      const headers = { cookie: c.header("cookie") }
      return inner.request("/", { headers }, { env: { FW_SECRETS: secrets } })
    }),
  )
}

const reads: Answer = async (c) => c.json(200, await c.cookie("cart", { signed: true }))

const sets =
  (name: string, value: string): Answer =>
  async (c) => {
    await c.setCookie({ name, value, signed: true, secure: true })
    return c.string(200, "")
  }

const absent: ReadonlyArray<readonly [name: string, cookie: string]> = [
  ["another value", `cart=8.${byFirst}`],
  ["another cookie's value", "cart=7.aQG5o2xrfTdIxk71JWgrEd35ULL-QgRWGqYHsY5tDOM"],
  ["a longer value", `cart=77.${byFirst}`],
  ["no value", `cart=.${byFirst}`],
  ["no signature", "cart=7"],
  ["an empty signature", "cart=7."],
  ["a cut signature", `cart=7.${byFirst.slice(0, -1)}`],
  ["a longer signature", `cart=7.${byFirst}A`],
  ["another spelling of the signature", `cart=7.${respelled(byFirst)}`],
  ["padding", `cart=7.${byFirst}=`],
  ["a signature in base64", `cart=7.${"+".repeat(43)}`],
  ["broken percent encoding", `cart=%E0%A4%A.${byFirst}`],
  ["a huge value", `cart=${"7".repeat(5000)}.L1nAexV7q0DLP_FV10KYdxcIC7WXcPK9SzCq1VI2dMs`],
  ["nothing", "other=1"],
]

/** Returns a signature whose last character differs only in unused bits. A lax decoder reads the same bytes. */
function respelled(signature: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
  return signature.slice(0, -1) + alphabet[alphabet.indexOf(signature.slice(-1)) + 1]
}

const readingCase = (name: string, cookie: string, value: string, secrets = both): Case => ({
  subject: "c.cookie() of a signed cookie",
  name,
  app: withSecrets(reads, secrets),
  request: { path: "/", headers: { cookie } },
  expect: { json: value },
})

/** Secrets that are refused, and the message about each. */
const refused: ReadonlyArray<readonly [name: string, secrets: unknown, message: RegExp]> = [
  ["no secrets", null, /^secrets FW_SECRETS is not set/],
  ["empty secrets", " , ", /^secrets FW_SECRETS is not set/],
  ["secrets that are not text", { first }, /^secrets FW_SECRETS is not set/],
  ["a short secret", `${first}, hunter2`, /^secrets the secret at position 2 in FW_SECRETS is shorter than 32 bytes$/],
  [
    "a secret of few characters",
    `${first}, ${"12321".repeat(8)}3`,
    /^secrets the secret at position 2 in FW_SECRETS repeats/,
  ],
  ["a secret that repeats a word", "Password1234".repeat(3), /^secrets the secret at position 1 in FW_SECRETS repeats/],
]

const createError =
  (use: (c: Context) => unknown): Answer =>
  async (c) => {
    try {
      await use(c)
    } catch (thrown) {
      const { name, code = name, message } = thrown as Error & { code?: string }
      return c.string(200, `${code} ${message}`)
    }
    return c.string(500, "taken")
  }

export const signedCookieCases: readonly Case[] = [
  {
    subject: "c.setCookie() of a signed cookie",
    name: "adds a signature by the first secret",
    app: withSecrets(sets("cart", "7")),
    request: "/",
    expect: { cookies: [`cart=7.${byFirst}; Path=/; Secure`] },
  },
  {
    subject: "c.setCookie() of a signed cookie",
    name: "encodes the value, and accepts a __Host- name",
    app: withSecrets(sets("__Host-cart", "a b;é")),
    request: "/",
    expect: {
      cookies: ["__Host-cart=a%20b%3B%C3%A9.wNyEFz_bgeG0Iu0wIG_o42DboDLN7wIOr7yrVxxsiQk; Path=/; Secure"],
    },
  },
  {
    subject: "c.setCookie() of a signed cookie",
    name: "reaches the client without await too, in a handler that is not async",
    app: withSecrets((c) => {
      c.setCookie({ name: "cart", value: "7", signed: true })
      c.setCookie({ name: "other", value: "1" })
      return c.string(200, "")
    }),
    request: "/",
    expect: { cookies: ["other=1; Path=/", `cart=7.${byFirst}; Path=/`] },
  },
  {
    subject: "c.setCookie() of a signed cookie",
    name: "reaches the client without await in middleware, with an error",
    app: withSecrets((c) => {
      c.setCookie({ name: "cart", value: "7", signed: true })
      c.setCookie({ name: "cart", value: "", signed: true })
      throw new Error("a bug")
    }),
    request: "/",
    expect: {
      status: 500,
      cookies: [`cart=7.${byFirst}; Path=/`, "cart=.j35MBF5klcAYqfpRnI1TllHWDLpk1YIGmE8mLjxjrs4; Path=/"],
    },
  },
  {
    subject: "c.setCookie() of a signed cookie",
    name: "refuses a cookie that browsers would drop",
    app: withSecrets(createError((c) => c.setCookie({ name: "cart", value: "7".repeat(4049), signed: true }))),
    request: "/",
    expect: { cookies: [], body: /^TypeError the cookie "cart" .* more than the 4096 bytes/ },
  },
  {
    subject: "c.setCookie() of a signed cookie",
    name: "refuses a value of the option signed that is not a boolean",
    app: withSecrets(
      createError((c) => c.setCookie({ name: "cart", value: "7", signed: "yes" as unknown as boolean })),
    ),
    request: "/",
    expect: { cookies: [], body: /^TypeError the cookie "cart" has a signed that is not a boolean$/ },
  },
  readingCase("is the value", `cart=7.${byFirst}`, "7"),
  readingCase("accepts every secret", `cart=7.${bySecond}`, "7"),
  readingCase("accepts no secret that was removed", `cart=7.${bySecond}`, "", first),
  readingCase("accepts secrets with spaces around them", `cart=7.${bySecond}`, "7", ` ${first} , ${second},`),
  readingCase("may be empty", "cart=.j35MBF5klcAYqfpRnI1TllHWDLpk1YIGmE8mLjxjrs4", ""),
  ...absent.map(([name, cookie]) => readingCase(`is "" for ${name}`, cookie, "")),
  ...refused.flatMap(([name, secrets, message]) =>
    [reads, sets("cart", "7")].map(
      (use, index): Case => ({
        subject: ["c.cookie() of a signed cookie", "c.setCookie() of a signed cookie"][index] as string,
        name: `throws for ${name}`,
        app: withSecrets(createError(use), secrets),
        request: "/",
        expect: { cookies: [], body: message },
      }),
    ),
  ),
  ...[{ signd: true }, { signed: "true" }, {}, null, true].map(
    (options): Case => ({
      subject: "c.cookie() of a signed cookie",
      name: `refuses the options ${JSON.stringify(options)}`,
      app: withSecrets(createError((c) => c.cookie("cart", options as never))),
      request: { path: "/", headers: { cookie: `cart=7.${byFirst}` } },
      expect: { body: /^TypeError c\.cookie\(\) takes the options \{ signed: true \}/ },
    }),
  ),
]
