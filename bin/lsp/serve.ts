/** Connects the language server with the editor and with TypeScript's server. */

import { Console } from "node:console"
import { type Readable, Writable } from "node:stream"
import { findNearestProject } from "../cli/nearest-project.ts"
import { type Io, throwIfInterrupted, waitForStop } from "../cli/terminal.ts"
import { Connection } from "../rpc/connection.ts"
import { LanguageServer } from "./server.ts"
import { startProcess } from "./typescript-process.ts"

/** Serves until the editor disconnects. */
export async function serve(io: Io, appDir = "app"): Promise<void> {
  // What modules print must not get into the messages on standard output.
  globalThis.console = new Console(process.stderr)
  const server = new LanguageServer(findNearestProject(io.cwd), startProcess, appDir)
  const connection = new Connection(io.stdin as Readable, toWritable(io), server)
  server.editor = connection
  await Promise.race([connection.ended, server.exited, waitForStop(io.signal)])
  await server.stop()
  throwIfInterrupted(io.signal)
}

/** Returns standard output as a stream. */
function toWritable(io: Io): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      io.stdout.write(chunk.toString())
      done()
    },
  })
}
