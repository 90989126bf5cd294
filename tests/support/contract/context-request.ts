/** Contract cases: the values that a context returns for the request's line and headers. */
import { type Ask, app, type Case } from "./case.ts"
import { type Row, readingCases } from "./reading.ts"

const cookies = (cookie: string): Ask => ({ path: "/", headers: { cookie } })
const headers = (headers: Record<string, string>): Ask => ({ path: "/", headers })

const read: readonly Row[] = [
  ["c.param()", "is the decoded segment", (c) => c.param("id"), "/p/caf%C3%A9%20%2F%20x", "café / x"],
  ["c.param()", 'is "" for a name that is not in the pattern', (c) => c.param("nope"), "/p/1", ""],
  [
    "c.param()",
    'is "" for a name of Object.prototype',
    (c) => [c.param("__proto__"), c.param("constructor")],
    "/p/1",
    ["", ""],
  ],
  [
    "c.param()",
    "is the rest of the path for a final *",
    (c) => [c.param("first"), c.param("*")],
    "/rest/a/b/c",
    ["a", "b/c"],
  ],
  ["c.param()", "keeps an encoded slash in a catch-all encoded", (c) => c.param("*"), "/rest/a/b%2Fc/d%25", "b%2Fc/d%"],
  [
    "c.param()",
    "can have a value that is a name in Object.prototype",
    (c) => c.param("id"),
    "/p/__proto__",
    "__proto__",
  ],
  ["c.paramInt()", "is the integer", (c) => c.paramInt("id"), "/p/42", 42],
  ["c.paramInt()", "may be negative", (c) => c.paramInt("id"), "/p/-7", -7],
  ...["4x", "1.5", "1e3", "0x10", "%20", "9007199254740993", "-", "Infinity", "1_000", "%D9%A1"].map(
    (id): Row => ["c.paramInt()", `is 0 for ${id}`, (c) => c.paramInt("id"), `/p/${id}`, 0],
  ),
  ["c.paramInt() is 0", "it is never -0", (c) => Object.is(c.paramInt("id"), 0), "/p/-0", true],
  ["c.query()", "is decoded", (c) => c.query("q"), "/?q=a+b%26c%C3%BC", "a b&cü"],
  [
    "c.query()",
    "is the first of several, and queryAll() all",
    (c) => [c.query("q"), c.queryAll("q")],
    "/?q=1&q=2",
    ["1", ["1", "2"]],
  ],
  ["c.query()", 'is "" when missing', (c) => [c.query("q"), c.queryAll("q")], "/", ["", []]],
  [
    "c.query()",
    "treats __proto__ as any other name",
    (c) => [c.query("__proto__"), c.query("constructor")],
    "/?__proto__=1",
    ["1", ""],
  ],
  ["c.queryDefault()", "is the value", (c) => c.queryDefault("q", "d"), "/?q=1", "1"],
  ["c.queryDefault()", "is the default when missing", (c) => c.queryDefault("q", "d"), "/?r=1", "d"],
  ["c.queryDefault()", 'is "" when present and empty', (c) => c.queryDefault("q", "d"), "/?q=", ""],
  ["c.queryInt()", "is the integer", (c) => c.queryInt("q", 5), "/?q=-3", -3],
  ["c.queryInt()", "is the default when missing", (c) => c.queryInt("q", 5), "/", 5],
  ["c.queryInt()", "is the default when malformed", (c) => c.queryInt("q", 5), "/?q=ten", 5],
  ["c.queryInt()", "is 0 without a default", (c) => c.queryInt("q"), "/", 0],
  ...["true", "1", "yes", "on", "TRUE"].map(
    (q): Row => ["c.queryBool()", `${q} is true`, (c) => c.queryBool("q", false), `/?q=${q}`, true],
  ),
  ...["false", "0", "no", "off", "False"].map(
    (q): Row => ["c.queryBool()", `${q} is false`, (c) => c.queryBool("q", true), `/?q=${q}`, false],
  ),
  [
    "c.queryBool()",
    "is the default when missing",
    (c) => [c.queryBool("q", true), c.queryBool("q")],
    "/",
    [true, false],
  ],
  ["c.queryBool()", "is the default when malformed", (c) => c.queryBool("q", true), "/?q=maybe", true],
  [
    "c.header()",
    "finds a header by any case of its name",
    (c) => c.header("X-ToKen"),
    headers({ "x-token": "t" }),
    "t",
  ],
  ["c.header()", 'is "" when absent', (c) => c.header("x-token"), "/", ""],
  [
    "c.header()",
    'is "" for a member of Object.prototype',
    (c) => [c.header("constructor"), c.header("__proto__"), c.header("toString")],
    "/",
    ["", "", ""],
  ],
  ["c.header()", 'is "" for a name that no header can have', (c) => c.header("no name"), "/", ""],
  ["c.cookie()", "is the value", (c) => [c.cookie("a"), c.cookie("b")], cookies("a=1; b=two"), ["1", "two"]],
  ["c.cookie()", 'is "" when absent', (c) => c.cookie("x"), cookies("a=1; ax=2"), ""],
  [
    "c.cookie()",
    "is decoded and unquoted",
    (c) => [c.cookie("a"), c.cookie("b")],
    cookies('a=%C3%BC%20; b="q"'),
    ["ü ", "q"],
  ],
  ["c.cookie()", "is not decoded if it is not validly encoded", (c) => c.cookie("a"), cookies("a=100%"), "100%"],
  ["c.cookie()", "is the first of several", (c) => c.cookie("a"), cookies("a=1; a=2"), "1"],
  ["c.cookie()", "can have a value with =", (c) => c.cookie("a"), cookies("novalue; a=b=c; ="), "b=c"],
  [
    "c.cookie()",
    "treats __proto__ as any other name",
    (c) => [c.cookie("__proto__"), c.cookie("constructor")],
    cookies("__proto__=1"),
    ["1", ""],
  ],
  ["c.method", "is the method as the client sent it", (c) => c.method, "PURGE /", "PURGE"],
  ["c.path", "is canonical and without the query", (c) => c.path, "/p/%61%2f%7e?x=/y", "/p/a%2F~"],
  [
    "c.isJSON",
    "is true for application/json",
    (c) => c.isJSON,
    headers({ "content-type": "Application/JSON ; charset=utf-8" }),
    true,
  ],
  [
    "c.isJSON",
    "is true for a type that ends with +json",
    (c) => c.isJSON,
    headers({ "content-type": "application/merge-patch+json" }),
    true,
  ],
  ["c.isJSON", "is false for text/json", (c) => c.isJSON, headers({ "content-type": "text/json" }), false],
  [
    "c.isJSON",
    "is false for application/jsonp",
    (c) => c.isJSON,
    headers({ "content-type": "application/jsonp" }),
    false,
  ],
  ["c.isJSON", "is false without a Content-Type", (c) => c.isJSON, "/", false],
  ["c.isHTMX", "is true with the header HX-Request", (c) => c.isHTMX, headers({ "HX-Request": "true" }), true],
  ["c.isHTMX", "is false without the header HX-Request", (c) => c.isHTMX, headers({ "HX-Boosted": "true" }), false],
]

export const contextRequest: readonly Case[] = [
  ...readingCases(read),
  ...readingCases(
    [["c.clientIP", 'is "" if the runtime does not know the address of the client', (c) => c.clientIP, "/", ""]],
    "fetch",
  ),
  {
    subject: "c.paramInt() is 0",
    name: "a handler can treat 0 as invalid",
    app: app((a) =>
      a.get("/users/{id}", (c) => (c.paramInt("id") === 0 ? c.json(400, { error: "invalid id" }) : c.json(200, {}))),
    ),
    request: "/users/abc",
    expect: { status: 400, json: { error: "invalid id" } },
  },
]
