#!/usr/bin/env node
/** The `fw` program: runs the command with the streams and signals of the process, and exits with its code. */
import type { Io, Output } from "./cli/terminal.ts"
import { main } from "./main.ts"

let controller: AbortController | undefined

/** Returns a signal that aborts on the first Ctrl-C. The second Ctrl-C ends the process. */
function armSignal(): AbortSignal {
  if (controller) return controller.signal
  const newController = new AbortController()
  const stop = (by: NodeJS.Signals) => {
    if (newController.signal.aborted) process.exit(130)
    newController.abort(Object.assign(new Error(`stopped by ${by}`), { name: "AbortError", by }))
  }
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, stop)
  if (process.env.npm_command) void watchNpm(() => newController.signal.aborted || stop("SIGHUP"))
  controller = newController
  return newController.signal
}

/** Calls `stop` when npm has ended, if npm started the command. npm does not pass signals on to the command. */
async function watchNpm(stop: () => void): Promise<void> {
  const { waitForNpmEnd } = await import("./cli/npm-process.ts")
  await waitForNpmEnd()
  stop()
}

const openStreams = new Map<string, NodeJS.WriteStream>()

function openStream(name: "stdout" | "stderr"): NodeJS.WriteStream {
  const openedStream = openStreams.get(name)
  if (openedStream) return openedStream
  const stream = process[name]
  // The reader of a pipe may stop early, as in `fw routes | head -1`. That is not an error.
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
  openStreams.set(name, stream)
  return stream
}

function createOutput(name: "stdout" | "stderr"): Output {
  return {
    write: (text) => void openStream(name).write(text),
    get isTerminal() {
      return openStream(name).isTTY === true
    },
    get columns() {
      return openStream(name).columns ?? 80
    },
  }
}

const io: Io = {
  cwd: process.cwd(),
  env: process.env,
  get stdin() {
    return process.stdin
  },
  get interactive() {
    return process.stdin.isTTY === true && process.stdout.isTTY === true
  },
  stdout: createOutput("stdout"),
  stderr: createOutput("stderr"),
  get signal() {
    return armSignal()
  },
}

async function run(argv: readonly string[]): Promise<void> {
  const code = await main(argv, io)
  // The process exits when all output is written. It exits explicitly, because open handles of a command could keep it
  // running.
  const flushed = [...openStreams.values()].map((stream) => new Promise((resolve) => stream.write("", resolve)))
  await Promise.all(flushed)
  process.exit(code)
}

await run(process.argv.slice(2))
