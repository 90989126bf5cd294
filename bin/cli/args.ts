/** Parses the command line with the table of commands. */

import { seeHelp, type UsageError, usageError } from "../messages/usage.ts"
import { findNearest } from "./find-nearest.ts"
import { formatCommandName, readFlag, readTokens, readWord } from "./flags.ts"
import {
  addDefaults,
  type Command,
  type Flag,
  formatArgument,
  type Group,
  isGroup,
  type Spec,
  toOptionName,
} from "./spec.ts"
import type { Io } from "./terminal.ts"

/** A parsed command line. `path` is the command's names: `["generate", "route"]`. */
export type CommandRequest =
  | { readonly kind: "version" }
  | { readonly kind: "help"; readonly path: readonly string[]; readonly entry: Command | Group }
  | {
      readonly kind: "run"
      readonly path: readonly string[]
      readonly command: Command
      readonly options: Readonly<Record<string, unknown>>
      /** Names of the options that the command line has. The others have their defaults. */
      readonly optionNames: readonly string[]
    }

/** The flags of every command. A command can replace one by a flag of the same name. */
export const globalFlags = {
  json: { type: "boolean", description: "Print the result, or the failure, as JSON" },
  help: { type: "boolean", short: "h", description: "Show this help" },
  version: { type: "boolean", description: "Show the version of fw" },
} as const satisfies Record<string, Flag>

/** Returns true if a command line asks for JSON, even if it is invalid otherwise. */
export function wantsJSON(argv: readonly string[]): boolean {
  return takeBeforeDashes(argv).some((token) => token === "--json" || token === "--json=true")
}

/**
 * Parses a command line.
 *
 * @throws UsageError for unknown or invalid arguments. It suggests the nearest valid one.
 */
export function parseCommandLine(rawArgv: readonly string[], table: Group, env: Io["env"]): CommandRequest {
  const argv = normalizeSpelling(rawArgv, table)
  const { entry, path, before, after } = findCommand(argv, table)
  // Help is shown even if the command line is invalid otherwise.
  if (takeBeforeDashes(argv).some((token) => token === "--help" || token === "-h")) return { kind: "help", path, entry }
  const globals = readTokens(before, globalFlags, path)
  if (globals.flags.get("version") === "true") return { kind: "version" }
  if (isGroup(entry)) return requireCommand(entry, path)
  const { spec } = entry
  const { flags, words } = readTokens(after, { ...globalFlags, ...spec.flags }, path)
  if (!spec.flags?.version && flags.get("version") === "true") return { kind: "version" }
  const values = { ...readArguments(spec, words, path), ...readFlags(spec, flags, env) }
  return {
    kind: "run",
    path,
    command: entry,
    options: addDefaults(spec, values),
    optionNames: Object.keys(values),
  }
}

/**
 * Refuses empty values, which mostly come from an empty shell variable. An empty directory would mean the project
 * itself, and an empty address all addresses of the machine.
 *
 * @throws UsageError if a flag or an argument is empty.
 */
export function refuseEmptyValues({
  path,
  command: { spec },
  options,
  optionNames,
}: CommandRequest & { kind: "run" }): void {
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    const option = toOptionName(name)
    if (flag.type === "string" && optionNames.includes(option) && options[option] === "")
      throw usageError("missing_value", [name, `<${flag.value ?? name}>`])
  }
  for (const { name, several } of spec.arguments ?? []) {
    const words = options[toOptionName(name)]
    if (several && Array.isArray(words) && words.includes(""))
      throw usageError("missing_argument", [formatCommandName(path), name])
  }
}

/**
 * Rewrites other spellings: `fw help new` becomes `fw new --help`; `fw version` and `fw -v` become `fw --version`.
 * A command with such a name comes first.
 */
function normalizeSpelling(argv: readonly string[], table: Group): readonly string[] {
  const [first = "", ...rest] = argv
  if (Object.hasOwn(table.commands, first)) return argv
  if (first === "help") return [...rest, "--help"]
  return first === "version" || first === "-v" ? ["--version", ...rest] : argv
}

function takeBeforeDashes(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf("--")
  return end < 0 ? argv : argv.slice(0, end)
}

interface FoundCommand {
  readonly entry: Command | Group
  readonly path: readonly string[]
  /** Flags between the command's names. Only global flags are allowed there. */
  readonly before: readonly string[]
  readonly after: readonly string[]
}

function findCommand(argv: readonly string[], table: Group): FoundCommand {
  let entry: Command | Group = table
  const path: string[] = []
  const before: string[] = []
  let at = 0
  for (; at < argv.length && isGroup(entry); at++) {
    const token = argv[at] as string
    if (token === "--") {
      throw usageError("missing_command.dashes", [formatCommandName(path)])
    }
    if (token.startsWith("-")) {
      before.push(token)
      continue
    }
    if (!Object.hasOwn(entry.commands, token)) throw unknownCommandError(token, entry, path)
    entry = entry.commands[token] as Command | Group
    path.push(token)
  }
  return { entry, path, before, after: argv.slice(at) }
}

/** Commands that other tools have, and what to use in fw. */
const otherToolCommands: Readonly<Record<string, string>> = {
  serve: "While you work on the application: fw dev. To run it as in production: npm start.",
  preview: "To run the application as in production: npm start, or fw build and the file that it makes.",
  check: "A project's type check is a script of its package.json: npm run check. To check the routes: fw validate.",
  lint: "fw has no linter. To check the routes and the templates: fw validate.",
  init: "To make a project: fw new <name>.",
  create: "To make a project: fw new <name>.",
}

function unknownCommandError(token: string, group: Group, path: readonly string[]): UsageError {
  const other = path.length === 0 && Object.hasOwn(otherToolCommands, token) ? otherToolCommands[token] : undefined
  const suggestion = findNearest(token, Object.keys(group.commands))
  const fix =
    other ??
    (suggestion ? `Did you mean "${formatCommandName([...path, suggestion])}"?` : seeHelp(formatCommandName(path)))
  return usageError("unknown_command", [formatCommandName([...path, token]), fix])
}

/**
 * Returns help for `fw` without arguments.
 *
 * @throws UsageError for a group, which needs the name of a command.
 */
function requireCommand(entry: Group, path: readonly string[]): CommandRequest {
  if (path.length === 0) return { kind: "help", path, entry }
  throw usageError("missing_command", [formatCommandName(path), Object.keys(entry.commands)])
}

function readFlags(spec: Spec, flagTexts: ReadonlyMap<string, string>, env: Io["env"]): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(spec.flags ?? {})) {
    const text = flagTexts.get(name)
    const variable = flag.env
    if (text !== undefined) options[toOptionName(name)] = readFlag(flag, text, `--${name}`)
    else if (variable && env[variable]) options[toOptionName(name)] = readFlag(flag, env[variable], variable)
  }
  return options
}

function readArguments(spec: Spec, words: readonly string[], path: readonly string[]): Record<string, unknown> {
  const declared = spec.arguments ?? []
  const last = declared.at(-1)
  const extra = last?.several ? undefined : words[declared.length]
  if (extra !== undefined) {
    throw usageError("unexpected_argument", [formatCommandName(path), declared.map(formatArgument), extra])
  }
  const options: Record<string, unknown> = {}
  declared.forEach(({ name, optional, values, several }, index) => {
    const word = words[index]
    if (several) {
      options[toOptionName(name)] = words.slice(index)
      return
    }
    if (word) options[toOptionName(name)] = values ? readWord(values, word, `<${name}>`) : word
    else if (!optional || word === "") {
      throw usageError("missing_argument", [formatCommandName(path), name])
    }
  })
  return options
}
