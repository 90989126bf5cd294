/** The list of tools: their commands, names and descriptions. */

import { type Command, command, type Group, isGroup } from "../cli/spec.ts"
import * as openapi from "../specs/openapi.ts"
import * as project from "../specs/project.ts"
import type { ObjectSchema } from "./input.ts"
import type { McpTool } from "./tool.ts"

const text = { type: "string" }
const texts = { type: "array", items: text }
const count = { type: "integer" }
const flag = { type: "boolean" }

/** Returns the schema of an object with only these fields; those in `optional` may be missing. */
function object(properties: Record<string, object>, optional: readonly string[] = []): ObjectSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: "object", properties, required, additionalProperties: false }
}

function list(properties: Record<string, object>, optional: readonly string[] = []): object {
  return { type: "array", items: object(properties, optional) }
}

function orNull(schema: object): object {
  return { anyOf: [schema, { type: "null" }] }
}

const tool = object({ version: orNull(text), path: text })
const failure = object({ code: text, message: text, fix: text, at: { type: "object" } }, ["at"])
const explained = object({
  kind: {
    enum: ["route", "page", "file", "redirect", "options", "upgrade", "not_allowed", "not_found", "refused"],
  },
  status: orNull(count),
  file: orNull(text),
  line: orNull(count),
  export: orNull(text),
  pattern: orNull(text),
  params: { type: "object", additionalProperties: text },
  middleware: texts,
  layout: orNull(text),
  location: orNull(text),
  allow: texts,
  note: orNull(text),
})
const matchers = list({ pattern: text, covers: flag })
const written = { written: texts, overwritten: texts }
const source = { ...written, dependencies: texts, environment: list({ name: text, about: text }) }
const toolNames = ["esbuild", "typescript", "css", "git", "npm", "bun", "deno"]
const loadsNothing = "Runs none of the project's code."

/** A tool that names its commands by their words, as they are typed. */
interface ListedTool extends Omit<McpTool, "command" | "meant"> {
  readonly command: Command | string
  readonly meant?: string
}

