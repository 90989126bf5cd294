/** Parses argv with the table of commands. */

import { seeHelp, type UsageError, usageError } from "../messages/usage.ts"
import { readFlag, readTokens, readWord, usageName } from "./flags.ts"
import {
  type Command,
  type Flag,
  type Group,
  isGroup,
  optionName,
  type Spec,
  shownArgument,
  withDefaults,
} from "./spec.ts"
import { nearest } from "./suggest.ts"
import type { Io } from "./terminal.ts"

/** A parsed command line. `path` is the command's names: `["generate", "route"]`. */
export type Request =
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly path: readonly string[]; readonly entry: Command | Group }
  | {
      readonly kind: "run"
      readonly path: readonly string[]
      readonly command: Command
      readonly options: Readonly<Record<string, unknown>>
      /** Names of the options in the line; the others have defaults. */
      readonly given: readonly string[]
    }

/** The flags of every command. A command's own flag with the same name replaces one. */
export const globalFlags = {
  json: { type: "boolean", description: "Print the result, or the failure, as JSON" },
  help: { type: "boolean", short: "h", description: "Show this help" },
  version: { type: "boolean", description: "Show the version of fw" },
} as const satisfies Record<string, Flag>

/** Returns true if a command line asks for JSON, even if the rest of it is wrong. */
export function wantsJSON(argv: readonly string[]): boolean {
  return beforeDashes(argv).some((token) => token === "--json" || token === "--json=true")
}

/** Parses a command line. @throws UsageError for unknown or invalid arguments, with the nearest valid one. */
export function parse(given: readonly string[], table: Group, env: Io["env"]): Request {
  const argv = spelled(given, table)
  const { entry, path, before, after } = findCommand(argv, table)
  // Help is shown even if the rest of the line is wrong.
  if (beforeDashes(argv).some((token) => token === "--help" || token === "-h"))
    return { kind: "help", path, entry }
  const globals = readTokens(before, globalFlags, path)
  if (globals.flags.get("version") === "true") return { kind: "version" }
  if (isGroup(entry)) return askForCommand(entry, path)
  const { spec } = entry
  const { flags, words } = readTokens(after, { ...globalFlags, ...spec.flags }, path)
  if (!spec.flags?.version && flags.get("version") === "true") return { kind: "version" }
  const values = { ...readArguments(spec, words, path), ...readFlags(spec, flags, env) }
  return {
    kind: "run",
    path,
    command: entry,
    options: withDefaults(spec, values),
    given: Object.keys(values),
  }
}

/**
 * Refuses empty texts, which are the values of empty variables of a shell. As a directory such a text would be the project
 * itself, and as an address every address of the machine.
 *
 * @throws UsageError for a flag or an argument.
 */
export function refuseEmpty({ path, command: { spec }, options, given }: Request & { kind: "run" }): void {
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    const option = optionName(name)
    if (flag.type === "string" && given.includes(option) && options[option] === "")
      throw usageError("missing_value", [name, `<${flag.value ?? name}>`])
  }
  for (const { name, several } of spec.arguments ?? []) {
    const words = options[optionName(name)]
    if (several && Array.isArray(words) && words.includes(""))
      throw usageError("missing_argument", [usageName(path), name])
  }
}

/**
 * Rewrites other spellings: `fw help new` is `fw new --help`; `fw version` and `fw -v` are `fw --version`.
 * Commands with these names take precedence.
 */
function spelled(argv: readonly string[], table: Group): readonly string[] {
  const [first = "", ...rest] = argv
  if (Object.hasOwn(table.commands, first)) return argv
  if (first === "help") return [...rest, "--help"]
  return first === "version" || first === "-v" ? ["--version", ...rest] : argv
}

function beforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--")
  return end < 0 ? argv : argv.slice(0, end)
}

interface Found {
  readonly entry: Command | Group
  readonly path: readonly string[]
  /** Flags between the names. Only global ones are allowed. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

function findCommand(argv: readonly string[], table: Group): Found {
  let entry: Command | Group = table
  const path: string[] = []
  const before: string[] = []
  let at = 0
  for (; at < argv.length && isGroup(entry); at++) {
    const token = argv[at] as string
    if (token === "--") {
      throw usageError("missing_command.dashes", [usageName(path)])
    }
    if (token.startsWith("-")) {
      before.push(token)
      continue
    }
    if (!Object.hasOwn(entry.commands, token)) throw unknownCommand(token, entry, path)
    entry = entry.commands[token] as Command | Group
    path.push(token)
  }
  return { entry, path, before, after: argv.slice(at) }
}

/** Commands of other tools, and their equivalents here. */
const otherTools: Readonly<Record<string, string>> = {
  serve: "While you work on the application: fw dev. To run it as in production: npm start.",
  preview: "To run the application as in production: npm start, or fw build and the file that it makes.",
  check:
    "A project's type check is a script of its package.json: npm run check. To check the routes: fw validate.",
  lint: "fw has no linter. To check the routes and the templates: fw validate.",
  init: "To make a project: fw new <name>.",
  create: "To make a project: fw new <name>.",
}

function unknownCommand(token: string, group: Group, path: readonly string[]): UsageError {
  const other = path.length === 0 && Object.hasOwn(otherTools, token) ? otherTools[token] : undefined
  const meant = nearest(token, Object.keys(group.commands))
  const fix = other ?? (meant ? `Did you mean "${usageName([...path, meant])}"?` : seeHelp(usageName(path)))
  return usageError("unknown_command", [usageName([...path, token]), fix])
}

/** Returns help for `fw` without arguments; a group without a command is an error. */
function askForCommand(entry: Group, path: readonly string[]): Request {
  if (path.length === 0) return { kind: "help", path, entry }
  throw usageError("missing_command", [usageName(path), Object.keys(entry.commands)])
}

function readFlags(spec: Spec, given: ReadonlyMap<string, string>, env: Io["env"]): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    const text = given.get(name)
    const variable = flag.env
    if (text !== undefined) options[optionName(name)] = readFlag(flag, text, `--${name}`)
    else if (variable && env[variable]) options[optionName(name)] = readFlag(flag, env[variable], variable)
  }
  return options
}

function readArguments(
  spec: Spec,
  words: readonly string[],
  path: readonly string[],
): Record<string, unknown> {
  const declared = spec.arguments ?? []
  const last = declared.at(-1)
  const extra = last?.several ? undefined : words[declared.length]
  if (extra !== undefined) {
    throw usageError("unexpected_argument", [usageName(path), declared.map(shownArgument), extra])
  }
  const options: Record<string, unknown> = {}
  declared.forEach(({ name, optional, values, several }, index) => {
    const word = words[index]
    if (several) {
      options[optionName(name)] = words.slice(index)
      return
    }
    if (word) options[optionName(name)] = values ? readWord(values, word, `<${name}>`) : word
    else if (!optional || word === "") {
      throw usageError("missing_argument", [usageName(path), name])
    }
  })
  return options
}
