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
  return { type: "object", properties, required }
}

function list(properties: Record<string, object>, optional: readonly string[] = []): object {
  return { type: "array", items: object(properties, optional) }
}

/** A command by its words, as they are typed. */
function commandAt(words: string): Command {
  const entry = words
    .split(" ")
    .reduce<Command | Group>((group, word) => (group as Group).commands[word] as Command | Group, commands)
  if (entry === undefined || isGroup(entry)) throw new Error(`there is no command ${words}`)
  return entry
}

const written = { written: texts, overwritten: texts }
const loadsNothing = "None of the project's code is run."

/** Every tool, in the order of the list. */
export const tools: readonly McpTool[] = [
  {
    name: "fw_list_routes",
    title: "List routes",
    description: `Lists the project's routes, middleware and proxy, each with its file, as a scan of the route directory finds them. ${loadsNothing}`,
    command: commandAt("routes"),
    fixed: {},
    effect: "reads",
    output: object({
      routes: list({ method: text, pattern: text, file: text }),
      middleware: list({ path: text, file: text }),
      proxy: object({ enabled: flag, file: text }),
      total: count,
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
