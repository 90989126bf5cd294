/** Contract cases: cookies that a context sets, and reads back. */
import type { Context, Cookie, HandlerResult } from "../../../lib/index.ts"
import { app, type Case } from "./case.ts"

const day = new Date("2030-01-02T03:04:05.678Z")

const cookies: ReadonlyArray<readonly [name: string, cookies: readonly unknown[], lines: readonly string[]]> =
  [
    ["writes a cookie with name and value only", [{ name: "a", value: "b" }], ["a=b; Path=/"]],
    ["writes Path", [{ name: "a", value: "b", path: "/x" }], ["a=b; Path=/x"]],
    [
      "writes Max-Age",
      [
        { name: "a", value: "", maxAge: -1 },
        { name: "b", value: "", maxAge: 86400 },
      ],
      ["a=; Path=/; Max-Age=-1", "b=; Path=/; Max-Age=86400"],
    ],
    [
      "writes HttpOnly, Secure and SameSite",
      [{ name: "s", value: "1", httpOnly: true, secure: true, sameSite: "Lax" }],
      ["s=1; Path=/; HttpOnly; Secure; SameSite=Lax"],
    ],
    [
      "writes SameSite=None with secure",
      [{ name: "s", value: "1", secure: true, sameSite: "None" }],
      ["s=1; Path=/; Secure; SameSite=None"],
    ],
    [
      "writes Domain and Expires",
      [{ name: "s", value: "1", domain: "x.example", expires: day }],
      ["s=1; Path=/; Expires=Wed, 02 Jan 2030 03:04:05 GMT; Domain=x.example"],
    ],
    [
      "leaves out flags that are false",
      [{ name: "s", value: "1", httpOnly: false, secure: false }],
      ["s=1; Path=/"],
    ],
    [
      "encodes a value only where it must",
      [{ name: "s", value: 'a b;c,"%\r\nSet-Cookie: evil=1;é' }],
      ["s=a%20b%3Bc%2C%22%25%0D%0ASet-Cookie:%20evil=1%3B%C3%A9; Path=/"],
    ],
    [
      "writes several cookies, also with the same name",
      [
        { name: "a", value: "1" },
        { name: "a", value: "2", path: "/x" },
      ],
      ["a=1; Path=/", "a=2; Path=/x"],
    ],
    [
      "writes a name that starts with __Host-",
      [{ name: "__Host-s", value: "1", secure: true }],
      ["__Host-s=1; Path=/; Secure"],
    ],
  ]

const refused: ReadonlyArray<readonly [name: string, cookie: unknown]> = [
  ["a name with a line break", { name: "a\r\nb", value: "" }],
  ["an empty name", { name: "", value: "" }],
  ["a name with =", { name: "a=b", value: "" }],
  ["a value that is not a string", { name: "a", value: 1 }],
  ["a value with half a character", { name: "a", value: "\ud800" }],
  ["a path with a line break", { name: "a", value: "", path: "/\r\nx: y" }],
  ["a path with a semicolon", { name: "a", value: "", path: "/; Domain=evil.example" }],
  ["a path that does not start with a slash", { name: "a", value: "", path: "x" }],
  ["a domain with a line break", { name: "a", value: "", domain: "x\ny" }],
  ["an empty domain", { name: "a", value: "", domain: "" }],
  ["a maxAge that is not a whole number", { name: "a", value: "", maxAge: 1.5 }],
  ["a maxAge that is too large", { name: "a", value: "", maxAge: 1e21 }],
  ["an invalid expires", { name: "a", value: "", expires: new Date(Number.NaN) }],
  ["an expires that is not a Date", { name: "a", value: "", expires: "tomorrow" }],
  ["a flag that is not a boolean", { name: "a", value: "", secure: "yes" }],
  ["SameSite=None without secure", { name: "a", value: "", sameSite: "None" }],
  ["another sameSite", { name: "a", value: "", sameSite: "lax" }],
  ["an unknown field", { name: "a", value: "", httponly: true }],
  ["__Host- without secure", { name: "__Host-a", value: "" }],
  ["__Host- with a domain", { name: "__Host-a", value: "", secure: true, domain: "x.example" }],
  ["__Secure- without secure", { name: "__Secure-a", value: "" }],
]

function answering(answer: (c: Context) => HandlerResult) {
  return app((a) => a.get("/", answer))
}

/** The cases. */
export const cookieCases: readonly Case[] = [
  ...cookies.map(
    ([name, set, lines]): Case => ({
      subject: "c.setCookie()",
      name,
      app: answering((c) => {
        for (const cookie of set) c.setCookie(cookie as Cookie)
        return c.string(200, "")
      }),
      request: "/",
      expect: { cookies: lines },
    }),
  ),
  ...refused.map(
    ([name, cookie]): Case => ({
      subject: "c.setCookie()",
      name: `refuses ${name}, with an error that names the cookie`,
      app: answering((c) => {
        try {
          c.setCookie(cookie as Cookie)
        } catch (thrown) {
          return c.string(200, `${(thrown as Error).name} ${(thrown as Error).message}`)
        }
        return c.string(500, "taken")
      }),
      request: "/",
      expect: { cookies: [], body: /^TypeError .*(?:cookie|"a)/ },
    }),
  ),
  ...["a", 'q"; x=%, é', "", "a=b", "\u{1f36a}"].map(
    (value): Case => ({
      subject: "c.cookie()",
      name: `reads ${JSON.stringify(value)} as c.setCookie() writes it`,
      app: app((a) => {
        a.get("/", async (c) => {
          if (c.header("cookie")) return c.json(200, c.cookie("k"))
          c.setCookie({ name: "k", value })
          const line = (await a.request("/set")).headers.getSetCookie()[0]?.split(";")[0] ?? ""
          return a.request("/", { headers: { cookie: line } })
        })
        a.get("/set", (c) => {
          c.setCookie({ name: "k", value })
          return c.noContent()
        })
      }),
      request: "/",
      expect: { json: value },
    }),
  ),
]
