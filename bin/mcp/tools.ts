/** The tools: which commands a model gets, under which names, and what it is told of them. Served by `server.ts`. */
import { commands } from "../commands/table.ts"
import { type Command, type Group, isGroup } from "../spec.ts"
import type { ObjectSchema } from "./input.ts"
import type { McpTool } from "./tool.ts"

const text = { type: "string" }
const texts = { type: "array", items: text }
const count = { type: "integer" }
const flag = { type: "boolean" }

/** An object with just these fields; those in `optional` may be missing. */
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

/** A command by its words, as they are typed. */
function commandAt(words: string): Command {
  const entry = words
    .split(" ")
    .reduce<Command | Group>((group, word) => (group as Group).commands[word] as Command | Group, commands)
  if (entry === undefined || isGroup(entry)) throw new Error(`there is no command ${words}`)
  return entry
}

const tool = object({ version: orNull(text), path: text })
const written = { written: texts, overwritten: texts }
const toolNames = ["esbuild", "typescript", "css", "git", "npm", "bun", "deno"]
const loadsNothing = "None of the project's code is run."

/** Every tool, in the order of the list. */
export const tools: readonly McpTool[] = [
  {
    name: "fw_list_routes",
    title: "List routes",
    description: `Lists the project's routes, middleware and proxy, each with its file, as a scan of the route directory finds them. ${loadsNothing}`,
    command: commandAt("routes"),
    fixed: { explain: false, method: undefined, path: undefined },
    effect: "reads",
    output: object({
      routes: list({ method: text, pattern: text, file: text }),
      middleware: list({ path: text, file: text }),
      proxy: object({ enabled: flag, file: text }),
      total: count,
    }),
  },
  {
    name: "fw_info",
    title: "Show the project",
    description: `Tells what the project is: its name, the fw, Node and tools it has here, how many routes and pages, and whether generated files are current. ${loadsNothing}`,
    command: commandAt("info"),
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
    name: "fw_validate",
    title: "Check the project",
    description: `Tells everything that is wrong with the project's files at once, each with file, line and how to mend it: names and exports, handler types, conflicts, routes that nothing reaches, templates. Do this after every change. It runs the TypeScript that the project has installed; nothing else of the project is run.`,
    command: commandAt("validate"),
    fixed: {},
    effect: "reads",
    output: object({
      valid: flag,
      problems: list({
        severity: { enum: ["error", "warning"] },
        code: text,
        file: text,
        line: orNull(count),
        column: orNull(count),
        message: text,
        fix: text,
      }),
      typesChecked: flag,
    }),
  },
  {
    name: "fw_generate_page",
    title: "Generate a page",
    description: `Writes a page.tpl, with a layout.tpl if asked. The path is that of the page's directory below the route directory: users/[id]. Files that are there stay unless force is true. ${loadsNothing}`,
    command: commandAt("generate page"),
    fixed: {},
    effect: "writes",
    output: object({ ...written, patterns: texts }),
  },
]
