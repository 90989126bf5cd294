/**
 * Contract cases: answers that cannot be sent to any client. Each is a bug of the program, with the same message on
 * every runtime.
 */
import { type Context, type HandlerResult, type ProxyResult, proxy } from "../../../lib/index.ts"
import { app, type Case } from "./case.ts"

/** The methods as a program in JavaScript, or with an `any`, can call them. */
type Loose = {
  readonly [name in keyof Context]: (...given: readonly unknown[]) => Response
}
type LooseProxy = { readonly [name in keyof typeof proxy]: (...given: readonly unknown[]) => ProxyResult }

type Row = readonly [call: string, answer: (c: Loose) => HandlerResult, message: string]

const range = "it is an integer from 200 to 599"
const first = `${range}. The status comes first, as in c.json(200, data)`
const location =
  "the target of a redirect is a URL object, or a text that is not blank and has no line break, control character, backslash or half of a surrogate pair"
const advice = '. Write c.redirect(303, "/path")'
const proxyAdvice = '. Write proxy.redirect("/path", 303)'
const redirects = "301, 302, 303, 307 or 308"

const statuses: ReadonlyArray<readonly [shown: string, status: unknown, given: string]> = [
  ["undefined", undefined, "undefined"],
  ["null", null, "null"],
  ['"200"', "200", "a string"],
  ["{}", {}, "an object"],
  ["[200]", [200], "an array"],
  ["true", true, "a boolean"],
  ["200.5", 200.5, "200.5"],
  ["65736", 65736, "65736"],
  ["99", 99, "99"],
  ["0", 0, "0"],
  ["-1", -1, "-1"],
  ["NaN", Number.NaN, "NaN"],
  ["Infinity", Number.POSITIVE_INFINITY, "Infinity"],
  ["100", 100, "100"],
  ["101", 101, "101"],
  ["103", 103, "103"],
  ["199", 199, "199"],
  ["600", 600, "600"],
]

const ofStatus = statuses.flatMap(([shown, status, given]): Row[] => {
  const message = `${given} is not a status: ${typeof status === "number" ? range : first}`
  return [
    [`c.json(${shown}, {})`, (c) => c.json(status, {}), message],
    [`c.string(${shown}, "a")`, (c) => c.string(status, "a"), message],
    [`c.html(${shown}, "a")`, (c) => c.html(status, "a"), message],
    [`c.blob(${shown}, "a/b", "a")`, (c) => c.blob(status, "a/b", "a"), message],
    [`c.stream(${shown}, …)`, (c) => c.stream(status, new ReadableStream()), message],
  ]
})

const wrongURLs: ReadonlyArray<readonly [shown: string, url: unknown, given: string]> = [
  ["undefined", undefined, ", not undefined"],
  ["null", null, ", not null"],
  ['""', "", ""],
  ['" "', " ", ""],
  ['" \\u3000"', " \u3000", ""],
  ["302", 302, ", not a number"],
  ["{}", {}, ", not an object"],
  ["[]", [], ", not an array"],
  ['"/\\ud800"', "/\ud800", ""],
  ['"/a\\udc00b"', "/a\udc00b", ""],
]

const ofURL = wrongURLs.flatMap(([shown, url, given]): Row[] => {
  return [
    [`c.redirect(302, ${shown})`, (c) => c.redirect(302, url), `${location}${given}`],
    ...(typeof url === "string"
      ? [[`c.redirect(${shown}, 302)`, (c: Loose) => c.redirect(url, 302), location] as const]
      : []),
  ]
})

/** Targets of redirects that no browser follows. */
const unfollowed: ReadonlyArray<readonly [url: string | URL, scheme: string]> = [
  ["javascript:alert(1)", "javascript:"],
  ["JavaScript:alert(1)", "javascript:"],
  ["  javascript:alert(1)", "javascript:"],
  ["javascript://x.example/%0aalert(1)", "javascript:"],
  ["data:text/html,<p>", "data:"],
  ["vbscript:a", "vbscript:"],
  ["blob:https://x.example/1", "blob:"],
  ["file:///etc/passwd", "file:"],
  ["filesystem:https://x.example/a", "filesystem:"],
  ["about:blank", "about:"],
  ["view-source:https://x.example", "view-source:"],
  [new URL("javascript:alert(2)"), "javascript:"],
  [new URL("DATA:,a"), "data:"],
]

