/** The terminal of the command, to which a server process of `fw dev` writes through the command. */
import { hasColor, type Io } from "../../cli/terminal.ts"

/** The width if there is no terminal, in characters. */
const defaultColumns = 80

/** The width for a process that writes as if to a terminal, and the environment of the process. */
interface ChildTerminal {
  /** Undefined for a process that does not write to a terminal. */
  readonly columns: number | undefined
  readonly env: NodeJS.ProcessEnv
}

/** Returns the terminal for a process. Its output has colours if the command's own output has them. */
export function createChildTerminal(
  { stdout, env }: Pick<Io, "stdout" | "env">,
  childEnv: NodeJS.ProcessEnv,
): ChildTerminal {
  const colors = hasColor(stdout, env)
  const { isTerminal } = stdout
  const columns = isTerminal ? stdout.columns : colors ? defaultColumns : undefined
  // The request log knows only NO_COLOR.
  if (columns === undefined) return { columns, env: childEnv }
  const { NO_COLOR: _, ...rest } = childEnv
  return { columns, env: colors ? rest : { ...rest, NO_COLOR: "1" } }
}
