/** The specs of the commands that work on a whole project. */
import { defineSpec } from "../cli/spec.ts"
import { frameworkParts } from "../system/framework-files.ts"
import { appDirFlag, pageFlags, portFlag, strictFlag } from "./flags.ts"

/** The spec of `fw new`. */
export const create = defineSpec({
  anywhere: true,
  summary: "Create a project in a new directory",
  description:
    "Asks for the name and the kind of project, writes its files, installs its packages and commits it to a new git repository. Without a terminal it asks nothing: the name is required, and the kind is full-stack unless --api-only is set.",
  arguments: [
    {
      name: "name",
      description: "Name of directory and package: letters, digits, hyphens; or . for the current directory",
      optional: true,
    },
  ],
  flags: {
    "api-only": { type: "boolean", description: "Without pages, styles and htmx" },
    "skip-prompts": { type: "boolean", description: "Ask nothing; with pages, unless --api-only is set" },
  },
  examples: ["fw new shop", "fw new orders --api-only", "fw new ."],
})

export const dev = defineSpec({
  summary: "Run the application and reload it on every change",
  flags: {
    port: { ...portFlag, default: 3000, env: "PORT" },
    host: { type: "string", short: "H", default: "0.0.0.0", description: "Address to listen on" },
    "allow-host": {
      type: "list",
      value: "name",
      env: "FW_ALLOWED_HOSTS",
      shownDefault: "only localhost and IP addresses",
      description: "Host name to answer, of a tunnel or a container; .example.com is every name below it",
    },
  },
})

export const requests = defineSpec({
  summary: "Show the last requests of the running fw dev",
  description:
    "Lists the requests, the newest first. With a number of the list: what answered it and what took its time, its errors, log lines, headers and bodies. Secrets are masked. The page /__fw/ of fw dev shows the same.",
  arguments: [{ name: "id", description: "Number of a request", optional: true }],
  flags: {
    limit: { ...pageFlags.limit, default: 20, max: 500, description: "Requests to show" },
    offset: { ...pageFlags.offset, description: "Requests to skip" },
    files: { type: "boolean", description: "Also list static files" },
  },
  examples: ["fw requests", "fw requests 17", "fw requests --json"],
})

export const docs = defineSpec({
  anywhere: true,
  summary: "Find a section of the documentation",
  description: "Searches the pages that come with fw. Without words, says where they are.",
  arguments: [{ name: "words", description: "Words to find", optional: true, several: true }],
  flags: {
    limit: { ...pageFlags.limit, default: 8, description: "Sections to show" },
    offset: { ...pageFlags.offset, description: "Sections to skip" },
  },
  examples: ["fw docs signed cookies", "fw docs"],
})

export const start = defineSpec({
  summary: "Run the built application",
  description:
    "Runs dist/node, which fw build --target node has made. SIGTERM and Ctrl-C end it when the running requests are finished. With several workers, SIGHUP and a new build replace them one by one; no request is lost.",
  flags: {
    port: { ...portFlag, shownDefault: "PORT, else 3000" },
    host: {
      type: "string",
      short: "H",
      shownDefault: "HOST, else every interface",
      description: "Address to listen on",
    },
    workers: {
      type: "string",
      short: "w",
      value: "number",
      shownDefault: "FW_WORKERS, else 1",
      description: "Processes that answer requests; auto is one for each processor",
    },
  },
  examples: ["fw start", "fw start --workers auto --port 8080"],
})

export const build = defineSpec({
  summary: "Build one executable, or a bundle for a runtime",
  description:
    "The executable contains Node, the packages, the pages and the static files. On Linux it needs glibc 2.28 or later, libstdc++ and libatomic, so it does not run on Alpine, in an image from scratch, or on a slim Debian without these libraries. Node is downloaded once, to ~/.cache/fw/node/.",
  flags: {
    output: {
      type: "string",
      short: "o",
      value: "path",
      shownDefault: "bin/<project>, or dist/<target>",
      description: "File or directory to write",
    },
    os: {
      type: "string",
      values: ["linux", "darwin", "windows"],
      shownDefault: "this machine's",
      description: "Operating system of the executable",
    },
    arch: {
      type: "string",
      values: ["amd64", "arm64"],
      shownDefault: "this machine's",
      description: "Processor of the executable",
    },
    target: {
      type: "string",
      values: ["node", "bun", "deno", "workers", "app", "static"],
      description:
        "Write a directory instead: a bundle for this runtime, or (app) for another program to import, or (static) the pages that are made at build time",
    },
    site: {
      type: "string",
      value: "address",
      shownDefault: "that of package.json",
      description: "Scheme and host of the site, for its sitemap and for c.origin in pages that are made at build time",
    },
    without: {
      type: "list",
      values: frameworkParts,
      shownDefault: "nothing is left out",
      description: "Parts of fw to leave out of a bundle whose size matters",
    },
    external: {
      type: "list",
      value: "packages",
      shownDefault: "those of package.json",
      description: "Packages to keep outside of the bundle, as files next to it or in the executable",
    },
    optional: {
      type: "list",
      value: "packages",
      shownDefault: "those of package.json",
      description: "Packages that may be missing: code that loads one fails when it runs",
    },
    image: {
      type: "string",
      value: "file",
      description: "Write an OCI image with the executable instead, for docker, podman and skopeo",
    },
    base: {
      type: "string",
      value: "file",
      shownDefault: "only the libraries that the program needs",
      description: "OCI archive of the image to build on",
    },
    sbom: {
      type: "boolean",
      description: "Also write a bill of materials (CycloneDX): the packages in the result, with their licences",
    },
    strict: strictFlag,
  },
  examples: [
    "fw build",
    "fw build --os linux --arch arm64 -o shop",
    "fw build --target workers",
    "fw build --target workers --without forms,pages",
    "fw build --target node --external pg,pino",
    "fw build --image shop.tar",
    "fw build --target static --site https://example.org",
  ],
})

