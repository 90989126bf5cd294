/** The specs of the commands that work on a project as a whole. Read by the table, and by each command for its options. */
import { spec } from "../spec.ts"
import { appDir, page, port } from "./flags.ts"

/** `fw new` */
export const create = spec({
  anywhere: true,
  summary: "Make a project, in a directory of its name",
  description:
    "Asks whether it is to have pages, then writes it, installs its packages and commits it to a new git repository. In a script, where nobody can be asked, it takes the defaults.",
  arguments: [{ name: "name", description: "Of the directory and the package: letters, digits, hyphens" }],
  flags: {
    "api-only": { type: "boolean", description: "No pages, styles and htmx" },
    "skip-prompts": { type: "boolean", description: "Ask nothing: full-stack, unless --api-only" },
  },
  examples: ["fw new shop", "fw new orders --api-only"],
})

/** `fw dev` */
export const dev = spec({
  summary: "Run the application and reload it on every change",
  flags: {
    port: { ...port, default: 3000, env: "PORT" },
    host: { type: "string", short: "H", default: "0.0.0.0", description: "Address to listen on" },
  },
})

/** `fw build` */
export const build = spec({
  summary: "Build one executable, or a bundle for a runtime",
  description:
    "Node, the packages, the pages and the static files are in the executable. On Linux it needs glibc 2.28 or later, libstdc++ and libatomic: not Alpine, an image from scratch, or a slim Debian without these. The Node for it is downloaded once, into ~/.cache/fw/node/.",
  flags: {
    output: {
      type: "string",
      short: "o",
      value: "path",
      shownDefault: "bin/<project>, or dist/<target>",
      description: "Where it goes",
    },
    os: {
      type: "string",
      values: ["linux", "darwin", "windows"],
      shownDefault: "this machine's",
      description: "System of the executable",
    },
    arch: {
      type: "string",
      values: ["amd64", "arm64"],
      shownDefault: "this machine's",
      description: "Processor of the executable",
    },
    target: {
      type: "string",
      values: ["node", "bun", "deno", "workers", "app"],
      description: "Write a bundle instead: for a runtime, or an app for another program to import",
    },
  },
  examples: ["fw build", "fw build --os linux --arch arm64 -o shop", "fw build --target workers"],
})

/** `fw routes` */
export const routes = spec({
  summary: "List the routes, the middleware and the proxy",
  description:
    "With --explain and a request: what would answer it, in which middleware, and why no other route does. Nothing of the application is run, and no server is needed.",
  arguments: [
    { name: "method", description: "With --explain: the method, GET if left out", optional: true },
    { name: "path", description: "With --explain: a path or a URL", optional: true },
  ],
  flags: {
    explain: { type: "boolean", description: "Explain what happens to one request" },
    "app-dir": appDir,
  },
  examples: ["fw routes", "fw routes --json", "fw routes --explain GET /api/users/7"],
})

/** The routes in parts, for the tool `fw_list_routes`. */
export const listRoutes = spec({
  summary: "List the routes, the middleware and the proxy",
  flags: {
    path: { type: "string", value: "path", description: "Only routes at this path and below it" },
    method: { type: "string", value: "method", description: "Only routes of this method" },
    ...page,
    "app-dir": appDir,
  },
})

/** `fw info` */
export const info = spec({
  summary: "Show the project, what it holds and what it works with",
  description: "Nothing of the application is run, and nothing is written.",
  flags: { "app-dir": appDir },
  examples: ["fw info", "fw info --json"],
})

/** `fw validate` */
export const validate = spec({
  summary: "Check the project, and tell all that is wrong with it at once",
  description:
    "Names and exports of the files below the route directory, templates, conflicts, what no request reaches, matchers that match nothing, layouts without {children}, and every type error of the files that tsconfig.json includes. Nothing of the application is run. Exits with 1 if there are errors.",
  flags: { "app-dir": appDir, ...page },
  examples: ["fw validate", "fw validate --json"],
})
