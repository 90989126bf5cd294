/** `fw mcp serve`: the commands as tools for coding agents, over MCP on stdio. */
import { Console } from "node:console"
import { realpath, stat } from "node:fs/promises"
import { resolve } from "node:path"
import type { OptionsOf } from "../cli/spec.ts"
import { endServing, type Io } from "../cli/terminal.ts"
import { serveMcp } from "../mcp/server.ts"
import { tools } from "../mcp/tools.ts"
import { toolFault } from "../messages/tools.ts"
import type * as specs from "../specs/mcp.ts"

/** Serves until the client disconnects. @throws FwError `workdir` if the directory does not exist. */
export async function run({ workdir }: OptionsOf<typeof specs.serve>, io: Io): Promise<void> {
  const path = resolve(io.cwd, workdir)
  const found = await stat(path).catch(() => null)
  if (!found?.isDirectory()) throw toolFault("workdir", [path, found !== null])
  // Output of a module must not mix with the messages of the protocol.
  globalThis.console = new Console(process.stderr)
  await serveMcp(tools, Object.create(io, { cwd: { value: await realpath(path) } }))
  endServing(io.signal)
}
