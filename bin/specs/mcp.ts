/** The specs of `fw mcp`. */
import { spec } from "../cli/spec.ts"

/** `fw mcp serve` */
export const serve = spec({
  summary: "Serve fw's commands to a coding agent, over MCP on stdio",
  description:
    "The MCP client starts this command. Configure it with the command fw and the arguments mcp serve --workdir <project>. " +
    "Standard output carries only protocol messages.",
  flags: {
    workdir: {
      type: "string",
      short: "w",
      value: "dir",
      default: ".",
      description: "Project directory; tools cannot read or write outside it",
    },
  },
  ownsStdout: true,
})
