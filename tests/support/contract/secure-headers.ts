/** Contract cases: the headers of `secureHeaders()`, and which value wins if a header is already set. */
import { type SecureHeadersOptions, secureHeaders } from "../../../lib/index.ts"
import { type Ask, app, type Case, type Expected } from "./case.ts"

const rows: ReadonlyArray<
  readonly [name: string, options: SecureHeadersOptions, request: string | Ask, headers: Expected["headers"]]
> = [
  [
    "the default headers are sent",
    {},
    "/",
    {
      "content-security-policy": /^default-src 'self'; base-uri 'self'; .*script-src-attr 'none'/,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "cross-origin-embedder-policy": null,
      "origin-agent-cluster": "?1",
      "permissions-policy": null,
      "referrer-policy": "strict-origin-when-cross-origin",
      "x-content-type-options": "nosniff",
      "x-frame-options": "SAMEORIGIN",
      "x-permitted-cross-domain-policies": "none",
    },
  ],
  ["Strict-Transport-Security is not sent over plain HTTP", {}, "/", { "strict-transport-security": null }],
  [
    "Strict-Transport-Security is not sent because an untrusted client forwards https",
    {},
    { path: "/", headers: { "x-forwarded-proto": "https" } },
    { "strict-transport-security": null },
  ],
  [
    "an option changes the value of a header",
    { referrerPolicy: "no-referrer" },
    "/",
    { "referrer-policy": "no-referrer" },
  ],
  [
    "false leaves a header out",
    { contentSecurityPolicy: false, xFrameOptions: false },
    "/",
    { "content-security-policy": null, "x-frame-options": null },
  ],
  [
    "an option adds a header that has no default",
    { permissionsPolicy: "camera=()", crossOriginEmbedderPolicy: "require-corp" },
    "/",
    { "permissions-policy": "camera=()", "cross-origin-embedder-policy": "require-corp" },
  ],
  [
    "a header that a handler sets is kept",
    {},
    "/own",
    { "x-frame-options": "DENY", "x-content-type-options": "nosniff" },
  ],
  [
    "a header that a Response has is kept",
    {},
    "/response",
    { "x-frame-options": "DENY", "referrer-policy": /^strict/ },
  ],
  ["errors have the headers too", {}, "/none", { "x-content-type-options": "nosniff" }],
]

export const secureHeadersCases: readonly Case[] = rows.map(
  ([name, options, request, headers]): Case => ({
    subject: "secureHeaders()",
    name,
    app: app((a) => {
      a.use(secureHeaders(options))
      a.get("/", (c) => c.string(200, "ok"))
      a.get("/own", (c) => {
        c.setHeader("X-Frame-Options", "DENY")
        return c.string(200, "ok")
      })
      a.get("/response", () => new Response("ok", { headers: { "X-Frame-Options": "DENY" } }))
    }),
    request,
    expect: { status: request === "/none" ? 404 : 200, headers: headers ?? {} },
  }),
)