const schemeMessage = (scheme: string) =>
  `no browser follows a redirect to ${scheme} URLs, so send a path, or a URL of http, https or an app, such as myapp://callback`

const ofScheme = unfollowed.flatMap(([url, scheme]): Row[] => {
  const shown = JSON.stringify(url)
  const message = schemeMessage(scheme)
  return [
    [`c.redirect(302, ${shown})`, (c) => c.redirect(302, url), message],
    [
      `c.setHeader("Location", ${shown})`,
      (c) => {
        c.setHeader("Location", String(url))
        return c.noContent()
      },
      message,
    ],
    [
      `c.appendHeader("HX-Redirect", ${shown})`,
      (c) => {
        c.appendHeader("HX-Redirect", String(url))
        return c.noContent()
      },
      message,
    ],
    [
      `a Response with Location ${shown}`,
      () => new Response(null, { status: 303, headers: { location: String(url) } }),
      message,
    ],
  ]
})

const others: readonly Row[] = [
  ["c.redirect(302)", (c) => c.redirect(302), `${location}, not undefined`],
  ["c.redirect()", (c) => c.redirect(), `the status of a redirect is ${redirects}, not undefined${advice}`],
  ['c.redirect("/a")', (c) => c.redirect("/a"), `the status of a redirect is ${redirects}, not undefined${advice}`],
  [
    'c.redirect("/a", "302")',
    (c) => c.redirect("/a", "302"),
    `the status of a redirect is ${redirects}, not a string${advice}`,
  ],
  ['c.redirect(200, "/a")', (c) => c.redirect(200, "/a"), `the status of a redirect is ${redirects}, not 200${advice}`],
  ['c.redirect(304, "/a")', (c) => c.redirect(304, "/a"), `the status of a redirect is ${redirects}, not 304${advice}`],
  ["c.json({ a: 1 })", (c) => c.json({ a: 1 }), `an object is not a status: ${first}`],
  ['c.string("a")', (c) => c.string("a"), `a string is not a status: ${first}`],
  ['c.blob("a/b", "a")', (c) => c.blob("a/b", "a"), `a string is not a status: ${first}`],
  ["c.blob(bytes)", (c) => c.blob(new Uint8Array(1)), `an object is not a status: ${first}`],
  ["c.stream(source)", (c) => c.stream(new ReadableStream()), `an object is not a status: ${first}`],
  ['c.stream(source, "a/b")', (c) => c.stream(new ReadableStream(), "a/b"), `an object is not a status: ${first}`],
  ['c.json("a", 200)', (c) => c.json("a", 200), `a string is not a status: ${first}`],
  ["c.json(200)", (c) => c.json(200), "c.json(200, …) was given undefined, which JSON cannot represent"],
  [
    "c.json(201, () => 1)",
    (c) => c.json(201, () => 1),
    "c.json(201, …) was given a function, which JSON cannot represent",
  ],
  ["c.json(204, {})", (c) => c.json(204, {}), "an answer of status 204 has no body: return c.noContent()"],
  [
    "c.json(205, {})",
    (c) => c.json(205, {}),
    "an answer of status 205 has no body: return new Response(null, { status: 205 })",
  ],
  [
    "c.string(304, '')",
    (c) => c.string(304, ""),
    "an answer of status 304 has no body: return new Response(null, { status: 304 })",
  ],
  ["c.setHeader()", (c) => c.setHeader(), "undefined is not a valid header name"],
  ['c.setHeader(null, "a")', (c) => c.setHeader(null, "a"), "null is not a valid header name"],
  ['c.setHeader(1, "a")', (c) => c.setHeader(1, "a"), "1 is not a valid header name"],
  ['c.setHeader("a b", "a")', (c) => c.setHeader("a b", "a"), '"a b" is not a valid header name'],
  ['c.setHeader("x-a")', (c) => c.setHeader("x-a"), "the header x-a takes a string, not undefined"],
  ['c.setHeader("x-a", null)', (c) => c.setHeader("x-a", null), "the header x-a takes a string, not null"],
  ['c.appendHeader("x-a", 1)', (c) => c.appendHeader("x-a", 1), "the header x-a takes a string, not a number"],
  [
    "c.blob(200, undefined, …)",
    (c) => c.blob(200, undefined, "a"),
    "the header content-type takes a string, not undefined",
  ],
]

