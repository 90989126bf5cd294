/** Describes commands as data: their arguments and flags, and the types derived from them. */
import type { Io, View } from "./terminal.ts"

interface FlagBase {
  /** The letter of the short form: `p` for `-p`. */
  readonly short?: string
  readonly description: string
  /** Name of the value in help: `<dir>`. Default: the flag's own name. */
  readonly value?: string
  /** Environment variable that is read if the flag is not given. */
  readonly env?: string
}

/** A flag with a text. With `values`, the text must be one of them, in upper or lower case. */
export interface StringFlag extends FlagBase {
  readonly type: "string"
  readonly default?: string
  readonly values?: readonly string[]
  /** The default as help shows it, if the command computes it when it runs. */
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
  /** The default as help shows it, if the command computes it when it runs. */
  readonly shownDefault?: string
}

/** A flag of a command. */
export type Flag = StringFlag | NumberFlag | BooleanFlag | ListFlag

/** A positional argument of a command. */
export interface Argument {
  readonly name: string
  readonly description: string
  /** True if it may be missing. Default: false. */
  readonly optional?: boolean
  /** The valid values, in upper or lower case. Default: any text. */
  readonly values?: readonly string[]
  /** True if any number of values is allowed, also none. Only the last argument can have it. Default: false. */
  readonly several?: boolean
  /**
   * `file` for the path of a file, relative to the current directory. `file or revision` if the value may also be a
   * git revision or a file in one: `main:openapi.json`. Default: the value is not a path.
   */
  readonly pathKind?: "file" | "file or revision"
}

/** A command without its code, for the parser and help. */
export interface Spec {
  /** One line in the imperative without a full stop: "List the routes". */
  readonly summary: string
  /** More text for the command's own help. */
  readonly description?: string
  /** The arguments in order. Required ones come first. */
  readonly arguments?: readonly Argument[]
  /** The flags by long name, in the order of help. A flag replaces the global flag of the same name. */
  readonly flags?: Readonly<Record<string, Flag>>
  /** Complete command lines for help. */
  readonly examples?: readonly string[]
  /**
   * True if the command writes a protocol to standard output. Then no result is printed there, even with `--json`.
   */
  readonly ownsStdout?: boolean
  /**
   * True to run in the current directory. Default: false; the command runs in the project that contains the current
   * directory.
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

/** The options that a command's function gets: its flags and arguments by name, in camelCase, with defaults. */
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

/** The exports of a command's module. */
export interface CommandModule<Options, Result> {
  /** Runs the command. What it writes to `io.stdout` is progress, which goes to stderr with `--json`. */
  run(options: Options, io: Io): Promise<Result>
  /** Returns the result for `--json` and MCP. Default: the result itself. */
  data?(result: Result): unknown
  /** Returns the result as text, ending with a line break. Default: nothing. */
  print?(result: Result, view: View): string
  /** Returns the exit code if the result is negative, such as that of a check. Default: 0. */
  exitCode?(result: Result): number
}

/** A command in the table. Its code is loaded when it runs. */
export interface Command {
  readonly spec: Spec
  readonly load: () => Promise<CommandModule<unknown, unknown>>
}

/** Commands under a common name, such as `fw generate`. The whole table is a group too. */
export interface Group {
  readonly summary: string
  readonly commands: Readonly<Record<string, Command | Group>>
}

/** Declares a command's arguments and flags and keeps their literal types for {@link OptionsOf}. */
export function defineSpec<const S extends Spec>(spec: S): S {
  return spec
}

/** Combines a spec with a module whose options it describes. */
export function defineCommand<S extends Spec, Result>(
  spec: S,
  load: () => Promise<CommandModule<OptionsOf<S>, Result>>,
): Command {
  return { spec, load }
}

/** Returns true if an entry of the table contains further commands. */
export function isGroup(entry: Command | Group): entry is Group {
  return "commands" in entry
}

/** Returns an argument as help shows it: `<path>`, `[path]` if it is optional, `[path...]` for several. */
export function formatArgument({ name, optional, several }: Argument): string {
  if (several) return `[${name}...]`
  return optional ? `[${name}]` : `<${name}>`
}

/** Returns the name of an option in code: `appDir` for `app-dir`. */
export function toOptionName(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * Adds the defaults of a command's flags to some options. The parser uses it, and so does code that calls a
 * command.
 */
export function addDefaults<S extends Spec>(spec: S, values: Partial<OptionsOf<S>>): OptionsOf<S> {
  const options: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(spec.flags ?? {})) options[toOptionName(name)] = readDefault(flag)
  for (const { name, several } of spec.arguments ?? []) options[toOptionName(name)] = several ? [] : undefined
  for (const [name, value] of Object.entries(values)) if (value !== undefined) options[name] = value
  return options as OptionsOf<S>
}

function readDefault(flag: Flag): unknown {
  if (flag.type === "boolean") return false
  return flag.type === "list" ? (flag.default ?? []) : flag.default
}
