/** Describes the command's terminal to a server process, which writes to it through the command. */
import { hasColor, type Io } from "../../cli/terminal.ts"

/** The width without a terminal, in characters. */
const defaultColumns = 80

/** The width of the terminal, and the environment of the process. */
interface ChildTerminal {
  /** Undefined if the process does not write to a terminal. */
  readonly columns: number | undefined
  readonly env: NodeJS.ProcessEnv
}

/** Returns the terminal for a process. It has colours if the command's own output has them. */
export function createChildTerminal(
  { stdout, env }: Pick<Io, "stdout" | "env">,
  childEnv: NodeJS.ProcessEnv,
): ChildTerminal {
  const colors = hasColor(stdout, env)
  const { isTerminal } = stdout
  const columns = isTerminal ? stdout.columns : colors ? defaultColumns : undefined
  // fw's log of requests only reads NO_COLOR.
  if (columns === undefined) return { columns, env: childEnv }
  const { NO_COLOR: _, ...rest } = childEnv
  return { columns, env: colors ? rest : { ...rest, NO_COLOR: "1" } }
}
