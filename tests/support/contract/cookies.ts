/** Contract cases: cookies that a context sets, and reads back. */
import type { Context, Cookie, HandlerResult } from "../../../lib/index.ts"
import { app, type Case } from "./case.ts"

const day = new Date("2030-01-02T03:04:05.678Z")

const domains = [
  "x.example",
  ".x.example",
  "X.Example",
  "a-b.x.example",
  "a_b.x.example",
  "localhost",
  "1.x.example",
  "xn--bcher-kva.example",
  "127.0.0.1",
  `${"a".repeat(63)}.example`,
]

const cookies: ReadonlyArray<readonly [name: string, cookies: readonly unknown[], lines: readonly string[]]> = [
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
  ["leaves out flags that are false", [{ name: "s", value: "1", httpOnly: false, secure: false }], ["s=1; Path=/"]],
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
  [
    "writes names that start with __Http- and __Host-Http-",
    ["__Http-s", "__Host-Http-s"].map((name) => ({ name, value: "1", secure: true, httpOnly: true })),
    ["__Http-s=1; Path=/; HttpOnly; Secure", "__Host-Http-s=1; Path=/; HttpOnly; Secure"],
  ],
  [
    "writes the domains that browsers take",
    domains.map((domain) => ({ name: "s", value: "1", domain })),
    domains.map((domain) => `s=1; Path=/; Domain=${domain}`),
  ],
  [
    "writes the paths that browsers take",
    ["/a b", '/"a"', "/a=b?c#d", "/%C3%A9", "/../a", `/${"a".repeat(1023)}`].map((path) => ({
      name: "s",
      value: "1",
      path,
    })),
    ["/a b", '/"a"', "/a=b?c#d", "/%C3%A9", "/../a", `/${"a".repeat(1023)}`].map((path) => `s=1; Path=${path}`),
  ],
  [
    "writes a name and a value of 4096 bytes together",
    [{ name: "abc", value: "x".repeat(4093) }],
    [`abc=${"x".repeat(4093)}; Path=/`],
  ],
  [
    "writes a lifetime of more than 400 days, which browsers shorten",
    [
      { name: "s", value: "1", maxAge: 34_560_001 },
      { name: "s", value: "1", expires: new Date("9999-12-31T23:59:59Z") },
      { name: "s", value: "", expires: new Date(0) },
    ],
    [
      "s=1; Path=/; Max-Age=34560001",
      "s=1; Path=/; Expires=Fri, 31 Dec 9999 23:59:59 GMT",
      "s=; Path=/; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    ],
  ],
  [
    "writes every character that a name may have",
    [{ name: "!#$%&'*+-.^_`|~09azAZ", value: "1" }],
    ["!#$%&'*+-.^_`|~09azAZ=1; Path=/"],
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
  ["a domain that ends with a hexadecimal number", { name: "a", value: "", domain: "127.0.0.0x1" }],
  ...[
    ...[",a", "a,b", ".", "..x.example", "x..example", "x.example.", "-x.example", "x-.example", "x.-a"],
    ...["x.example:8080", "https://x.example", "x.example/", "*.x.example", "user@x.example", "x y.example"],
    ...[" x.example", "x.example ", "x.example; Path=/", "b\u00fccher.example", "x\t.example", "x\u0000"],
    ...[".127.0.0.1", "127.0.0.01", "127.1", "1", "x.1", "::1", "[::1]", "256.0.0.1"],
    ...[`${"a".repeat(64)}.example`, `${"a.".repeat(130)}example`],
  ].map((domain) => [`the domain ${JSON.stringify(domain)}`, { name: "a", value: "", domain }] as const),
  ["a domain that is not a string", { name: "a", value: "", domain: 1 }],
  ["an empty path", { name: "a", value: "", path: "" }],
  ["a path with a control character", { name: "a", value: "", path: "/\u0007" }],
  ["a path beyond ASCII", { name: "a", value: "", path: "/\u00e9" }],
  ["a path that ends with a blank", { name: "a", value: "", path: "/a " }],
  ["a path of 1025 bytes", { name: "a", value: "", path: `/${"a".repeat(1024)}` }],
  ["a path that is not a string", { name: "a", value: "", path: 1 }],
  ["4097 bytes", { name: "a", value: "x".repeat(4096) }],
  ["4097 bytes of which most are the name", { name: `a${"x".repeat(4096)}`, value: "" }],
  ["a value that is too large once it is encoded", { name: "a", value: "\u00e9".repeat(800) }],
  ["an expires before 1601", { name: "a", value: "", expires: new Date("1600-12-31T00:00:00Z") }],
  ["an expires after 9999", { name: "a", value: "", expires: new Date("+010000-01-01T00:00:00Z") }],
  ["an infinite maxAge", { name: "a", value: "", maxAge: Number.POSITIVE_INFINITY }],
  ["a name beyond ASCII", { name: "a\u00e9", value: "" }],
  ["a name with a blank", { name: "a b", value: "" }],
  ["a name that is not a string", { name: 1, value: "a" }],
  ["__HOST- with a path", { name: "__HOST-a", value: "", secure: true, path: "/x" }],
  ["__http- without secure", { name: "__http-a", value: "", httpOnly: true }],
  ["__Http- without httpOnly", { name: "__Http-a", value: "", secure: true }],
  ["__Host-Http- without httpOnly", { name: "__Host-Http-a", value: "", secure: true }],
  [
    "__Host-Http- with a domain",
    { name: "__Host-Http-a", value: "", secure: true, httpOnly: true, domain: "x.example" },
  ],
  ["__SECURE- without secure", { name: "__SECURE-a", value: "" }],
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