/** Invalid values for each method that sends content. */
const contents: ReadonlyArray<readonly [shown: string, value: () => unknown, given: string]> = [
  ["nothing", () => undefined, "undefined"],
  ["null", () => null, "null"],
  ["an object", () => ({}), "an object"],
  ["a promise", () => Promise.resolve(""), "a promise"],
  ["a function", () => () => "", "a function"],
]

const ofContent = contents.flatMap(([shown, value, given]): Row[] => {
  const hint = given === "a promise" ? ": write await before it" : ""
  return [
    [`c.string(200, ${shown})`, (c) => c.string(200, value()), `c.string() sends text, not ${given}${hint}`],
    [`c.html(200, ${shown})`, (c) => c.html(200, value()), `c.html() sends text or Html, not ${given}${hint}`],
    [`c.xml(200, ${shown})`, (c) => c.xml(200, value()), `c.xml() sends text or Xml, not ${given}${hint}`],
    [
      `c.blob(200, "a/b", ${shown})`,
      (c) => c.blob(200, "a/b", value()),
      `c.blob() sends text, bytes, a Blob or a ReadableStream, not ${given}${hint}`,
    ],
    [
      `c.stream(200, ${shown})`,
      (c) => c.stream(200, value()),
      `c.stream() sends a ReadableStream or the values of an async generator, not ${given}${given === "a function" ? ": call it" : hint}`,
    ],
  ]
})

const ofAnswer: readonly Case[] = [...ofStatus, ...ofURL, ...ofScheme, ...others, ...ofContent].map(
  ([call, answer, message]): Case => ({
    subject: "error body message",
    name: `${call} is a bug`,
    app: app((a) => {
      a.onError((c, error) => c.json(500, { name: (error as Error).name, message: (error as Error).message }))
      a.get("/", (c) => answer(c as unknown as Loose))
    }),
    request: "/",
    expect: {
      status: 500,
      json: { name: "TypeError", message },
      headers: { location: null, "x-a": null, undefined: null, null: null },
    },
  }),
)

type ProxyRow = readonly [call: string, run: (p: LooseProxy) => ProxyResult, message: string]

