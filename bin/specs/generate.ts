/** The specs of `fw generate`. */
import { defineSpec } from "../cli/spec.ts"
import { appDirFlag } from "./flags.ts"

export const templates = defineSpec({
  summary: "Write the generated files, for tests and type checks",
  description:
    "Writes .fw/ and *.tpl.ts, which belong in .gitignore. fw dev and fw build do this by themselves. With a directory, compiles only the templates in it and writes nothing else; use this for packages of components, which have no routes.",
  arguments: [
    {
      name: "dir",
      description: "Compile only the templates in this directory",
      optional: true,
      pathKind: "file",
    },
  ],
  flags: { "app-dir": appDirFlag },
  examples: ["fw generate templates && tsc --noEmit", "fw generate templates components && tsc"],
})

const templateFlag = {
  type: "string",
  short: "t",
  default: "blank",
  description: "Template to start from",
} as const
const forceFlag = { type: "boolean", description: "Overwrite existing files" } as const

export const route = defineSpec({
  summary: "Write a route file with a handler for each method",
  description:
    "The path is that of the route's directory below app/api: users/[id] writes app/api/users/[id]/route.ts. You can also write a parameter as {id} or :id.",
  arguments: [{ name: "path", description: "Directory of the route, below api in the route directory" }],
  flags: {
    methods: {
      type: "list",
      short: "m",
      values: ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"],
      shownDefault: "GET; GET,PUT,DELETE for a path that ends in a parameter",
      description: "Methods to write handlers for",
    },
    "app-dir": appDirFlag,
    force: forceFlag,
  },
  examples: ["fw generate route users -m GET,POST", "fw generate route users/[id]"],
})

export const middleware = defineSpec({
  summary: "Write a middleware file",
  description:
    "The template auth checks bearer tokens (HS256), logging logs each request, timing sends a Server-Timing header, and cors allows requests from other origins.",
  arguments: [{ name: "name", description: "Name of the function" }],
  flags: {
    path: {
      type: "string",
      short: "p",
      value: "route",
      default: "",
      description: "Directory whose routes it wraps, such as api/protected; all routes if omitted",
    },
    template: { ...templateFlag, values: ["blank", "auth", "logging", "timing", "cors"] },
    "app-dir": appDirFlag,
    force: forceFlag,
  },
  examples: ["fw generate middleware audit", "fw generate middleware auth -t auth -p api/protected"],
})

export const proxy = defineSpec({
  summary: "Write proxy.ts, which handles requests before routing",
  description:
    "The template auth-check requires a session or a bearer token, rate-limit limits the requests per address, maintenance answers 503 except to allowed addresses, and redirect-www redirects every host name to one.",
  flags: {
    template: {
      ...templateFlag,
      values: ["blank", "auth-check", "rate-limit", "maintenance", "redirect-www"],
    },
    "app-dir": appDirFlag,
    force: forceFlag,
  },
  examples: ["fw generate proxy -t maintenance"],
})

export const page = defineSpec({
  summary: "Write a page, and a layout if asked",
  description:
    "The path is that of the page's directory: users/[id] writes app/users/[id]/page.tpl. Use . for the page of /.",
  arguments: [{ name: "path", description: "Directory of the page, below the route directory" }],
  flags: {
    "with-layout": {
      type: "boolean",
      description: "Also write a layout.tpl for this page and the pages below it",
    },
    "app-dir": appDirFlag,
    force: forceFlag,
  },
  examples: ["fw generate page users/[id]", "fw generate page . --with-layout"],
})

export const form = defineSpec({
  summary: "Write a form: page, route, schema and test",
  description:
    "The path is that of the page's directory. The schema uses zod, valibot or arktype, whichever package.json has, and is plain TypeScript otherwise. A field without a kind has the kind of its name, such as email, or is a text.",
  arguments: [{ name: "path", description: "Directory of the page, below the route directory" }],
  flags: {
    fields: {
      type: "list",
      short: "f",
      value: "name:kind",
      shownDefault: "name,email,message:long",
      description: "Fields, of the kinds text, long, email, number, checkbox, password and file",
    },
    "app-dir": appDirFlag,
    force: forceFlag,
  },
  examples: ["fw generate form contact", "fw generate form sign-up -f name,email,password,terms:checkbox"],
})

export const client = defineSpec({
  summary: "Write a typed client of the API, for browsers, servers and tests",
  description:
    "Writes one file without dependencies: a function for each operation, with the types of the route files. The file is written again only if it changes.",
  flags: {
    output: {
      type: "string",
      short: "o",
      value: "file",
      default: "lib/client.ts",
      description: "File for the client; - prints it",
    },
    server: { type: "string", value: "url", description: "URL of the server, if calls name no other" },
    check: {
      type: "boolean",
      description: "Write nothing, and exit with 1 if the file is not up to date",
    },
    "app-dir": appDirFlag,
    force: { type: "boolean", description: "Overwrite a file that fw did not write" },
  },
  examples: ["fw generate client", "fw generate client --output web/src/api.ts", "fw generate client --check"],
})

export const auth = defineSpec({
  summary: "Write authentication, copied from fw's reference application",
  description:
    "Writes routes, pages and lib/auth/, which are your code from then on, and adds their packages to package.json. Each pattern includes those that it needs.",
  flags: {
    jwt: { type: "boolean", description: "Bearer tokens and refresh tokens" },
    session: {
      type: "boolean",
      description: "Cookie sessions, with pages to sign in and up, and for a forgotten password",
    },
    "api-key": { type: "boolean", description: "API keys; with sessions, also a page to create them" },
    oauth: {
      type: "boolean",
      description: "Sign in with Google or another OpenID provider; includes sessions",
    },
    passkey: {
      type: "boolean",
      description: "Passkeys, with a page to add and remove them; includes sessions",
    },
    "two-factor": {
      type: "boolean",
      description: "Codes of an app as a second factor after the password; includes sessions",
    },
    invitation: { type: "boolean", description: "Links with which people sign up; includes sessions" },
    proxy: { type: "boolean", description: "One check before routing; includes tokens and sessions" },
    roles: { type: "boolean", description: "Checks by role; with tokens, also routes for administrators" },
    "app-dir": appDirFlag,
    force: { type: "boolean", description: "Overwrite existing files" },
  },
  examples: ["fw generate auth --session --passkey", "fw generate auth --jwt --roles"],
})
