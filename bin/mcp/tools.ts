/** The list of tools, with their commands, names and descriptions. */
import { type Command, defineCommand, type Group, isGroup } from "../cli/spec.ts"
import * as mcp from "../specs/mcp.ts"
import * as openapi from "../specs/openapi.ts"
import * as project from "../specs/project.ts"
import type { ListedTool, MCPTool } from "./tool.ts"

/** All tools, in order. */
const listedTools: readonly ListedTool[] = [
  {
    name: "fw_list_routes",
    title: "List routes",
    description:
      "Lists the routes, middleware and proxy with their files, in parts. With path: only those at and below it.",
    command: defineCommand(project.listRoutes, () => import("./list-routes.ts")),
    fixed: {},
    effect: "reads",
  },
  {
    name: "fw_info",
    title: "Show the project",
    description:
      "Describes the project: versions of fw, Node and tools, numbers of routes and pages, state of the generated files.",
    command: "info",
    fixed: {},
    effect: "reads",
  },
  {
    name: "fw_explain_route",
    title: "Explain a request",
    description:
      "Explains how one request is handled: by the proxy, by which route, page or file, through which middleware, and why others do not match. Use it for an unexpected 404 or 405.",
    command: "routes",
    fixed: { explain: true, unlinked: false },
    required: ["method", "path"],
    effect: "reads",
  },
  {
    name: "fw_openapi",
    title: "Generate the OpenAPI document",
    description:
      "Makes the API's OpenAPI document. Without a filter: a summary of the operations. With path, method, tag or operationId: the document of those. With output: writes it to a file. Runs the project's TypeScript, but none of its own code.",
    command: defineCommand(openapi.document, () => import("./openapi-document.ts")),
    isExtra: true,
    fixed: {},
    effect: "exports",
  },
  {
    name: "fw_validate",
    title: "Check the project",
    description:
      "Finds mistakes: wrong names and exports, conflicts, unreachable routes, broken links, errors in templates and types. Runs the project's TypeScript, but none of its code.",
    command: "validate",
    fixed: {},
    defaults: { limit: 30 },
    effect: "reads",
  },
  {
    name: "fw_new",
    title: "Create a project",
    description:
      "Creates a project in a new directory below the working directory. Runs git, and npm, which downloads packages. Use it only if the user asks.",
    command: "new",
    fixed: { skipPrompts: true },
    required: ["name"],
    effect: "installs",
  },
  {
    name: "fw_generate_route",
    title: "Generate a route",
    description: "Writes a route.ts with a handler for each method, in a directory below app/api, such as users/[id].",
    command: "generate route",
    fixed: {},
    effect: "writes",
  },
  {
    name: "fw_generate_middleware",
    title: "Generate middleware",
    description: "Writes a middleware.ts that wraps every route at and below its directory.",
    command: "generate middleware",
    fixed: {},
    effect: "writes",
  },
  {
    name: "fw_generate_proxy",
    title: "Generate the proxy",
    description: "Writes proxy.ts, which sees requests before they are routed.",
    command: "generate proxy",
    fixed: {},
    effect: "writes",
  },
  {
    name: "fw_generate_page",
    title: "Generate a page",
    description: "Writes a page.tpl, with a layout.tpl if asked, in a directory such as users/[id].",
    command: "generate page",
    fixed: {},
    effect: "writes",
  },
  {
    name: "fw_generate_form",
    title: "Generate a form",
    description: "Writes page.tpl, route.ts, schema.ts and a test of a form, in a directory such as contact.",
    command: "generate form",
    fixed: {},
    effect: "writes",
  },
  {
    name: "fw_generate_auth",
    title: "Generate authentication",
    description:
      "Writes ways to sign in, with routes, pages and lib/auth/. Name one or more; each includes those that it needs.",
    command: "generate auth",
    isExtra: true,
    fixed: {},
    effect: "writes",
  },
]

/**
 * Returns all tools with their commands from a table, in order.
 *
 * @param appDir the route directory. It is the same in every call, so it is not an argument of the tools.
 */
export function listTools(table: Group, appDir = "app"): readonly MCPTool[] {
  return [...listedTools, ...devTools].map(({ command, fixed, ...tool }) => {
    const found = typeof command === "string" ? findCommand(command, table) : command
    return {
      ...tool,
      command: found,
      fixed: { ...("app-dir" in (found.spec.flags ?? {}) && { appDir }), ...fixed },
    }
  })
}

function findCommand(words: string, table: Group): Command {
  const entry = words
    .split(" ")
    .reduce<Command | Group>((group, word) => (group as Group).commands[word] as Command | Group, table)
  if (entry === undefined || isGroup(entry)) throw new Error(`there is no command ${words}`)
  return entry
}

/** The tools, in the order of the list. */
const devTools: readonly ListedTool[] = [
  {
    name: "fw_test",
    title: "Run the tests",
    description: "Runs the tests, which run the project's own code. Lists the failures only.",
    command: "test",
    fixed: { watch: false, timeout: 300 },
    defaults: { limit: 20 },
    effect: "runs",
  },
  {
    name: "fw_docs",
    title: "Search the documentation",
    description:
      "Searches the documentation of the installed version. The pages are also resources: fw://docs/<page>#<anchor>.",
    command: defineCommand(mcp.docs, () => import("./docs.ts")),
    fixed: {},
    effect: "reads",
  },
  {
    name: "fw_dev_status",
    title: "Show the running application",
    description:
      "Shows the project's running fw dev: URL, problems of the build, last errors of requests, last output (newest first), jobs that wait, run or have failed.",
    command: defineCommand(mcp.devStatus, () => import("./dev-status.ts")),
    fixed: {},
    effect: "reads",
  },
  {
    name: "fw_requests",
    title: "Show requests",
    description:
      "Lists the last requests of the project's running fw dev, newest first. With id: what answered one and why, what was slow, its errors, log lines, headers and bodies, with secrets masked.",
    command: "requests",
    fixed: { files: false },
    effect: "reads",
  },
  {
    name: "fw_jobs_retry",
    title: "Retry failed jobs",
    description: "Runs jobs again that have failed for the last time, with all their attempts. With id: only this one.",
    command: "jobs retry",
    fixed: {},
    effect: "runs",
  },
  {
    name: "fw_request",
    title: "Send a request",
    description: "Sends one HTTP request to the project's running fw dev, and to no other host.",
    command: defineCommand(mcp.devRequest, () => import("./dev-request.ts")),
    fixed: {},
    effect: "calls",
  },
]
