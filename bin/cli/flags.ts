/** Parses the flags of a command. */
import { seeHelp, type UsageError, usageError } from "../messages/usage.ts"
import { findNearest } from "./find-nearest.ts"
import type { Flag, ListFlag, NumberFlag } from "./spec.ts"

type Flags = Readonly<Record<string, Flag>>

/** The flags and words after a command's name. */
export interface Tokens {
  /** The values as text, by the long name of the flag. The values of a repeated list are joined with commas. */
  readonly flags: ReadonlyMap<string, string>
  readonly words: readonly string[]
}

/** Returns the name of a command: `fw generate route`. */
export function formatCommandName(path: readonly string[]): string {
  return ["fw", ...path].join(" ")
}

/**
 * Separates flags from words.
 *
 * @throws UsageError for a flag that is unknown, repeated or lacks its value.
 */
export function readTokens(tokens: readonly string[], flags: Flags, path: readonly string[]): Tokens {
  const valuesByName = new Map<string, string>()
  const words: string[] = []
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as string
    if (token === "--") {
      words.push(...tokens.slice(i + 1))
      break
    }
    if (!token.startsWith("-") || token === "-") {
      words.push(token)
      continue
    }
    const { name, flag, attached } = findFlag(token, flags, path)
    let text = attached
    if (text === undefined && flag.type === "boolean") text = "true"
    else if (text === undefined) text = readFollowingValue(tokens[++i], flag, name)
    const earlier = valuesByName.get(name)
    if (earlier !== undefined && flag.type !== "list") {
      throw usageError("repeated_flag", [name])
    }
    // Checked here too, so that `--json=maybe` is refused by commands that do not read `json`.
    if (flag.type === "boolean") text = String(readFlag(flag, text, `--${name}`))
    valuesByName.set(name, earlier === undefined ? text : `${earlier},${text}`)
  }
  return { flags: valuesByName, words }
}

interface FoundFlag {
  readonly name: string
  readonly flag: Flag
  /** The value in `--port=80`, `-p80` and `-p=80`. */
  readonly attached: string | undefined
}

function findFlag(token: string, flags: Flags, path: readonly string[]): FoundFlag {
  const [, long, value] = /^--([^=]*)(?:=(.*))?$/s.exec(token) ?? []
  if (long !== undefined) {
    if (Object.hasOwn(flags, long)) return { name: long, flag: flags[long] as Flag, attached: value }
    throw unknownFlagError(token, long, flags, path)
  }
  const [letter = "", rest = ""] = [token.slice(1, 2), token.slice(2)]
  const entry = Object.entries(flags).find(([, flag]) => flag.short === letter)
  // `-port 80` is a typing mistake for `--port 80`, and does not mean `-p` with the value `ort`.
  const word = token.slice(1).replace(/=.*$/s, "")
  if (!entry || (word.length > 1 && Object.hasOwn(flags, word))) throw unknownFlagError(token, word, flags, path)
  const [name, flag] = entry
  if (rest === "") return { name, flag, attached: undefined }
  if (flag.type === "boolean" && !rest.startsWith("=")) throw unknownFlagError(token, word, flags, path)
  return { name, flag, attached: rest.replace(/^=/, "") }
}

/** Names that flags have in other tools, and fw's names for them. */
const flagSynonyms: Readonly<Record<string, string>> = {
  ...{ y: "skip-prompts", yes: "skip-prompts", defaults: "skip-prompts", "no-input": "skip-prompts" },
  ...{ overwrite: "force", out: "output", outfile: "output", hostname: "host" },
}

function unknownFlagError(token: string, word: string, flags: Flags, path: readonly string[]): UsageError {
  const names = Object.keys(flags)
  const other = Object.hasOwn(flagSynonyms, word) ? flagSynonyms[word] : undefined
  const similar = word.length === 1 ? names.find((name) => name.startsWith(word)) : findNearest(word, names)
  const suggestion = other !== undefined && Object.hasOwn(flags, other) ? other : similar
  const label = token.replace(/=.*$/s, "")
  const command = formatCommandName(path)
  return usageError("unknown_flag", [command, label, suggestion ? `Did you mean "--${suggestion}"?` : seeHelp(command)])
}

/** Returns the value that follows a flag. If the next token looks like a flag, the value was forgotten. */
function readFollowingValue(next: string | undefined, flag: Flag, name: string): string {
  const isNegative = flag.type === "number" && next !== undefined && /^-\d/.test(next)
  if (next !== undefined && (!next.startsWith("-") || next === "-" || isNegative)) return next
  const label = `<${flag.value ?? name}>`
  throw usageError("missing_value", next?.startsWith("-") ? [name, label, next] : [name, label])
}

/**
 * Parses the value of a flag.
 *
 * @param label the source of the value in messages: `--port`, `PORT`.
 * @throws UsageError `invalid_value` with the valid values.
 */
export function readFlag(flag: Flag, text: string, label: string): string | number | boolean | readonly string[] {
  switch (flag.type) {
    case "boolean":
      if (text === "true" || text === "false") return text === "true"
      throw usageError("invalid_value.boolean", [label, text])
    case "number":
      return readNumber(flag, text, label)
    case "string":
      return flag.values ? readWord(flag.values, text, label) : text
    case "list":
      return readList(flag, text, label)
  }
}

function readNumber({ min, max }: NumberFlag, text: string, label: string): number {
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  throw usageError("invalid_value.number", [label, text, min, max])
}

/**
 * Finds a word among the allowed ones.
 *
 * @throws UsageError `invalid_value` with the allowed words and the nearest one.
 */
export function readWord(values: readonly string[], text: string, label: string): string {
  const value = values.find((allowed) => allowed.toLowerCase() === text.toLowerCase())
  if (value !== undefined) return value
  throw usageError("invalid_value.word", [label, text, values, findNearest(text, values) ?? null])
}

function readList({ values }: ListFlag, text: string, label: string): readonly string[] {
  const words = text.split(",").map((word) => word.trim())
  if (words.includes("")) throw usageError("invalid_value.list", [label, text])
  // Repetitions stay if any word is allowed, because only the command knows whether a word may occur twice.
  return values ? [...new Set(words.map((word) => readWord(values, word, label)))] : words
}
