/** `fw start`: runs the bundle for Node that `fw build` has written. */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { isWorkerCount, maxWorkers } from "../../adapters/start/worker-count.ts"
import { waitForNpmEnd } from "../cli/npm-process.ts"
import type { OptionsOf } from "../cli/spec.ts"
import type { Io } from "../cli/terminal.ts"
import { buildFault } from "../messages/build.ts"
import { usageError } from "../messages/usage.ts"
import type * as specs from "../specs/project.ts"

const bundleFile = "dist/node/server.mjs"

/**
 * Runs the program in this process, so that signals reach it and it ends together with this process. Does not
 * return, because the program ends the process.
 *
 * @throws FwError `not_built` without a bundle.
 */
export async function run(options: OptionsOf<typeof specs.start>, io: Pick<Io, "cwd" | "env">): Promise<never> {
  const { port, host, workers } = options
  if (workers !== undefined && !isWorkerCount(workers)) throw usageError("invalid_value.workers", [workers, maxWorkers])
  const file = join(io.cwd, bundleFile)
  if (!existsSync(file)) throw buildFault("not_built", [bundleFile])
  process.chdir(io.cwd)
  if (port !== undefined) process.env.PORT = String(port)
  if (host !== undefined) process.env.HOST = host
  if (workers !== undefined) process.env.FW_WORKERS = workers
  // A service manager sends SIGTERM to npm, which passes it on only to its shell.
  if (io.env.npm_command) void waitForNpmEnd().then(() => process.kill(process.pid, "SIGTERM"))
  // The program starts its workers with these arguments, so they must be those of `node server.mjs`.
  process.argv.splice(1, process.argv.length, file)
  // Not awaited: the program reports its errors itself.
  void import(pathToFileURL(file).href)
  return new Promise<never>(() => {})
}
