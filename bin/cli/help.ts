/** Generates help from the table of commands, as data and as text. */
import { globalFlags } from "./args.ts"
import { formatCommandName } from "./flags.ts"
import { wrapWords } from "./layout.ts"
import { type Argument, type Command, type Flag, formatArgument, type Group, isGroup } from "./spec.ts"
import type { View } from "./terminal.ts"

/** One line of help: a flag, an argument or a command, with its description. */
export interface HelpItem {
  readonly name: string
  readonly description: string
}

/** The help of a command or group, as in `--help --json`. */
export interface Help {
  readonly usage: string
  readonly summary: string
  readonly description?: string
  readonly commands?: readonly HelpItem[]
  readonly arguments?: readonly HelpItem[]
  readonly flags?: readonly HelpItem[]
  readonly globalFlags: readonly HelpItem[]
  readonly examples?: readonly string[]
  /** The command that explains an error by its code. Only the help of `fw` itself has it. */
  readonly errors?: string
}

/** Returns the help of a command or group as data. */
export function describeCommand(path: readonly string[], entry: Command | Group): Help {
  const name = formatCommandName(path)
  if (isGroup(entry)) {
    const commands = Object.entries(entry.commands).map(([name, inner]) => ({
      name,
      description: isGroup(inner) ? inner.summary : inner.spec.summary,
    }))
    return {
      usage: `${name} <command>`,
      summary: entry.summary,
      commands,
      globalFlags: toHelpItems(globalFlags),
      ...(path.length === 0 ? { errors: `${name} help <code>` } : {}),
    }
  }
  const { summary, description, arguments: args = [], flags = {}, examples } = entry.spec
  const words = args.map(formatArgument)
  const globals = Object.entries(globalFlags).filter(([name]) => !Object.hasOwn(flags, name))
  return {
    usage: [name, ...words, ...(Object.keys(flags).length > 0 ? ["[flags]"] : [])].join(" "),
    summary,
    ...(description ? { description } : {}),
    ...(args.length > 0
      ? {
          arguments: args.map((arg, i) => ({ name: words[i] as string, description: describeArgument(arg) })),
        }
      : {}),
    ...(Object.keys(flags).length > 0 ? { flags: toHelpItems(flags) } : {}),
    globalFlags: toHelpItems(Object.fromEntries(globals)),
    ...(examples ? { examples } : {}),
  }
}

function describeArgument({ description, values }: Argument): string {
  return values ? `${description} (${values.join(", ")})` : description
}

function toHelpItems(flags: Readonly<Record<string, Flag>>): HelpItem[] {
  return Object.entries(flags).map(([name, flag]) => {
    const short = flag.short ? `-${flag.short}, ` : ""
    const value = flag.type === "boolean" ? "" : ` <${flag.value ?? name}>`
    return {
      name: `${short}--${name}${value}`,
      description: [flag.description, ...listNotes(flag)].join(" "),
    }
  })
}

/** Returns the allowed values and the default of a flag, as the help shows them in parentheses. */
function listNotes(flag: Flag): string[] {
  const notes: string[] = []
  if ("values" in flag && flag.values) notes.push(`${flag.values.join(", ")}`)
  const value = flag.type === "boolean" ? undefined : (flag.default ?? ("shownDefault" in flag && flag.shownDefault))
  const text = Array.isArray(value) ? value.join(",") : value
  const variable = flag.env ? `${flag.env} or ` : ""
  if (text !== undefined && text !== false && text !== "") notes.push(`default: ${variable}${text}`)
  return notes.length > 0 ? [`(${notes.join("; ")})`] : []
}

/** Formats help as text. No line is wider than the terminal or 100 characters. */
export function printHelp(help: Help, { style, columns }: View): string {
  const width = Math.min(columns, 100)
  const text = [`${wrapText(help.summary, 0, width)}.\n`]
  if (help.description) text.push("\n", wrapText(help.description, 0, width), "\n")
  const addSection = (title: string, body: string) => text.push(`\n${style.bold(title)}\n`, body)
  text.push(`\n${style.bold("Usage:")} ${help.usage}\n`)
  const lists: ReadonlyArray<readonly [string, readonly HelpItem[] | undefined]> = [
    ["Commands:", help.commands],
    ["Arguments:", help.arguments],
    ["Flags:", help.flags],
    ["Global flags:", help.globalFlags],
  ]
  const nameWidth = Math.max(...lists.flatMap(([, list]) => (list ?? []).map((item) => alignName(item).length)))
  for (const [title, list] of lists) {
    if (list && list.length > 0)
      addSection(title, list.map((item) => formatItem(item, nameWidth, width, style.cyan)).join(""))
  }
  if (help.examples) addSection("Examples:", help.examples.map((example) => `  ${example}\n`).join(""))
  if (help.commands) text.push(`\nRun "${help.usage} --help" for more about a command.\n`)
  if (help.errors) text.push(`Run "${help.errors}" for more about an error, such as "fw help port_in_use".\n`)
  return text.join("")
}

function formatItem(item: HelpItem, nameWidth: number, width: number, paint: (text: string) => string): string {
  const name = alignName(item)
  const { description } = item
  const indent = nameWidth + 4
  return `  ${paint(name)}${" ".repeat(indent - 2 - name.length)}${wrapText(description, indent, width)}\n`
}

/** Indents a long flag that has no short form, so that all long flags are aligned. */
function alignName({ name }: HelpItem): string {
  return name.startsWith("--") ? `    ${name}` : name
}

/** Breaks a text between words and indents all lines except the first. */
function wrapText(text: string, indent: number, width: number): string {
  return wrapWords(text.split(" "), width - indent, width - indent, " ".repeat(indent))
}
