/** Converts the table of commands for the completion scripts: words, flags and their values. */
import { globalFlags } from "../cli/args.ts"
import { type Command, type Flag, type Group, isGroup } from "../cli/spec.ts"

/** The value that a flag takes, if any. */
export type FlagArgument = { readonly kind: "nothing" } | FlagValueKind

/** The type of a flag's value. A shell cannot complete `text`. */
export type FlagValueKind =
  | { readonly kind: "text" }
  | { readonly kind: "file" }
  | { readonly kind: "directory" }
  | { readonly kind: "words"; readonly words: readonly string[]; readonly list: boolean }

/** A flag of one command. */
export interface FlagWords {
  readonly long: string
  readonly short: string | undefined
  readonly takes: FlagArgument
  readonly description: string
}

/** The words and flags that may follow a command's name. */
export interface CompletionEntry {
  /** The names after `fw`, separated by spaces; `""` for fw itself. */
  readonly path: string
  readonly commands: ReadonlyArray<{ readonly name: string; readonly summary: string }>
  /** Values of the first argument, if they are known. */
  readonly values: readonly string[]
  /** True if the arguments are paths of files. */
  readonly takesFiles?: boolean
  readonly flags: readonly FlagWords[]
}

/** Returns every group and command, fw itself first. */
export function listEntries(entry: Command | Group, path = ""): CompletionEntry[] {
  if (!isGroup(entry)) {
    const { flags = {}, arguments: args = [] } = entry.spec
    const values = args[0]?.values ?? []
    const takesFiles = args[0]?.pathKind === "file"
    return [{ path, commands: [], values, takesFiles, flags: toFlagWords({ ...globalFlags, ...flags }) }]
  }
  const inner = Object.entries(entry.commands)
  const commands = inner.map(([name, one]) => ({
    name,
    summary: isGroup(one) ? one.summary : one.spec.summary,
  }))
  const below = inner.flatMap(([name, one]) => listEntries(one, path === "" ? name : `${path} ${name}`))
  return [{ path, commands, values: [], flags: toFlagWords(globalFlags) }, ...below]
}

function toFlagWords(flags: Readonly<Record<string, Flag>>): FlagWords[] {
  return Object.entries(flags).map(([name, flag]) => ({
    long: `--${name}`,
    short: flag.short === undefined ? undefined : `-${flag.short}`,
    takes: toFlagArgument(flag),
    description: flag.description,
  }))
}

function toFlagArgument(flag: Flag): FlagArgument {
  if (flag.type === "boolean") return { kind: "nothing" }
  if ("values" in flag && flag.values) return { kind: "words", words: flag.values, list: flag.type === "list" }
  if (flag.value === "dir") return { kind: "directory" }
  return { kind: flag.value === "file" || flag.value === "path" ? "file" : "text" }
}
