/** The specs of `fw mcp`. */
import { defineSpec } from "../cli/spec.ts"
import { appDirFlag, pageFlags } from "./flags.ts"

export const serve = defineSpec({
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
    "app-dir": appDirFlag,
    all: { type: "boolean", description: "Also list the tools that few sessions need" },
  },
  ownsStdout: true,
})

/** The spec of the tool `fw_dev_status`. */
export const devStatus = defineSpec({
  summary: "Show the state of the running fw dev",
  flags: {
    limit: { ...pageFlags.limit, default: 10, max: 50, description: "Errors and lines to show" },
    offset: pageFlags.offset,
  },
})

/** The spec of the tool `fw_request`. */
export const devRequest = defineSpec({
  summary: "Send a request to the running fw dev",
  arguments: [{ name: "path", description: "Path and query" }],
  flags: {
    method: { type: "string", default: "GET", description: "HTTP method" },
    headers: { type: "list", description: "Each as name: value" },
    body: { type: "string", description: "Body" },
    "clear-cookies": { type: "boolean", description: "First forget the cookies of earlier answers" },
    limit: {
      type: "number",
      min: 1,
      max: 40_000,
      default: 8000,
      description: "Characters of the body to show",
    },
    offset: { ...pageFlags.offset, max: 10_000_000, description: "Characters to skip" },
  },
})

/** The spec of the tool `fw_docs`. */
export const docs = defineSpec({
  summary: "Search the documentation",
  arguments: [{ name: "query", description: "Words to find" }],
  flags: { limit: { ...pageFlags.limit, default: 8, max: 50 }, offset: pageFlags.offset },
})
