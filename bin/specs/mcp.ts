/** The specs of `fw mcp`. Read by the table, and by each command for its options. */
import { spec } from "../spec.ts"

/** `fw mcp serve` */
export const serve = spec({
  summary: "Let a coding agent work on the project, by MCP over stdio",
  description:
    "An MCP client starts this by itself: give it the command fw with the arguments mcp serve --workdir <project>. " +
    "Nothing but the protocol goes to standard output.",
  flags: {
    workdir: {
      type: "string",
      short: "w",
      value: "dir",
      default: ".",
      description: "The project; no tool reads or writes outside of it",
    },
  },
  ownsStdout: true,
})
