/** Contract cases: what a context tells of the request's line and headers. */
import { type Ask, app, type Case } from "./case.ts"
import { type Row, readingCases } from "./reading.ts"

const cookies = (cookie: string): Ask => ({ path: "/", headers: { cookie } })
const headers = (headers: Record<string, string>): Ask => ({ path: "/", headers })

const read: readonly Row[] = [
  [
    "Context Param(name)",
    "is the decoded segment",
    (c) => c.param("id"),
    "/p/caf%C3%A9%20%2F%20x",
    "café / x",
  ],
  ["Context Param(name)", 'is "" for a name that the pattern has not', (c) => c.param("nope"), "/p/1", ""],
  [
    "Context Param(name)",
    'is "" for a name of Object.prototype',
    (c) => [c.param("__proto__"), c.param("constructor")],
    "/p/1",
    ["", ""],
  ],
  [
    "Context Param(name)",
    "is all that is left for a final *",
    (c) => [c.param("first"), c.param("*")],
    "/rest/a/b/c",
    ["a", "b/c"],
  ],
  [
    "Context Param(name)",
    "keeps an encoded slash in a catch-all apart",
    (c) => c.param("*"),
    "/rest/a/b%2Fc/d%25",
    "b%2Fc/d%",
  ],
  [
    "Context Param(name)",
    "may be named as a member of Object.prototype is",
    (c) => c.param("id"),
    "/p/__proto__",
    "__proto__",
  ],
  ["Context ParamInt(name)", "is the integer", (c) => c.paramInt("id"), "/p/42", 42],
  ["Context ParamInt(name)", "may be negative", (c) => c.paramInt("id"), "/p/-7", -7],
  ...["4x", "1.5", "1e3", "0x10", "%20", "9007199254740993", "-", "Infinity", "1_000", "%D9%A1"].map(
    (id): Row => ["Context ParamInt(name)", `is 0 for ${id}`, (c) => c.paramInt("id"), `/p/${id}`, 0],
  ),
  ["Errors 5 ParamInt 0", "no -0 comes out", (c) => Object.is(c.paramInt("id"), 0), "/p/-0", true],
  ["Context Query(name)", "is decoded", (c) => c.query("q"), "/?q=a+b%26c%C3%BC", "a b&cü"],
  [
    "Context Query(name)",
    "is the first of several, and queryAll() all",
    (c) => [c.query("q"), c.queryAll("q")],
    "/?q=1&q=2",
    ["1", ["1", "2"]],
  ],
  ["Context Query(name)", 'is "" when missing', (c) => [c.query("q"), c.queryAll("q")], "/", ["", []]],
  [
    "Context Query(name)",
    "has no trouble with __proto__",
    (c) => [c.query("__proto__"), c.query("constructor")],
    "/?__proto__=1",
    ["1", ""],
  ],
  ["Context QueryDefault(name, def)", "is the value", (c) => c.queryDefault("q", "d"), "/?q=1", "1"],
  ["Context QueryDefault(name, def)", "is def when missing", (c) => c.queryDefault("q", "d"), "/?r=1", "d"],
  [
    "Context QueryDefault(name, def)",
    'is "" when present and empty',
    (c) => c.queryDefault("q", "d"),
    "/?q=",
    "",
  ],
  ["Context QueryInt(name, def)", "is the integer", (c) => c.queryInt("q", 5), "/?q=-3", -3],
  ["Context QueryInt(name, def)", "is def when missing", (c) => c.queryInt("q", 5), "/", 5],
  ["Context QueryInt(name, def)", "is def when malformed", (c) => c.queryInt("q", 5), "/?q=ten", 5],
  ["Context QueryInt(name, def)", "is 0 without a def", (c) => c.queryInt("q"), "/", 0],
  ...["true", "1", "yes", "on", "TRUE"].map(
    (q): Row => [
      "Context QueryBool(name, def)",
      `${q} is true`,
      (c) => c.queryBool("q", false),
      `/?q=${q}`,
      true,
    ],
  ),
  ...["false", "0", "no", "off", "False"].map(
    (q): Row => [
      "Context QueryBool(name, def)",
      `${q} is false`,
      (c) => c.queryBool("q", true),
      `/?q=${q}`,
      false,
    ],
  ),
  [
    "Context QueryBool(name, def)",
    "is def when missing",
    (c) => [c.queryBool("q", true), c.queryBool("q")],
    "/",
    [true, false],
  ],
  ["Context QueryBool(name, def)", "is def when malformed", (c) => c.queryBool("q", true), "/?q=maybe", true],
  [
    "Context Header(name)",
    "by any case of its name",
    (c) => c.header("X-ToKen"),
    headers({ "x-token": "t" }),
    "t",
  ],
  ["Context Header(name)", 'is "" when absent', (c) => c.header("x-token"), "/", ""],
  [
    "Context Header(name)",
    'is "" for a member of Object.prototype',
    (c) => [c.header("constructor"), c.header("__proto__"), c.header("toString")],
    "/",
    ["", "", ""],
  ],
  ["Context Header(name)", 'is "" for what no header can be called', (c) => c.header("no name"), "/", ""],
  [
    "Context Cookie(name)",
    "is the value",
    (c) => [c.cookie("a"), c.cookie("b")],
    cookies("a=1; b=two"),
    ["1", "two"],
  ],
  ["Context Cookie(name)", "empty when absent", (c) => c.cookie("x"), cookies("a=1; ax=2"), ""],
  [
    "Context Cookie(name)",
    "is decoded and unquoted",
    (c) => [c.cookie("a"), c.cookie("b")],
    cookies('a=%C3%BC%20; b="q"'),
    ["ü ", "q"],
  ],
  [
    "Context Cookie(name)",
    "stays as it is where it is no valid encoding",
    (c) => c.cookie("a"),
    cookies("a=100%"),
    "100%",
  ],
  ["Context Cookie(name)", "the first of several counts", (c) => c.cookie("a"), cookies("a=1; a=2"), "1"],
  ["Context Cookie(name)", "a value may hold =", (c) => c.cookie("a"), cookies("novalue; a=b=c; ="), "b=c"],
  [
    "Context Cookie(name)",
    "has no trouble with __proto__",
    (c) => [c.cookie("__proto__"), c.cookie("constructor")],
    cookies("__proto__=1"),
    ["1", ""],
  ],
  ["Context Method()", "is as it was sent", (c) => c.method, "PURGE /", "PURGE"],
  ["Context Path()", "is canonical and without the query", (c) => c.path, "/p/%61%2f%7e?x=/y", "/p/a%2F~"],
  [
    "Context IsJSON()",
    "application/json",
    (c) => c.isJSON,
    headers({ "content-type": "Application/JSON ; charset=utf-8" }),
    true,
  ],
  [
    "Context IsJSON()",
    "a +json kind",
    (c) => c.isJSON,
    headers({ "content-type": "application/merge-patch+json" }),
    true,
  ],
  ["Context IsJSON()", "no other", (c) => c.isJSON, headers({ "content-type": "text/json" }), false],
  [
    "Context IsJSON()",
    "nor application/jsonp",
    (c) => c.isJSON,
    headers({ "content-type": "application/jsonp" }),
    false,
  ],
  ["Context IsJSON()", "nor none", (c) => c.isJSON, "/", false],
  ["Context IsHTMX()", "by the header's presence", (c) => c.isHTMX, headers({ "HX-Request": "true" }), true],
  ["Context IsHTMX()", "not without", (c) => c.isHTMX, headers({ "HX-Boosted": "true" }), false],
]

/** The cases. */
export const contextRequest: readonly Case[] = [
  ...readingCases(read),
  ...readingCases(
    [["Context ClientIP()", 'is "" where the runtime tells none', (c) => c.clientIP, "/", ""]],
    "fetch",
  ),
  {
    row: "Errors 5 ParamInt 0",
    name: "a handler treats 0 as invalid",
    app: app((a) =>
      a.get("/users/{id}", (c) =>
        c.paramInt("id") === 0 ? c.json(400, { error: "invalid id" }) : c.json(200, {}),
      ),
    ),
    request: "/users/abc",
    expect: { status: 400, json: { error: "invalid id" } },
  },
]
