/** The terminal and the environment of a command, as a parameter. */

/** An output stream of a command. */
export interface Output {
  write(text: string): void
  /** True for a terminal, which can show colours, progress and prompts. */
  readonly isTerminal: boolean
  /** Width in characters; 80 if it is unknown. */
  readonly columns: number
}

/** Everything of the process that a command uses. Tests and the MCP server pass other objects. */
export interface Io {
  /** The directory to which relative paths refer. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: NodeJS.ReadableStream
  /** True if a person can type answers. */
  readonly interactive: boolean
  readonly stdout: Output
  readonly stderr: Output
  /** Aborts on Ctrl-C and SIGTERM. As long as a command has not read it, these signals end the process at once. */
  readonly signal: AbortSignal
}

/** The members of {@link Io} for running another program. */
export type ToolIo = Pick<Io, "cwd" | "env" | "signal">

/** {@link ToolIo}, and a stream that shows the progress of downloads. */
export type DownloadIo = ToolIo & Pick<Io, "stderr">

/** Resolves when a command should stop, at once if the signal has aborted already. */
export function waitForStop(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener("abort", () => resolve(), { once: true })
  })
}

/**
 * Ends a command that runs until it is stopped. After Ctrl-C it throws, so that the exit code is 130. SIGTERM is
 * not a failure, because supervisors stop servers with it.
 *
 * @throws the signal's reason after Ctrl-C.
 */
export function throwIfInterrupted(signal: AbortSignal): void {
  if (signal.aborted && (signal.reason as { by?: unknown }).by === "SIGINT") throw signal.reason
}

/** Options for printing a result. */
export interface View {
  readonly style: Style
  readonly columns: number
  /** The longest line, in characters: the columns of a terminal; no limit for a file or a pipe. */
  readonly width: number
}

const styleCodes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  magenta: [35, 39],
  cyan: [36, 39],
} as const

/** Functions that colour text or make it bold. Without colours, they return the text unchanged. */
export type Style = Readonly<Record<keyof typeof styleCodes, (text: string) => string>>

/**
 * Returns true if output should have colours: on a terminal, unless `NO_COLOR` (no-color.org) or `TERM=dumb` is
 * set. `FORCE_COLOR` comes first, as in Node: `0` and `false` turn colours off, any other value turns them on.
 */
export function hasColor(output: Output, env: Io["env"]): boolean {
  const force = env.FORCE_COLOR
  if (force !== undefined) return force !== "0" && force !== "false"
  if (env.NO_COLOR || env.TERM === "dumb") return false
  return output.isTerminal
}

export function makeStyle(color: boolean): Style {
  const entries = Object.entries(styleCodes).map(([name, [on, off]]) => [
    name,
    color ? (text: string) => `\x1b[${on}m${text}\x1b[${off}m` : (text: string) => text,
  ])
  return Object.fromEntries(entries) as Style
}

/** Returns the options for printing to an output. */
export function createView(output: Output, env: Io["env"]): View {
  const { columns, isTerminal } = output
  const style = makeStyle(hasColor(output, env))
  return { style, columns, width: isTerminal ? columns : Number.POSITIVE_INFINITY }
}
