/** The command's world as a parameter: where it reads and writes, and how text looks there. Used by all of bin/. */

/** Where a command writes. */
export interface Output {
  write(text: string): void
  /** Whether a person reads it there, so that colour, progress and prompts make sense. */
  readonly isTerminal: boolean
  /** Width in characters; 80 where there is none to ask for. */
  readonly columns: number
}

/** All that a command touches of its process. Tests and the MCP server bring their own. */
export interface Io {
  /** The directory that relative paths start at. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream
  /** Whether a person types there. */
  readonly interactive: boolean
  readonly stdout: Output
  readonly stderr: Output
  /** Aborted by Ctrl-C and by SIGTERM. A command that never asks for it is simply ended by them. */
  readonly signal: AbortSignal
}

/** Resolves when a command is to stop, also where that was before. */
export function stopped(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener("abort", () => resolve(), { once: true })
  })
}

/**
 * Ends a command that runs until it is stopped. Ctrl-C makes its exit code 130; SIGTERM, by which supervisors stop a
 * server, is no failure.
 *
 * @throws the signal's reason where Ctrl-C was it.
 */
export function endServing(signal: AbortSignal): void {
  if (signal.aborted && (signal.reason as { by?: unknown }).by === "SIGINT") throw signal.reason
}

/** How a result is to be printed. */
export interface View {
  readonly style: Style
  readonly columns: number
  /** Characters that a line may have: the columns of a terminal; no limit where the text goes into a file or a pipe. */
  readonly width: number
}

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const

/** Text in a colour or weight; the text itself where there are no colours. */
export type Style = Readonly<Record<keyof typeof codes, (text: string) => string>>

/**
 * Whether to write colours: to a terminal, unless `NO_COLOR` (no-color.org) or `TERM=dumb` forbid it. `FORCE_COLOR`
 * beats all of these, as in Node: `0` and `false` turn colours off, anything else on.
 */
export function hasColor(output: Output, env: Io["env"]): boolean {
  const force = env.FORCE_COLOR
  if (force !== undefined) return force !== "0" && force !== "false"
  if (env.NO_COLOR || env.TERM === "dumb") return false
  return output.isTerminal
}

/** The functions that colour text, or leave it as it is. */
export function makeStyle(color: boolean): Style {
  const entries = Object.entries(codes).map(([name, [on, off]]) => [
    name,
    color ? (text: string) => `\x1b[${on}m${text}\x1b[${off}m` : (text: string) => text,
  ])
  return Object.fromEntries(entries) as Style
}

/** How to print to an output. */
export function viewOf(output: Output, env: Io["env"]): View {
  const { columns, isTerminal } = output
  const style = makeStyle(hasColor(output, env))
  return { style, columns, width: isTerminal ? columns : Number.POSITIVE_INFINITY }
}