export const test = defineSpec({
  summary: "Run the project's tests",
  description:
    "Writes the generated files, bundles each test file with the project's esbuild, and runs it with Node's test runner in a process of its own. Test files are those whose names end in .test.ts (or .tsx, .mts, .js …), in any directory. Compares the answers of c.json() with their types, and warns of those that do not fit. Exits with 1 if a test fails. --json prints the totals, the failures and the warnings.",
  arguments: [{ name: "text", description: "Only test files with this text in their paths", optional: true }],
  flags: {
    watch: { type: "boolean", short: "w", description: "Run again after every change, until it is stopped" },
    timeout: {
      type: "number",
      min: 0,
      max: 86_400,
      default: 300,
      description: "Stop if no test ends for so many seconds; 0 waits without end",
    },
    strict: { type: "boolean", description: "Fail if an answer does not fit its type" },
    "app-dir": appDirFlag,
    ...pageFlags,
  },
  examples: ["fw test", "fw test users", "fw test --watch", "fw test --strict", "fw test --json"],
})

export const routes = defineSpec({
  summary: "List the routes, the middleware and the proxy",
  description:
    "With --explain and a request: shows which route answers it, through which middleware, and why other routes do not match. With --unlinked: lists only the routes to which no template, redirect, link() or path in a script leads. Runs none of the application's code and needs no server.",
  arguments: [
    { name: "method", description: "Method (default: GET)", optional: true },
    { name: "path", description: "Path or URL of the request", optional: true },
  ],
  flags: {
    explain: { type: "boolean", description: "Explain how one request is handled" },
    unlinked: { type: "boolean", description: "List only the routes to which nothing links" },
    "app-dir": appDirFlag,
  },
  examples: ["fw routes", "fw routes --json", "fw routes --explain GET /api/users/7", "fw routes --unlinked"],
})

/** The spec of the tool `fw_list_routes`. */
export const listRoutes = defineSpec({
  summary: "List the routes, the middleware and the proxy",
  flags: {
    path: { type: "string", value: "path", description: "Only routes at this path and below it" },
    method: { type: "string", value: "method", description: "Only routes of this method" },
    unlinked: { type: "boolean", description: "Only routes to which nothing links" },
    ...pageFlags,
    "app-dir": appDirFlag,
  },
})

export const info = defineSpec({
  summary: "Show the project, its contents and its tools",
  description: "Runs none of the application's code, and writes nothing.",
  flags: { "app-dir": appDirFlag },
  examples: ["fw info", "fw info --json"],
})

export const format = defineSpec({
  summary: "Format templates",
  description:
    "Writes .tpl files in one canonical form, and never changes what they print. The TypeScript around templates is formatted by the project's Biome or Prettier if one is installed. A file with an error stays as it is, and the command exits with 1. Indentation and line width come from that formatter's configuration and from .editorconfig.",
  arguments: [
    {
      name: "files",
      description: "Files and directories; without them, the whole project",
      optional: true,
      several: true,
      pathKind: "file",
    },
  ],
  flags: {
    check: {
      type: "boolean",
      description: "Write nothing; list the files that are not formatted, and exit with 1",
    },
    stdin: {
      type: "string",
      value: "path",
      description: "Format standard input as this file, and print the result",
    },
  },
  examples: ["fw format", "fw format app/page.tpl", "fw format --check", "fw format --stdin app/page.tpl"],
})

export const validate = defineSpec({
  summary: "Check the project and list everything that is wrong",
  description:
    "Checks names and exports of the files in the route directory, templates, conflicts, routes that no request reaches, links that lead nowhere, types that c.bind<T>() cannot check, matchers that match nothing, layouts without {children}, and every type error in the files that tsconfig.json includes. Runs none of the application's code. Exits with 1 if there are errors.",
  flags: {
    security: {
      type: "boolean",
      description: "Check that each route that changes something has a guard, or @security none",
    },
    strict: strictFlag,
    "app-dir": appDirFlag,
    ...pageFlags,
  },
  examples: ["fw validate", "fw validate --security", "fw validate --json"],
})
