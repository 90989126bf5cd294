/** The specs of `fw generate`. Read by the table, and by each command for its options. */
import { spec } from "../spec.ts"
import { appDir } from "./flags.ts"

/** `fw generate templates` */
export const templates = spec({
  summary: "Write what a project generates, for its tests and type check",
  description:
    "What it writes, .fw/ and *.tpl.ts, belongs in .gitignore. Dev and build do this by themselves. With a directory it compiles the templates in it and writes nothing else: for packages of components, which have no routes.",
  arguments: [{ name: "dir", description: "Compile the templates of this directory alone", optional: true }],
  flags: { "app-dir": appDir },
  examples: ["fw generate templates && tsc --noEmit", "fw generate templates components && tsc"],
})

const template = { type: "string", short: "t", default: "blank", description: "What it does" } as const
const force = { type: "boolean", description: "Write over files that are there" } as const

/** `fw generate route` */
export const route = spec({
  summary: "Write a route file with a handler for each method",
  description:
    "The path is that of the route's directory below app/api: users/[id] writes app/api/users/[id]/route.ts. Parameters are also written {id} and :id.",
  arguments: [{ name: "path", description: "Directory of the route, below api in the route directory" }],
  flags: {
    methods: {
      type: "list",
      short: "m",
      values: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
      shownDefault: "GET; for a path that ends in a parameter GET,PUT,DELETE",
      description: "Methods to write",
    },
    "app-dir": appDir,
    force,
  },
  examples: ["fw generate route users -m GET,POST", "fw generate route users/[id]"],
})

/** `fw generate middleware` */
export const middleware = spec({
  summary: "Write a middleware file",
  description:
    "auth checks bearer tokens (HS256), logging writes a line for each request, timing sends Server-Timing, cors lets named origins in.",
  arguments: [{ name: "name", description: "What its function is called" }],
  flags: {
    path: {
      type: "string",
      short: "p",
      value: "route",
      default: "",
      description:
        "Directory below the route directory whose routes it wraps, such as api/protected; all without it",
    },
    template: { ...template, values: ["blank", "auth", "logging", "timing", "cors"] },
    "app-dir": appDir,
    force,
  },
  examples: ["fw generate middleware audit", "fw generate middleware auth -t auth -p api/protected"],
})

/** `fw generate proxy` */
export const proxy = spec({
  summary: "Write proxy.ts, which sees requests before they are routed",
  description:
    "auth-check asks for a session or a bearer token, rate-limit counts requests by address, maintenance answers 503 but to allowed addresses, redirect-www brings all to one host.",
  flags: {
    template: { ...template, values: ["blank", "auth-check", "rate-limit", "maintenance", "redirect-www"] },
    "app-dir": appDir,
    force,
  },
  examples: ["fw generate proxy -t maintenance"],
})

/** `fw generate page` */
export const page = spec({
  summary: "Write a page, and a layout if asked",
  description:
    "The path is that of the page's directory: users/[id] writes app/users/[id]/page.tpl, and . the page of /.",
  arguments: [{ name: "path", description: "Directory of the page, below the route directory" }],
  flags: {
    "with-layout": {
      type: "boolean",
      description: "Write layout.tpl beside it, which wraps the pages below",
    },
    "app-dir": appDir,
    force,
  },
  examples: ["fw generate page users/[id]", "fw generate page . --with-layout"],
})

/** `fw generate auth` */
export const auth = spec({
  summary: "Write ways to sign in, from fw's reference application",
  description:
    "Routes, pages and lib/auth/, yours from then on, and their packages in package.json. A pattern brings those that it needs.",
  flags: {
    jwt: { type: "boolean", description: "Bearer tokens, and refresh tokens" },
    session: { type: "boolean", description: "Cookie sessions, with pages to sign in and up" },
    "api-key": { type: "boolean", description: "API keys; with sessions, a page to make them" },
    oauth: { type: "boolean", description: "Google or another OpenID provider; brings sessions" },
    proxy: { type: "boolean", description: "One check before routing; brings tokens and sessions" },
    roles: { type: "boolean", description: "Guards by role; with tokens, routes for administrators" },
    "app-dir": appDir,
    force: { type: "boolean", description: "Write over files that are there" },
  },
  examples: ["fw generate auth --session --oauth", "fw generate auth --jwt --roles"],
})
