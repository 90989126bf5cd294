/** What a command is, as data: its arguments and flags, and the types that follow from them. Used by the table, the parser and help. */
import type { Io, View } from "./terminal.ts"

interface FlagBase {
  /** One letter, for `-p`. */
  readonly short?: string
  readonly description: string
  /** What help calls the value: `<dir>`. Default: the flag's own name. */
  readonly value?: string
}

/** A flag that takes text; with `values`, one of these, in any case of letters. */
export interface StringFlag extends FlagBase {
  readonly type: "string"
  readonly default?: string
  readonly values?: readonly string[]
  /** What help shows where the default is worked out when the command runs. */
  readonly shownDefault?: string
}

/** A flag that takes a whole number. */
export interface NumberFlag extends FlagBase {
  readonly type: "number"
  readonly default?: number
  readonly min: number
  readonly max: number
  /** An environment variable that is read where the flag is not given. */
  readonly env?: string
}

/** A flag that is there or not. */
export interface BooleanFlag extends FlagBase {
  readonly type: "boolean"
}

/** A flag that takes values between commas, and may be given again for more. */
export interface ListFlag extends FlagBase {
  readonly type: "list"
  readonly default?: readonly string[]
  readonly values?: readonly string[]
  /** What help shows where the default is worked out when the command runs. */
  readonly shownDefault?: string
}

/** One flag of a command. */
export type Flag = StringFlag | NumberFlag | BooleanFlag | ListFlag

/** One value that a command takes by its place. */
export interface Argument {
  readonly name: string
  readonly description: string
  /** Default: false, it is required. */
  readonly optional?: boolean
  /** One of these, in any case of letters. Default: anything. */
  readonly values?: readonly string[]
}

/** A command without its code: what the parser and help read. */
export interface Spec {
  /** One line, an order without a full stop: "List the routes". */
  readonly summary: string
  /** More, for the command's own help. */
  readonly description?: string
  /** Required ones first. */
  readonly arguments?: readonly Argument[]
  /** By long name, in the order of help. A name that is a global flag's takes its place. */
  readonly flags?: Readonly<Record<string, Flag>>
  /** Whole command lines, for help. */
  readonly examples?: readonly string[]
  /** Standard output carries a protocol of the command's own: no result is printed there, also not with `--json`. */
  readonly ownsStdout?: boolean
  /** Works where it is typed. Default: false, it works on the project that the current directory is in. */
  readonly anywhere?: boolean
}

type Camel<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name
type Word<F> = F extends { readonly values: readonly (infer Value)[] } ? Value : string
type Absent<F> = F extends { readonly default: unknown } ? never : undefined
type FlagValue<F> = F extends { readonly type: "boolean" }
  ? boolean
  : F extends { readonly type: "list" }
    ? readonly Word<F>[]
    : (F extends { readonly type: "number" } ? number : Word<F>) | Absent<F>
type FlagsOf<S> = S extends { readonly flags: infer Flags } ? Flags : unknown
type ArgumentsOf<S> = S extends { readonly arguments: readonly (infer A)[] } ? A : never

/** What a command's function is given: its flags and arguments by name, in camelCase, with defaults filled in. */
export type OptionsOf<S extends Spec> = {
  readonly [Name in keyof FlagsOf<S> & string as Camel<Name>]: FlagValue<FlagsOf<S>[Name]>
} & {
  readonly [A in ArgumentsOf<S> as A extends Argument ? Camel<A["name"]> : never]: A extends {
    readonly optional: true
  }
    ? string | undefined
    : string
}

/** What a command's file exports. */
export interface CommandModule<Options, Result> {
  /** Does the work. What it writes to `io` meanwhile is progress: under `--json` it goes to stderr. */
  run(options: Options, io: Io): Promise<Result>
  /** The result as `--json` and MCP give it. Default: as it is. */
  data?(result: Result): unknown
  /** The result as a person reads it, ending with a line break. Default: nothing. */
  print?(result: Result, view: View): string
  /** The exit code of a result that is a no, such as that of a check. Default: 0. */
  exitCode?(result: Result): number
}

/** A command in the table; its code is loaded when it runs. */
export interface Command {
  readonly spec: Spec
  readonly load: () => Promise<CommandModule<unknown, unknown>>
}

/** Commands under one name, such as `fw generate`. The whole table is one too. */
export interface Group {
  readonly summary: string
  readonly commands: Readonly<Record<string, Command | Group>>
}

/** Declares a command's arguments and flags, keeping their literal types for {@link OptionsOf}. */
export function spec<const S extends Spec>(declared: S): S {
  return declared
}

/** Joins a spec with its code, which must take the spec's options. */
export function command<S extends Spec, Result>(
  declared: S,
  load: () => Promise<CommandModule<OptionsOf<S>, Result>>,
): Command {
  return { spec: declared, load }
}

/** Whether an entry of the table holds further commands. */
export function isGroup(entry: Command | Group): entry is Group {
  return "commands" in entry
}

/** How usage lines write an argument: `<path>`, or `[path]` where it may be left out. */
export function shownArgument({ name, optional }: Argument): string {
  return optional ? `[${name}]` : `<${name}>`
}

/** The name of an option in code: `app-dir` is `appDir`. */
export function optionName(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/**
 * A command's options from the given ones and the defaults of its flags: what the parser hands to a command, and how
 * other code calls one with only what it cares about.
 */
export function withDefaults<S extends Spec>(declared: S, given: Partial<OptionsOf<S>>): OptionsOf<S> {
  const options: Record<string, unknown> = {}
  for (const [name, flag] of Object.entries(declared.flags ?? {})) options[optionName(name)] = defaultOf(flag)
  for (const { name } of declared.arguments ?? []) options[optionName(name)] = undefined
  for (const [name, value] of Object.entries(given)) if (value !== undefined) options[name] = value
  return options as OptionsOf<S>
}

function defaultOf(flag: Flag): unknown {
  if (flag.type === "boolean") return false
  return flag.type === "list" ? (flag.default ?? []) : flag.default
}
