/** Contract cases: `csrf()`, which refuses requests that a page of another origin makes a browser send. */
import { type CSRFOptions, csrf } from "../../../lib/index.ts"
import { app, type Case, error } from "./case.ts"

const passes = { body: "done" }
const refused = { status: 403, ...error("forbidden", "the request comes from a page of another origin") }

/** The origin of the app. */
const own = "http://localhost"
const evil = "https://evil.example"
const admin = "https://admin.example"

type Row = readonly [
  name: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  passes: boolean,
  options?: CSRFOptions,
]

const rows: readonly Row[] = [
  ["a form of the same origin", "POST", { origin: own, "sec-fetch-site": "same-origin" }, true],
  ["a request from the address bar", "POST", { "sec-fetch-site": "none" }, true],
  ["a page of another site", "POST", { origin: evil, "sec-fetch-site": "cross-site" }, false],
  ["a page of another site that sends no Origin", "POST", { "sec-fetch-site": "cross-site" }, false],
  ["a subdomain", "POST", { origin: "http://blog.localhost", "sec-fetch-site": "same-site" }, false],
  ["a value of Sec-Fetch-Site that does not exist yet", "POST", { "sec-fetch-site": "same-something" }, false],
  ["Sec-Fetch-Site wins over Origin", "POST", { origin: own, "sec-fetch-site": "cross-site" }, false],
  ["the Origin null from a page of the same origin", "POST", { origin: "null", "sec-fetch-site": "same-origin" }, true],
  ["plain HTTP, where only Origin is sent", "POST", { origin: own }, true],
  ["the Origin is https behind a proxy that ends TLS", "POST", { origin: "https://localhost" }, true],
  ["the Origin has the default port", "POST", { origin: "https://localhost:443" }, true],
  ["another origin", "POST", { origin: evil }, false],
  ["another port", "POST", { origin: "http://localhost:8080" }, false],
  ["a host that only begins the same", "POST", { origin: "http://localhost.evil.example" }, false],
  ["a sandboxed frame", "POST", { origin: "null" }, false],
  ["an invalid origin", "POST", { origin: "localhost" }, false],
  ["a browser extension", "POST", { origin: "moz-extension://localhost" }, false],
  ["a client that is not a browser", "POST", {}, true],
  ["the Referer does not count", "POST", { referer: `${evil}/`, origin: own }, true],
  ...["PUT", "PATCH", "DELETE", "PURGE"].map(
    (method): Row => ["the method changes data", method, { origin: evil }, false],
  ),
  ...["GET", "HEAD", "OPTIONS"].map((method): Row => ["the method changes no data", method, { origin: evil }, true]),
  ...["text/plain", "application/json", "APPLICATION/JSON; x", "Text/Plain;charset=utf-8", "a/b", ""].map(
    (type): Row => [
      `the content type does not matter, such as ${type || "none"}`,
      "POST",
      { origin: evil, "sec-fetch-site": "cross-site", ...(type ? { "content-type": type } : {}) },
      false,
    ],
  ),
  ["the origin is in the list", "POST", { origin: admin, "sec-fetch-site": "same-site" }, true, { origins: [admin] }],
  [
    "the origin is in the list with another scheme",
    "POST",
    { origin: "http://admin.example" },
    false,
    { origins: [admin] },
  ],
  [
    "a function accepts the origin",
    "POST",
    { origin: admin, "sec-fetch-site": "cross-site" },
    true,
    { origins: async (origin, c) => origin === admin && c.path === "/" },
  ],
]

export const csrfCases: readonly Case[] = rows.map(([name, method, headers, passing, options]) => ({
  subject: "csrf()",
  name: `${method} is ${passing ? "accepted" : "answered with 403"}: ${name}`,
  app: app((a) => {
    a.use(csrf(options))
    for (const one of ["GET", "POST", "PUT", "PATCH", "DELETE", "PURGE", "OPTIONS"])
      a.registerRoute(one, "/", (c) => c.string(200, "done"))
  }),
  request: { method, path: "/", headers },
  expect: method === "HEAD" ? {} : passing ? passes : refused,
}))
