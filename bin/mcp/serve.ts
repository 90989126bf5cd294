/** `fw mcp serve`: provides the commands as tools for coding agents, over MCP on stdio. */
import { Console } from "node:console"
import { realpath, stat } from "node:fs/promises"
import { resolve } from "node:path"
import type { CommandModule, Group, OptionsOf } from "../cli/spec.ts"
import { type Io, throwIfInterrupted } from "../cli/terminal.ts"
import { toolFault } from "../messages/tools.ts"
import type * as specs from "../specs/mcp.ts"
import { serveMCP } from "./server.ts"

/** Returns the command that serves a table of commands. */
export function createServeCommand(table: Group): CommandModule<Options, void> {
  return { run: (options, io) => serve(table, options, io) }
}

type Options = OptionsOf<typeof specs.serve>

/**
 * Serves until the client disconnects.
 *
 * @throws FwError `workdir` if the directory does not exist.
 */
async function serve(table: Group, { workdir, appDir, all }: Options, io: Io): Promise<void> {
  const path = resolve(io.cwd, workdir)
  const found = await stat(path).catch(() => null)
  if (!found?.isDirectory()) throw toolFault("workdir", [path, found !== null])
  // What modules print must not get into the messages on standard output.
  globalThis.console = new Console(process.stderr)
  await serveMCP(table, Object.create(io, { cwd: { value: await realpath(path) } }), { appDir, all })
  throwIfInterrupted(io.signal)
}
