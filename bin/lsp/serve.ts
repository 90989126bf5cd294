/** Connects the language server with the editor and with TypeScript's server. */

import { Console } from "node:console"
import { type Readable, Writable } from "node:stream"
import { endServing, type Io, stopped } from "../cli/terminal.ts"
import { Connection } from "../rpc/connection.ts"
import { LanguageServer } from "./server.ts"
import { startProcess, type TypeScriptProcess } from "./typescript-process.ts"

/** The process that was started before the editor named its directory, until it is used. */
class Early {
  #process: TypeScriptProcess | undefined

  constructor(process: TypeScriptProcess | undefined) {
    this.#process = process
  }

  /** Returns the process if it is one for a directory and still runs, and another one if not. */
  take(root: string): TypeScriptProcess | undefined {
    const early = this.#process
    this.#process = undefined
    if (early?.root === root && early.child.exitCode === null && early.child.signalCode === null) return early
    early?.child.kill()
    return startProcess(root)
  }
}

/** Serves until the editor disconnects. */
export async function serve(
  io: Io,
  { root, appDir }: { root: string; appDir: string },
  process: TypeScriptProcess | undefined,
): Promise<void> {
  keepConsoleApart()
  const early = new Early(process)
  const server = new LanguageServer(root, (root) => early.take(root), appDir)
  const connection = new Connection(io.stdin as Readable, toWritable(io), server)
  server.editor = connection
  await Promise.race([connection.ended, server.exited, stopped(io.signal)])
  await server.stop()
  process?.child.kill()
  endServing(io.signal)
}

/** Sends the output of modules to standard error, because it must not mix with the messages of the protocol. */
function keepConsoleApart(): void {
  let made: Console | undefined
  const get = () => {
    made ??= new Console(globalThis.process.stderr)
    return made
  }
  Object.defineProperty(globalThis, "console", { configurable: true, get })
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
