/** Contract cases: the answers that a context creates, with their headers and cookies. */
import { rawXml } from "../../../lib/html.ts"
import type { Context, HandlerResult } from "../../../lib/index.ts"
import { app, type Case, type Expected, error } from "./case.ts"

type Row = readonly [subject: string, name: string, answer: (c: Context) => HandlerResult, expect: Expected]

const bug: Expected = { status: 500, ...error("internal_server_error", "internal server error") }
const bytes = new Uint8Array([104, 105])
const textType = "text/plain; charset=utf-8"

/** Returns the response. Its first argument is a call that sets a header before the response is created. */
const after = (_set: unknown, response: Response) => response

const made: readonly Row[] = [
  [
    "c.json()",
    "sends status, type and body",
    (c) => c.json(201, { a: 1, d: new Date(0), u: undefined }),
    { status: 201, json: { a: 1, d: "1970-01-01T00:00:00.000Z" } },
  ],
  ["c.json()", "null and text are sent as JSON", (c) => c.json(200, [null, "é\u2028"]), { body: '[null,"é\u2028"]' }],
  ["c.json()", "undefined is a bug", (c) => c.json(200, undefined), bug],
  ["c.json()", "a BigInt is a bug", (c) => c.json(200, { a: 1n }), bug],
  ["c.json()", "an invalid status is a bug", (c) => c.json(99, {}), bug],
  ["c.json()", "a body for 204 is a bug", (c) => c.json(204, {}), bug],
  [
    "c.json() with an error",
    "sends the body that the handler wrote",
    (c) => c.json(401, { error: "invalid token" }),
    { status: 401, json: { error: "invalid token" } },
  ],
  [
    "c.html()",
    "sends status, type and the unchanged body",
    (c) => c.html(202, "<p>ü</p>"),
    { status: 202, headers: { "content-type": "text/html; charset=utf-8" }, body: "<p>ü</p>" },
  ],
  [
    "c.xml()",
    "sends status, type and the unchanged body",
    (c) => c.xml(202, '<?xml version="1.0"?><a>ü</a>'),
    {
      status: 202,
      headers: { "content-type": "application/xml; charset=utf-8" },
      body: '<?xml version="1.0"?><a>ü</a>',
    },
  ],
  [
    "c.xml()",
    "sends Xml of a template with the type that the route sets",
    (c) => after(c.setHeader("content-type", "application/rss+xml; charset=utf-8"), c.xml(200, rawXml("<rss/>"))),
    { headers: { "content-type": "application/rss+xml; charset=utf-8" }, body: "<rss/>" },
  ],
  [
    "c.string()",
    "sends status, type and body",
    (c) => c.string(418, "ü"),
    { status: 418, headers: { "content-type": textType }, body: "ü" },
  ],
  [
    "c.string()",
    "can send an empty text",
    (c) => c.string(200, ""),
    { headers: { "content-type": textType }, body: "" },
  ],
  [
    "c.noContent()",
    "sends 204 without a body or type",
    (c) => c.noContent(),
    { status: 204, headers: { "content-type": null }, body: "" },
  ],
  ...(
    [
      ["bytes", bytes],
      ["an ArrayBuffer", bytes.buffer],
      ["text", "hi"],
    ] as const
  ).map(
    ([name, data]): Row => [
      "c.blob()",
      `sends ${name}`,
      (c) => c.blob(200, "image/png", data),
      { headers: { "content-type": "image/png" }, body: "hi" },
    ],
  ),
  ["c.blob()", "sends a Blob", (c) => c.blob(200, "image/png", new Blob([bytes])), { body: "hi" }],
  [
    "c.blob()",
    "sends a stream",
    (c) => c.blob(206, "a/b", new Blob([bytes, "!"]).stream()),
    { status: 206, headers: { "content-type": "a/b" }, body: "hi!" },
  ],
  [
    "c.blob()",
    "refuses a line break in the type",
    (c) => c.blob(200, "a/b\r\nx-evil: 1", bytes),
    { ...bug, headers: { "x-evil": null } },
  ],
  ...[301, 302, 303, 307, 308].map(
    (status): Row => [
      "c.redirect()",
      `sends the status ${status} and the location`,
      (c) => c.redirect(status, "/to?a=1#b"),
      { status, headers: { location: "/to?a=1#b" }, body: "" },
    ],
  ),
  [
    "c.redirect()",
    "accepts the status after the location",
    (c) => c.redirect("/login", 302),
    { status: 302, headers: { location: "/login" } },
  ],
  [
    "c.redirect()",
    "encodes characters that are not ASCII",
    (c) => c.redirect(302, "/a b/ü?ü=%20"),
    { status: 302, headers: { location: "/a%20b/%C3%BC?%C3%BC=%20" } },
  ],
  [
    "c.redirect()",
    "can redirect to another host",
    (c) => c.redirect(302, "https://x.example/"),
    { status: 302, headers: { location: "https://x.example/" } },
  ],
  ...["/a\r\nset-cookie: evil=1", "/a\n", "/\\evil.example", "/a\0", "/\t/evil.example"].map(
    (url): Row => [
      "c.redirect()",
      `refuses ${JSON.stringify(url)}`,
      (c) => c.redirect(302, url),
      { ...bug, cookies: [], headers: { location: null } },
    ],
  ),
  ["c.redirect()", "refuses a status that is not a redirect", (c) => c.redirect(304, "/"), bug],
  [
    "c.setHeader()",
    "works before the answer is created",
    (c) => after(c.setHeader("X-A", "1"), c.string(200, "")),
    { headers: { "x-a": "1" } },
  ],
  [
    "c.setHeader()",
    "works after the answer is created",
    (c) => {
      const r = c.string(200, "")
      c.setHeader("X-A", "1")
      return r
    },
    { headers: { "x-a": "1" } },
  ],
  [
    "c.setHeader()",
    "replaces a value of the same name",
    (c) => after(c.setHeader("x-a", "1"), after(c.setHeader("X-A", "2"), c.noContent())),
    { status: 204, headers: { "x-a": "2" } },
  ],
  [
    "c.setHeader()",
    "wins over the headers of the answer",
    (c) => after(c.setHeader("Content-Type", "text/css"), c.string(200, "a{}")),
    { headers: { "content-type": "text/css" } },
  ],
  [
    "c.setHeader()",
    "applies to a Response that the program made",
    (c) => after(c.setHeader("x-a", "1"), new Response("own", { headers: { "x-own": "2" } })),
    { body: "own", headers: { "x-a": "1", "x-own": "2" } },
  ],
  [
    "c.setHeader()",
    "applies to a Response with immutable headers",
    (c) => after(c.setHeader("x-a", "1"), Response.redirect("http://localhost/to", 302)),
    { status: 302, headers: { "x-a": "1", location: "http://localhost/to" } },
  ],
  [
    "c.setHeader()",
    "appendHeader adds a value to earlier ones",
    (c) => after(c.appendHeader("Vary", "A"), after(c.appendHeader("vary", "B"), c.noContent())),
    { status: 204, headers: { vary: "A, B" } },
  ],
  ...(
    [
      ["x-a", "1\r\nx-evil: 1"],
      ["x-a", "1\nx-evil: 1"],
      ["x-a\r\nx-evil", "1"],
      ["x a", "1"],
      ["", "1"],
      ["x-a", "\0"],
      ["x-a", "€"],
      ["x-a", "\x7f"],
    ] as const
  ).flatMap(([name, value]): Row[] => [
    [
      "c.setHeader()",
      `refuses ${JSON.stringify(`${name}: ${value}`)}`,
      (c) => after(c.setHeader(name, value), c.noContent()),
      { ...bug, headers: { "x-evil": null, "x-a": null } },
    ],
    [
      "c.setHeader()",
      `appendHeader refuses ${JSON.stringify(`${name}: ${value}`)}`,
      (c) => after(c.appendHeader(name, value), c.noContent()),
      { ...bug, headers: { "x-evil": null, "x-a": null } },
    ],
  ]),
  [
    "c.setHeader()",
    "takes tabs and Latin-1",
    (c) => after(c.setHeader("x-a", "a\tü"), c.noContent()),
    { status: 204, headers: { "x-a": "a\tü" } },
  ],
]

function answering(answer: (c: Context) => HandlerResult) {
  return app((a) => a.get("/", answer))
}

export const contextAnswers: readonly Case[] = [
  ...made.map(
    ([subject, name, answer, expect]): Case => ({
      subject,
      name,
      app: answering(answer),
      request: "/",
      expect,
    }),
  ),
]
