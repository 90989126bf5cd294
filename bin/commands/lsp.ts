/** `fw lsp`: serves templates and TypeScript to an editor. */

import { Console } from "node:console"
import type { Readable } from "node:stream"
import { Writable } from "node:stream"
import type { OptionsOf } from "../cli/spec.ts"
import { endServing, type Io, stopped } from "../cli/terminal.ts"
import { LanguageServer } from "../lsp/server.ts"
import { findTypeScriptProgram } from "../project/find-typescript.ts"
import { Connection } from "../rpc/connection.ts"
import type { lsp } from "../specs/lsp.ts"

/** Serves until the editor disconnects. */
export async function run({ appDir }: OptionsOf<typeof lsp>, io: Io): Promise<void> {
  // Output of a module must not mix with the messages of the protocol.
  globalThis.console = new Console(process.stderr)
  const server = new LanguageServer(io.cwd, findTypeScriptProgram, appDir)
  const connection = new Connection(io.stdin as Readable, toWritable(io), server)
  server.editor = connection
  await Promise.race([connection.ended, server.exited, stopped(io.signal)])
  await server.stop()
  endServing(io.signal)
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
