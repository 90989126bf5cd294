/** A command as data: its arguments and flags, and the types derived from them. */
import type { Io, View } from "./terminal.ts"

interface FlagBase {
  /** One letter, for `-p`. */
  readonly short?: string
  readonly description: string
  /** Name of the value in help: `<dir>`. Default: the flag's own name. */
  readonly value?: string
  /** Environment variable that is read if the flag is not given. */
  readonly env?: string
}

/** A flag with a text; with `values`, one of these, in upper or lower case. */
export interface StringFlag extends FlagBase {
  readonly type: "string"
  readonly default?: string
  readonly values?: readonly string[]
  /** Text in help for a default that is computed when the command runs. */
  readonly shownDefault?: string
}

/** A flag with a whole number. */
export interface NumberFlag extends FlagBase {
  readonly type: "number"
  readonly default?: number
  readonly min: number
  readonly max: number
}

/** A flag without a value. */
export interface BooleanFlag extends FlagBase {
  readonly type: "boolean"
}

/** A flag with values separated by commas, which may be repeated. */
export interface ListFlag extends FlagBase {
  readonly type: "list"
  readonly default?: readonly string[]
  readonly values?: readonly string[]
  /** Text in help for a default that is computed when the command runs. */
  readonly shownDefault?: string
}

/** A flag of a command. */
export type Flag = StringFlag | NumberFlag | BooleanFlag | ListFlag

/** A positional argument of a command. */
export interface Argument {
  readonly name: string
  readonly description: string
  /** Default: false, it is required. */
  readonly optional?: boolean
  /** Valid values, in upper or lower case. Default: any. */
  readonly values?: readonly string[]
  /** True for any number of values, which may be none; only for the last argument. Default: false. */
  readonly several?: boolean
  /**
   * `file` for paths of files, which are relative to the directory of the command line. `file or revision` for what may also be a
   * revision of git, or a file in one: `main:openapi.json`. Default: no path.
   */
  readonly pathKind?: "file" | "file or revision"
}

/** A command without its code, for the parser and help. */
export interface Spec {
  /** One line in the imperative without a full stop: "List the routes". */
  readonly summary: string
  /** More text, for the command's own help. */
  readonly description?: string
  /** Required ones first. */
  readonly arguments?: readonly Argument[]
  /** By long name, in the order of help. A flag with the name of a global one replaces it. */
  readonly flags?: Readonly<Record<string, Flag>>
  /** Whole command lines, for help. */
  readonly examples?: readonly string[]
  /**
   * True if standard output carries a protocol of the command, so that no result is printed there, even with
   * `--json`.
   */
  readonly ownsStdout?: boolean
  /**
   * True to run in the current directory. Default: false, in the project that contains the current directory.
   */
  readonly anywhere?: boolean
}

type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name
type AllowedValue<F> = F extends { readonly values: readonly (infer Value)[] } ? Value : string
type UndefinedIfOptional<F> = F extends { readonly default: unknown } ? never : undefined
type FlagValue<F> = F extends { readonly type: "boolean" }
  ? boolean
  : F extends { readonly type: "list" }
    ? readonly AllowedValue<F>[]
    : (F extends { readonly type: "number" } ? number : AllowedValue<F>) | UndefinedIfOptional<F>
type FlagsOf<S> = S extends { readonly flags: infer Flags } ? Flags : unknown
type ArgumentsOf<S> = S extends { readonly arguments: readonly (infer A)[] } ? A : never

/** Options of a command's function: its flags and arguments by name, in camelCase, with defaults. */
export type OptionsOf<S extends Spec> = {
  readonly [Name in keyof FlagsOf<S> & string as CamelCase<Name>]: FlagValue<FlagsOf<S>[Name]>
} & {
  readonly [A in ArgumentsOf<S> as A extends Argument ? CamelCase<A["name"]> : never]: A extends {
    readonly several: true
  }
    ? readonly string[]
    : A extends { readonly optional: true }
      ? string | undefined
      : string
}

/** The exports of a command's file. */
export interface CommandModule<Options, Result> {
  /** Runs the command. Output to `io` during the run is progress, which goes to stderr with `--json`. */
  run(options: Options, io: Io): Promise<Result>
  /** Returns the result that `--json` and MCP give. Default: the result itself. */
  data?(result: Result): unknown
  /** Returns the result as text, ending with a line break. Default: nothing. */
  print?(result: Result, view: View): string
  /** Returns the exit code for a negative result, such as that of a check. Default: 0. */
  exitCode?(result: Result): number
}

/** A command in the table. Its code is loaded when it runs. */
export interface Command {
  readonly spec: Spec
  readonly load: () => Promise<CommandModule<unknown, unknown>>
}

/** Commands under one name, such as `fw generate`. The whole table is a group too. */
export interface Group {
  readonly summary: string
  readonly commands: Readonly<Record<string, Command | Group>>
}

/** Declares a command's arguments and flags, with their literal types for {@link OptionsOf}. */
export function defineSpec<const S extends Spec>(declared: S): S {
  return declared
}

/** Combines a spec with its code, which must accept the spec's options. */
export function defineCommand<S extends Spec, Result>(
  declared: S,
  load: () => Promise<CommandModule<OptionsOf<S>, Result>>,
): Command {
  return { spec: declared, load }
}

/** Returns true if an entry of the table contains further commands. */
export function isGroup(entry: Command | Group): entry is Group {
  return "commands" in entry
}

/** Returns an argument for usage lines: `<path>`, `[path]` if it is optional, `[path...]` for several. */
export function formatArgument({ name, optional, several }: Argument): string {
  if (several) return `[${name}...]`
  return optional ? `[${name}]` : `<${name}>`
}

/** Returns the name of an option in code: `appDir` for `app-dir`. */
export function toOptionName(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * Adds the defaults of a command's flags to given options, for the parser and for other code that calls a
 * command.
 */
export function addDefaults<S extends Spec>(declared: S, given: Partial<OptionsOf<S>>): OptionsOf<S> {
  const options: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(declared.flags ?? {})) options[toOptionName(name)] = readDefault(flag)
  for (const { name, several } of declared.arguments ?? []) options[toOptionName(name)] = several ? [] : undefined
  for (const [name, value] of Object.entries(given)) if (value !== undefined) options[name] = value
  return options as OptionsOf<S>
}

function readDefault(flag: Flag): unknown {
  if (flag.type === "boolean") return false
  return flag.type === "list" ? (flag.default ?? []) : flag.default
}
