/** Starts servers for tests, on free local ports and in temporary folders. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { findFreePort } from "../free-port.ts"

/** A running server. */
export interface TestServer {
  readonly port: number
  /** Ends the server at once, as a crash would. */
  kill(): Promise<void>
  /** Starts the server again, on its port and with its files. */
  start(): Promise<void>
  /** Ends the server, and removes its files. */
  end(): Promise<void>
}

const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

/** Ends a program when the test ends, also after an error. */
export function endWithTest(child: ChildProcess): void {
  running.add(child)
  child.once("exit", () => running.delete(child))
}

/** Starts a program, and waits until a line of its output matches. */
export async function startUntil(
  program: string,
  args: readonly string[],
  line: RegExp,
  options: { readonly uid?: number; readonly gid?: number; readonly cwd?: string } = {},
): Promise<ChildProcess> {
  const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], ...options })
  endWithTest(child)
  let output = ""
  await new Promise<void>((resolve, reject) => {
    const read = (part: Buffer) => {
      output += part.toString()
      if (line.test(output)) resolve()
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.once("error", (error) =>
      reject(new Error(`${program} cannot be started. Install it: see .ci/run`, { cause: error })),
    )
    child.once("exit", (code) => reject(new Error(`${program} ended with ${code}:\n${output}`)))
  })
  return child
}

/** Creates a server from a function that starts its process. */
export async function createTestServer(
  port: number,
  directory: string,
  run: () => Promise<ChildProcess>,
): Promise<TestServer> {
  let child: ChildProcess | undefined
  const start = async () => {
    child = await run()
  }
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, "exit")
    child.kill("SIGKILL")
    await ended
  }
  const end = async () => {
    await kill()
    rmSync(directory, { recursive: true, force: true })
  }
  await start()
  return { port, kill, start, end }
}

/**
 * Starts `redis-server`, or the program in `REDIS_SERVER`, such as `valkey-server`. Acknowledged writes survive a
 * crash.
 */
export async function startRedis(): Promise<TestServer> {
  const port = await findFreePort()
  const directory = mkdtempSync(join(tmpdir(), "fw-redis-"))
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--dir", directory, "--save", ""]
  const safe = ["--appendonly", "yes", "--appendfsync", "always"]
  const program = process.env.REDIS_SERVER ?? "redis-server"
  return createTestServer(port, directory, () => startUntil(program, [...args, ...safe], /Ready to accept connections/))
}
