#!/usr/bin/env node
import type { Io, Output } from "./cli/terminal.ts"
/** The `fw` program: the process in, the exit code out, nothing else. Started by a shell, by npx, and by scripts/start.mjs. */
import { main } from "./main.ts"

// What follows is made when it is asked for: each part costs milliseconds that `fw --version` has no use for.
let controller: AbortController | undefined

/** From now on the first Ctrl-C asks the command to stop, and the second ends it. */
function arm(): AbortSignal {
  if (controller) return controller.signal
  const made = new AbortController()
  const stop = (by: NodeJS.Signals) => {
    if (made.signal.aborted) process.exit(130)
    made.abort(Object.assign(new Error(`stopped by ${by}`), { name: "AbortError", by }))
  }
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, stop)
  controller = made
  return made.signal
}

const opened = new Map<string, NodeJS.WriteStream>()

function open(name: "stdout" | "stderr"): NodeJS.WriteStream {
  const known = opened.get(name)
  if (known) return known
  const stream = process[name]
  // Whoever reads may stop before the end, as in `fw routes | head -1`: that is no failure.
  stream.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1))
  opened.set(name, stream)
  return stream
}

function output(name: "stdout" | "stderr"): Output {
  return {
    write: (text) => void open(name).write(text),
    get isTerminal() {
      return open(name).isTTY === true
    },
    get columns() {
      return open(name).columns ?? 80
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
  stdout: output("stdout"),
  stderr: output("stderr"),
  get signal() {
    return arm()
  },
}

const code = await main(process.argv.slice(2), io)
// Not by itself: what a command left open must not keep the process. But what was written has to be out first.
const flushed = [...opened.values()].map((stream) => new Promise((resolve) => stream.write("", resolve)))
await Promise.all(flushed)
process.exit(code)
