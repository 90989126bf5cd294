/** Starts the runtimes that `npm run test:runtimes` has installed, and ends each with its test. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import * as assert from "uvu/assert"
import { root } from "../tsc.ts"

const programs = {
  bun: ["@oven/bun-linux-x64/bin/bun"],
  deno: ["@deno/linux-x64-glibc/deno", "run", "--quiet", "--no-prompt", "-A"],
  workerd: ["@cloudflare/workerd-linux-64/bin/workerd"],
  "node-24": ["node-24/bin/node"],
  "node-26": ["node-26/bin/node"],
} as const

/** A runtime of the list in `tests/runtimes/versions.json`, or the Node that runs the test. */
export type Runtime = keyof typeof programs | "node"

/** Returns the program of a runtime, and the arguments that stand before a script. */
export function getCommand(runtime: Runtime): readonly [program: string, ...args: string[]] {
  if (runtime === "node") return [process.execPath]
  const { FW_RUNTIMES } = process.env
  if (!FW_RUNTIMES) throw new Error("the runtimes are not installed: run npm run test:runtimes")
  const [file, ...args] = programs[runtime]
  return [join(FW_RUNTIMES, "node_modules", file), ...args]
}

/** A process and its output. */
export interface Running {
  readonly child: ChildProcess
  /**
   * Returns the next line of standard output, or of the descriptor that {@link start} got. Rejects if the
   * process ends first.
   */
  line(): Promise<string>
  /** Ends the process. Resolves to its exit code when it is gone. */
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/**
 * Starts a process in the project's directory. The process ends with the test at the latest.
 *
 * @param options `says` is the descriptor whose lines are read: 1, or another one that is created for it.
 */
export function start(
  [program, ...args]: readonly [string, ...string[]],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; says?: 1 | 3 } = {},
): Running {
  const { cwd = root, env = { ...process.env, FW_LOG_LEVEL: "off" }, says = 1 } = options
  const child = spawn(program, args, { cwd, env, stdio: ["pipe", "pipe", "pipe", "pipe"] })
  // The process must not outlive the test, also if the test is stopped.
  const end = () => child.kill("SIGKILL")
  process.once("exit", end)
  process.once("SIGTERM", () => process.exit(1))
  child.once("close", () => process.off("exit", end))
  let errors = ""
  child.stderr?.on("data", (chunk) => {
    errors = `${errors}${chunk}`.slice(-4000)
  })
  if (says !== 1) child.stdout?.resume()
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve))
  const lines = createInterface({ input: child.stdio[says] as Readable })[Symbol.asyncIterator]()
  return {
    child,
    async line() {
      const { value, done } = await lines.next()
      if (done) throw new Error(`${program} ended before it printed a line: ${errors}`)
      return value
    },
    stop(signal = "SIGKILL") {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs a contract in a process of its own: a program of uvu tests, all of which must pass. */
export async function runContract(runtime: Runtime, program: string, ...args: readonly string[]): Promise<void> {
  const running = start([...getCommand(runtime), program, ...args])
  const lines: string[] = []
  for (let line = ""; !line.includes("Skipped:"); lines.push(line)) line = await running.line()
  const text = lines.join("\n")
  const [total, passed] = ["Total", "Passed"].map((name) => new RegExp(`${name}: +(\\d+)`).exec(text)?.[1])
  assert.match(total ?? "", /^[1-9]/, text)
  assert.is(passed, total, text)
  await running.stop()
}
