/** The tools that clients see: the tools of the routes; or, if there are many, three tools that find and call them. */
import type { App } from "../app.ts"
import { shortenText } from "../text.ts"
import {
  type Arguments,
  type CallContext,
  type CallOutcome,
  callTool,
  createTextResult,
  findUnknownArguments,
} from "./call.ts"
import type { Tool, ToolDescription, ToolSet } from "./tool.ts"

/** Maximum number of tools in the list. The descriptions of more tools would fill the context of a language model. */
const maxListedTools = 15
/** Maximum number of tools that one search returns. */
const maxFoundTools = 20

/** The tools that clients may call. */
export interface Catalog {
  readonly list: readonly ToolDescription[]
  /** Calls a tool. Returns undefined if there is no tool with this name. */
  call(name: string, args: Arguments, context: CallContext): Promise<CallOutcome> | undefined
}

/** Returns the tools of those routes that the app has and that export `mcp`. */
export function findOfferedTools(app: App, { tools }: ToolSet): readonly Tool[] {
  const routes = (app.routeTree?.routes ?? []).filter(({ mcp }) => mcp)
  const offeredRoutes = new Set(routes.map(({ method, pattern }) => `${method} ${pattern}`))
  return tools.filter(({ method, route }) => offeredRoutes.has(`${method} ${route}`))
}

/** Returns the catalog for some tools. */
export function createCatalog(tools: readonly Tool[]): Catalog {
  const byName = new Map(tools.map((tool) => [tool.description.name, tool]))
  if (tools.length > maxListedTools) return createSearchCatalog(byName)
  return {
    list: tools.map(({ description }) => description),
    call(name, args, context) {
      const tool = byName.get(name)
      return tool && callTool(tool, args, context)
    },
  }
}

const nameSchema = { type: "string", description: "The name of a tool." }

/** Returns the tools that find, describe and call other tools. */
function createSearchTools(count: number): readonly ToolDescription[] {
  return [
    {
      name: "search",
      description: `Finds tools of this API, which has ${count}, by words of their names and descriptions. Without words it lists the first ${maxFoundTools}.`,
      inputSchema: createObjectSchema({ words: { type: "string", description: "Words to look for." } }),
      annotations: { readOnlyHint: true },
    },
    {
      name: "describe",
      description: "Returns the arguments and the answer of a tool that search has found.",
      inputSchema: createObjectSchema({ name: nameSchema }, ["name"]),
      annotations: { readOnlyHint: true },
    },
    {
      name: "call",
      description: "Calls a tool. Use describe first, which returns its arguments.",
      inputSchema: createObjectSchema(
        { name: nameSchema, arguments: { type: "object", description: "The arguments of the tool." } },
        ["name"],
      ),
      annotations: {},
    },
  ]
}

function createObjectSchema(properties: object, required: readonly string[] = []) {
  return { type: "object", properties, ...(required.length > 0 && { required }), additionalProperties: false }
}

function createSearchCatalog(tools: ReadonlyMap<string, Tool>): Catalog {
  const list = createSearchTools(tools.size)
  return {
    list,
    call(name, args, context) {
      const searchTool = list.find((tool) => tool.name === name)
      const problem = searchTool && findUnknownArguments(searchTool, args)
      if (problem) return Promise.resolve({ result: createTextResult(problem, true) })
      if (name === "search") return Promise.resolve({ result: createTextResult(searchByWords(tools, args.words)) })
      if (name !== "describe" && name !== "call") return undefined
      const tool = tools.get(String(args.name))
      if (!tool) {
        const message = `there is no tool ${JSON.stringify(shortenText(String(args.name)))}: search finds the names`
        return Promise.resolve({ result: createTextResult(message, true) })
      }
      if (name === "describe") return Promise.resolve({ result: createTextResult(JSON.stringify(tool.description)) })
      const toolArguments = args.arguments ?? {}
      if (typeof toolArguments === "object" && !Array.isArray(toolArguments))
        return callTool(tool, toolArguments as Arguments, context)
      return Promise.resolve({ result: createTextResult("arguments is not an object", true) })
    },
  }
}

/** Returns names and titles of the tools that match the most words. */
function searchByWords(tools: ReadonlyMap<string, Tool>, wordsArgument: unknown): string {
  const words = typeof wordsArgument === "string" ? (wordsArgument.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) : []
  const scoredTools = [...tools.values()].map((tool) => {
    const { name, title = "", description = "" } = tool.description
    const text = `${name} ${title} ${description} ${tool.path}`.toLowerCase()
    return {
      line: `${name}: ${title || description}`,
      score: words.filter((word) => text.includes(word)).length,
    }
  })
  const matches = scoredTools.filter(({ score }) => words.length === 0 || score > 0)
  if (matches.length === 0) return "no tool matches"
  const best = matches.sort((a, b) => b.score - a.score)
  const rest = best.length - maxFoundTools
  const lines = best.slice(0, maxFoundTools).map(({ line }) => line.replace(/\s+/g, " "))
  return [...lines, ...(rest > 0 ? [`${rest} more match: search for other words`] : [])].join("\n")
}