/** Every tool, in the order of the list. */
const listed: readonly ListedTool[] = [
  {
    name: "fw_list_routes",
    title: "List routes",
    description: `Lists the project's routes, middleware and proxy, each with its file, page by page. With path: only those at and below it. ${loadsNothing}`,
    command: command(project.listRoutes, () => import("./list-routes.ts")),
    meant: "routes",
    fixed: {},
    effect: "reads",
    output: object({
      routes: list({ method: text, pattern: text, file: text }),
      middleware: list({ path: text, file: text }),
      proxy: object({ enabled: flag, file: text }),
      total: count,
      offset: count,
      middlewareTotal: count,
    }),
  },
  {
    name: "fw_info",
    title: "Show the project",
    description: `Describes the project: its name, the versions of fw, Node and other tools, the number of routes and pages, and whether the generated files are up to date. ${loadsNothing}`,
    command: "info",
    fixed: {},
    effect: "reads",
    output: object({
      name: text,
      root: text,
      fw: object({ command: tool, project: orNull(tool), declared: orNull(text) }),
      node: tool,
      tools: object(Object.fromEntries(toolNames.map((name) => [name, orNull(tool)]))),
      appDir: text,
      hasAppDir: flag,
      main: orNull(text),
      counts: object({ routes: count, pages: count, layouts: count, middleware: count, proxy: count }),
      problems: count,
      generated: orNull(object({ state: { enum: ["current", "stale", "missing"] }, stale: texts })),
    }),
  },
  {
    name: "fw_explain_route",
    title: "Explain a request",
    description: `Explains how one request is handled: what the proxy may do with it, which route, page or file answers it, through which middleware and with which parameters, and why other routes do not match. Use it for an unexpected 404 or 405, or when the wrong route answers. ${loadsNothing}`,
    command: "routes",
    fixed: { explain: true },
    required: ["method", "path"],
    effect: "reads",
    output: object({
      method: text,
      target: text,
      path: orNull(text),
      proxy: orNull(
        object({
          file: text,
          runs: flag,
          matchers,
          excludes: matchers,
          actions: list({ action: text, line: count, to: orNull(text), answer: orNull(explained) }),
        }),
      ),
      answer: explained,
      candidates: list({
        pattern: text,
        methods: texts,
        files: texts,
        outcome: { enum: ["answers", "method", "beaten", "path"] },
        why: text,
      }),
      main: orNull(text),
    }),
  },
  {
    name: "fw_openapi",
    title: "Generate the OpenAPI document",
    description: `Generates an OpenAPI document of the project's API from its routes, types and comments. Without a filter: a summary of the operations. With path, method, tag or operationId: the document of the operations that match, with the components they use. With output: writes the whole document to a file. Runs the project's copy of TypeScript, but none of the project's own code.`,
    command: command(openapi.document, () => import("./openapi-document.ts")),
    meant: "openapi generate",
    fixed: {},
    effect: "exports",
    output: object({
      openapi: text,
      title: text,
      total: count,
      offset: count,
      operations: list({ method: text, path: text, operationId: text, summary: text }),
      document: orNull({ type: "object" }),
      file: orNull(text),
      typed: flag,
      warnings: list({ message: text, fix: text, at: object({ file: text, line: count }) }, ["at"]),
      warningsTotal: count,
    }),
  },
  {
    name: "fw_validate",
    title: "Check the project",
    description: `Finds mistakes in the project: wrong names and exports, conflicts, routes that no request reaches, errors in templates, and every type error in the files that tsconfig.json includes. Each problem comes with file, line, code frame and fix. \`checked\` lists what was checked; if \`untyped\` is not null, not all types were checked. Use it after every change. Runs the project's copy of TypeScript, but none of the project's own code.`,
    command: "validate",
    fixed: {},
    defaults: { limit: 30 },
    effect: "reads",
    output: object({
      problems: list({
        severity: { enum: ["error", "warning"] },
        code: text,
        file: text,
        line: orNull(count),
        column: orNull(count),
        message: text,
        fix: text,
        frame: orNull(text),
      }),
      valid: flag,
      errors: count,
      warnings: count,
      checked: object({ routes: count, middleware: count, templates: count, files: count }),
      typesChecked: flag,
      untyped: orNull(object({ message: text, fix: text })),
    }),
  },
  {
    name: "fw_new",
    title: "Create a project",
    description: `Creates a new project in a directory below the working directory: source, tests, configuration, and a git repository with a first commit. Runs git and npm, which downloads packages and takes a while. Use it only when the user asks for a new project.`,
    command: "new",
    fixed: { skipPrompts: true },
    required: ["name"],
    effect: "installs",
    output: object({
      name: text,
      directory: text,
      template: { enum: ["full-stack", "api"] },
      files: texts,
      fw: text,
      installed: flag,
      git: { enum: ["committed", "initialized", "outer", "none"] },
      warnings: { type: "array", items: failure },
    }),
  },
  {
    name: "fw_generate_route",
    title: "Generate a route",
    description: `Writes a route.ts with a handler for each method. The path is that of the route's directory below app/api: users/[id]. Existing files are kept unless force is true. ${loadsNothing}`,
    command: "generate route",
    fixed: {},
    effect: "writes",
    output: object({ ...written, methods: texts, patterns: texts }),
  },
  {
    name: "fw_generate_middleware",
    title: "Generate middleware",
    description: `Writes a middleware.ts that wraps every route at and below its directory: an empty one, or one that checks bearer tokens, logs requests, measures time or sets CORS headers. Adds the packages it needs to package.json; install them afterwards. Existing files are kept unless force is true. ${loadsNothing}`,
    command: "generate middleware",
    fixed: {},
    effect: "writes",
    output: object({ ...source, path: text, name: text, template: text }),
  },
  {
    name: "fw_generate_proxy",
    title: "Generate the proxy",
    description: `Writes proxy.ts, which sees requests before they are routed: an empty one, or one that checks sessions, limits the rate of requests, answers 503 during maintenance or redirects to one host. Adds the packages it needs to package.json; install them afterwards. Existing files are kept unless force is true. ${loadsNothing}`,
    command: "generate proxy",
    fixed: {},
    effect: "writes",
    output: object({ ...source, template: text }),
  },
  {
    name: "fw_generate_page",
    title: "Generate a page",
    description: `Writes a page.tpl, with a layout.tpl if asked. The path is that of the page's directory below the route directory: users/[id]. Existing files are kept unless force is true. ${loadsNothing}`,
    command: "generate page",
    fixed: {},
    effect: "writes",
    output: object({ ...written, patterns: texts }),
  },
  {
    name: "fw_generate_auth",
    title: "Generate authentication",
    description: `Writes authentication with its routes, pages and lib/auth/: tokens, cookie sessions, API keys, OpenID providers, roles. Name one or more; each includes those that it needs. Adds the packages they need to package.json; install them afterwards. Existing files are kept unless force is true. ${loadsNothing}`,
    command: "generate auth",
    fixed: {},
    effect: "writes",
    output: object({ ...source, patterns: texts, unchanged: texts, kept: texts }),
  },
]

/** Returns the tools that run the commands of a table, in the order of the list. */
export function toolsOf(table: Group): readonly McpTool[] {
  return listed.map(({ command, meant, ...tool }) => ({
    ...tool,
    command: typeof command === "string" ? commandAt(command, table) : command,
    ...(meant !== undefined && { meant: commandAt(meant, table) }),
  }))
}

function commandAt(words: string, table: Group): Command {
  const entry = words
    .split(" ")
    .reduce<Command | Group>((group, word) => (group as Group).commands[word] as Command | Group, table)
  if (entry === undefined || isGroup(entry)) throw new Error(`there is no command ${words}`)
  return entry
}