const ofProxy: readonly ProxyRow[] = [
  ["proxy.redirect()", (p) => p.redirect(), `${location}, not undefined`],
  ["proxy.redirect(null)", (p) => p.redirect(null), `${location}, not null`],
  ['proxy.redirect("")', (p) => p.redirect(""), location],
  ...unfollowed.map(
    ([url, scheme]): ProxyRow => [
      `proxy.redirect(${JSON.stringify(url)})`,
      (p) => p.redirect(url),
      schemeMessage(scheme),
    ],
  ),
  ["proxy.redirect(302)", (p) => p.redirect(302), `${location}, not a number`],
  [
    'proxy.redirect("/a", 200)',
    (p) => p.redirect("/a", 200),
    `the status of a redirect is ${redirects}, not 200${proxyAdvice}`,
  ],
  [
    'proxy.redirect("/a", "302")',
    (p) => p.redirect("/a", "302"),
    `the status of a redirect is ${redirects}, not a string${proxyAdvice}`,
  ],
  [
    'proxy.redirect(303, "/a")',
    (p) => p.redirect(303, "/a"),
    `the status of a redirect is ${redirects}, not a string${proxyAdvice}`,
  ],
  ["proxy.responseJSON()", (p) => p.responseJSON(), `undefined is not a status: ${first}`],
  ["proxy.responseJSON({})", (p) => p.responseJSON({}), `an object is not a status: ${first}`],
  [
    "proxy.responseJSON(200)",
    (p) => p.responseJSON(200),
    "proxy.responseJSON(200, …) was given undefined, which JSON cannot represent",
  ],
  [
    "proxy.responseJSON(201, () => 1)",
    (p) => p.responseJSON(201, () => 1),
    "proxy.responseJSON(201, …) was given a function, which JSON cannot represent",
  ],
  ["proxy.responseJSON(65736, {})", (p) => p.responseJSON(65736, {}), `65736 is not a status: ${range}`],
  ["proxy.rewrite()", (p) => p.rewrite(), "proxy.rewrite() takes a path that starts with a slash, not undefined"],
  ["proxy.rewrite(null)", (p) => p.rewrite(null), "proxy.rewrite() takes a path that starts with a slash, not null"],
  ["proxy.rewrite(5)", (p) => p.rewrite(5), "proxy.rewrite() takes a path that starts with a slash, not 5"],
  ['proxy.rewrite("a")', (p) => p.rewrite("a"), 'proxy.rewrite() takes a path that starts with a slash, not "a"'],
]

const inProxy: readonly Case[] = ofProxy.map(
  ([call, run, message]): Case => ({
    subject: "proxy rejection",
    name: `${call} is a bug`,
    app: app((a) => {
      a.onError((c, error) => c.json(500, { message: (error as Error).message }))
      a.setProxy(() => run(proxy as unknown as LooseProxy))
      a.get("/", (c) => c.noContent())
    }),
    request: "/",
    expect: { status: 500, json: { message }, headers: { location: null } },
  }),
)

type Sent = readonly [call: string, answer: (c: Loose) => HandlerResult, expect: Case["expect"]]

/** Valid values that are similar to the refused ones. */
const sent: readonly Sent[] = [
  ["c.json(200, null)", (c) => c.json(200, null), { body: "null" }],
  ["c.json(599, 1)", (c) => c.json(599, 1), { status: 599, body: "1" }],
  ["c.string(200, 5)", (c) => c.string(200, 5), { body: "5" }],
  ["c.html(200, an object with toString)", (c) => c.html(200, { toString: () => "<p>" }), { body: "<p>" }],
  [
    "c.redirect(302, a URL)",
    (c) => c.redirect(302, new URL("https://x.example/a b")),
    { status: 302, headers: { location: "https://x.example/a%20b" } },
  ],
  ...[
    "mailto:ada@x.example",
    "myapp://callback?code=1",
    "com.example.app:/callback",
    "tel:+1",
    "java/script:",
    "/javascript:alert(1)",
    "?next=javascript:alert(1)",
    "#data:",
    "javascripts:a",
    "datax:a",
  ].map(
    (url): Sent => [
      `c.redirect(302, ${JSON.stringify(url)})`,
      (c) => c.redirect(302, url),
      { status: 302, headers: { location: url } },
    ],
  ),
  [
    "c.redirect(a URL, 303)",
    (c) => c.redirect(new URL("https://x.example"), 303),
    { status: 303, headers: { location: "https://x.example/" } },
  ],
  [
    "c.blob(200, type, a view)",
    (c) => c.blob(200, "a/b", new DataView(new TextEncoder().encode("-hi-").buffer, 1, 2)),
    { body: "hi" },
  ],
]

export const answersRefused: readonly Case[] = [
  ...ofAnswer,
  ...inProxy,
  ...sent.map(
    ([call, answer, expect]): Case => ({
      subject: "c.json()",
      name: `${call} is sent`,
      app: app((a) => a.get("/", (c) => answer(c as unknown as Loose))),
      request: "/",
      expect,
    }),
  ),
]
