/**
 * Translation of messages for tools. Messages are written for the command line: `--force`,
 * `fw routes --explain GET /users/7`. This module replaces these by the tool's own arguments and by other
 * tools.
 */
import { parse } from "../cli/args.ts"
import type { FailureData } from "../cli/failure.ts"
import { type Command, type Group, isGroup, optionName, withDefaults } from "../cli/spec.ts"
import { inputSchema } from "./input.ts"
import type { MCPTool } from "./tool.ts"

/** Translates a message for a tool. */
export type Translate = (text: string) => string

/** A flag in a message, with the value after it: `--output <file>`, `--offset 100`. */
const flagInText = /--([a-z][a-z0-9-]*)(?: (<[\w-]+>|\d+\b))?/g
/**
 * A command in a message, with the words after it. The last word excludes the punctuation at the end of the
 * sentence.
 */
const commandInText = /\bfw((?: [^\s"'`]*[^\s"'`.,;:)])+)/g

/** Returns the translation for one of the tools. */
export function wordsOf(tool: MCPTool, known: Known): Translate {
  const { properties } = inputSchema(tool)
  const flags = (text: string) =>
    text.replace(flagInText, (whole, flag: string, value: string | undefined) => {
      const name = optionName(flag)
      const schema = properties[name] as { type: string } | undefined
      if (!schema) return whole
      if (schema.type === "boolean") return `${name}: true${value ? ` ${value}` : ""}`
      return value === undefined || value.startsWith("<") ? name : `${name}: ${value}`
    })
  return (text) => {
    let translated = ""
    let end = 0
    for (const found of text.matchAll(commandInText)) {
      const isExample = /[:"`] ?$/.test(text.slice(0, found.index))
      const words = found[0].split(" ").slice(1)
      const call = callOf(words, isExample, known)
      const length = call ? ["fw", ...words.slice(0, call.used)].join(" ").length : found[0].length
      translated += flags(text.slice(end, found.index))
      translated += call?.text ?? text.slice(found.index, found.index + length)
      end = found.index + length
    }
    return translated + flags(text.slice(end))
  }
}

/** Translates a failure for a tool. */
export function translateFailure(failure: FailureData, translate: Translate): FailureData {
  const { message, fix, problems } = failure
  return {
    ...failure,
    message: translate(message),
    fix: translate(fix),
    ...(problems && { problems: problems.map((one) => translateFailure(one, translate)) }),
  }
}

/** The tools and the commands that a message may name. */
export interface Known {
  readonly tools: readonly MCPTool[]
  readonly table: Group
}

/** A command as a call of a tool. */
interface Call {
  readonly text: string
  /** Length of the command with its arguments. */
  readonly used: number
}

/**
 * Returns the call of a tool that a command line stands for; null if the command is not a tool.
 *
 * @param isExample true if it is shown as it is typed. Elsewhere the words after the command belong to the
 * sentence.
 */
function callOf(words: readonly string[], isExample: boolean, { tools, table }: Known): Call | null {
  const found = entryAt(words, table)
  const own = tools.filter(({ command, meant = command }) => meant.spec === found?.command.spec)
  if (!found || own.length === 0) return null
  const { used } = found
  const options = isExample && words.length > used ? optionsOf(words, table) : null
  // If two tools have the same command, use the one whose fixed options are in the text.
  const defaults: Readonly<Record<string, unknown>> = withDefaults(found.command.spec, {})
  const isMeant = ({ fixed }: MCPTool) =>
    Object.entries(fixed).some(([name, value]) => value !== defaults[name] && options?.[name] === value)
  const tool = own.find(isMeant) ?? (own[0] as MCPTool)
  if (!options) return { text: tool.name, used }
  return { text: `${tool.name}${argumentsOf(tool, options)}`, used: words.length }
}

function entryAt(words: readonly string[], table: Group): { command: Command; used: number } | null {
  let entry: Command | Group = table
  let used = 0
  while (isGroup(entry)) {
    const next: Command | Group | undefined = entry.commands[words[used] as string]
    if (!next) return null
    entry = next
    used += 1
  }
  return { command: entry, used }
}

/** Parses a whole command line into options; null if it is incomplete. */
function optionsOf(words: readonly string[], table: Group): Readonly<Record<string, unknown>> | null {
  try {
    const request = parse(words, table, {})
    return request.kind === "run" ? request.options : null
  } catch {
    return null
  }
}

/** Returns options as arguments of a tool, without those that equal the defaults. */
function argumentsOf(tool: MCPTool, options: Readonly<Record<string, unknown>>): string {
  const { spec } = tool.command
  const defaults = withDefaults(spec, {} as never) as Readonly<Record<string, unknown>>
  const given = Object.keys(inputSchema(tool).properties).filter((name) => {
    return options[name] !== undefined && options[name] !== defaults[name]
  })
  const input = Object.fromEntries(given.map((name) => [name, options[name]]))
  return given.length > 0 ? ` ${JSON.stringify(input)}` : ""
}
