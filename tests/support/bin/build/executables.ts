/**
 * Builds executables with the real command, starts them in empty directories, and ends or finds remaining
 * processes.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, readdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { root } from "../../tsc.ts"
import { program, project, type Ran, runNode } from "../cli/command.ts"

const running = new Set<ChildProcess>()
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

/** Runs `fw build` in a project with the cache of this user, so that files are downloaded only once. */
export function build(cwd: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return runNode([program, "build", ...args], { cwd, env })
}

/** Copies the files of an example to its own directory, with the packages of this checkout. */
export function copyExample(name: string): string {
  const directory = project({})
  for (const part of readdirSync(join(root, "examples", name))) {
    if (["node_modules", ".fw", "bin", "dist", "data", "tests"].includes(part)) continue
    cpSync(join(root, "examples", name, part), join(directory, part), { recursive: true })
  }
  symlinkSync(join(root, "node_modules"), join(directory, "node_modules"), "junction")
  return directory
}

/** A program that serves. */
export interface Served {
  /** The URL of the program on this machine. If the printed address has no port, it is the address as printed. */
  readonly url: string
  readonly child: ChildProcess
  /** Returns the output of the program so far. */
  output(): string
  /** Ends the program. Resolves to its exit code or signal. */
  stop(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals | null>
}

/**
 * Starts a program that prints "Listening on", in an environment that has only the given variables and a free port.
 *
 * @param command the program and its arguments.
 */
export async function serve(
  command: readonly [string, ...string[]],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const [file, ...args] = command
  const child = spawn(file, args, { cwd, env: { PORT: "0", ...env }, stdio: ["ignore", "pipe", "pipe"] })
  running.add(child)
  let output = ""
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on("close", (code, signal) => {
      running.delete(child)
      resolve(code ?? signal)
    })
  })
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once("error", reject)
    createInterface({ input: child.stdout }).on("line", (line) => {
      output += `${line}\n`
      // In a log of JSON lines, this text is the message of a line.
      const address = /^(?:\{.*")?Listening on ([^"]+)(?:"\})?$/.exec(line)?.[1]
      if (address) resolve(address.replace(/^.*:(\d+)$/, "http://127.0.0.1:$1"))
    })
    void ended.then((end) => reject(new Error(`${file} ended with ${end} before it listened:\n${output}`)))
  })
  return {
    url,
    child,
    output: () => output,
    stop(signal = "SIGTERM") {
      child.kill(signal)
      return ended
    },
  }
}

/** A program of a container. */
export interface Contained {
  readonly user: number
  readonly directory: string
  readonly entrypoint: readonly [string, ...string[]]
}

/** Starts a program with a folder as its whole file system, as a container runtime does. */
export function serveInRoot(
  rootfs: string,
  { user, directory, entrypoint }: Contained,
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const isRoot = process.getuid?.() === 0
  const rights = isRoot ? [`--setuid=${user}`, `--setgid=${user}`] : [`--map-user=${user}`, `--map-group=${user}`]
  const command = ["/usr/bin/unshare", `--root=${rootfs}`, `--wd=${directory}`, ...rights] as const
  return serve([...command, ...entrypoint], rootfs, env)
}

/** Returns the ids of the processes whose command line contains a directory, or that run in it. */
export function listProcesses(directory: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        const words = readFileSync(`/proc/${name}/cmdline`, "utf8")
        return words.includes(directory) || readlinkSync(`/proc/${name}/cwd`).startsWith(directory)
      } catch {
        // The process has ended, or belongs to another user.
        return false
      }
    })
    .map(Number)
}
