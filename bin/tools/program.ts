/** The one way to run another program (git, npm, tsc, the CSS compiler): it ends with this command, and all that it started with it. Called by all of bin/. */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { stripVTControlCharacters } from "node:util"
import type { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { programFault } from "../messages/programs.ts"

/** Which stream something was written to. */
export type Stream = "stdout" | "stderr"

/** What to run, and how. No shell is between: arguments arrive as they are. */
export interface ProgramOrder {
  /** A name that is looked for in `PATH`, or a path. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Default: the environment of this process. */
  readonly env?: Io["env"]
  /** Ends the program when it aborts. */
  readonly signal?: AbortSignal
  /**
   * A text to read; `pipe` is one that stays open until this process is gone, however that ends: for programs that end
   * with their input. Default: nothing to read.
   */
  readonly stdin?: "pipe" | { readonly text: string }
  /** Told every line as it comes, without its line break: for progress, or to pass it on. */
  readonly onLine?: (line: string, from: Stream) => void
  /** How many characters of each output to keep, the last ones. Default: 10 million. */
  readonly keep?: number
  /** How messages call it. Default: the program's file name. */
  readonly name?: string
  /** What to do where it is not there. Default: install it. */
  readonly missing?: string
  /** What to do where it fails. Default: mend what it says. */
  readonly failed?: string
}

/** How a program ended, and what it wrote. */
export interface ProgramEnd {
  /** Null where a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Both, in the order they came. */
  readonly output: string
}

/** A program that runs. */
export interface RunningProgram {
  /** @throws FwError `program_missing` or `program_start` where it did not start. */
  readonly ended: Promise<ProgramEnd>
  /** Ends it and what it started; resolves when they are gone. */
  stop(): Promise<void>
}

/** Between being asked to end and being ended, in milliseconds. */
const grace = 3000
/** A process that left the tree may hold a pipe of a program that is gone. It is waited for so long, in milliseconds. */
const lag = 1000
/** The last of what a program complained of, in lines. */
const tail = 20

/**
 * Runs a program to its end.
 *
 * @throws FwError `program_missing`, `program_start`, or `program_failed` with the last lines of what it complained of;
 * the signal's reason where that aborted.
 */
export async function runProgram(order: ProgramOrder): Promise<ProgramEnd> {
  order.signal?.throwIfAborted()
  const end = await startProgram(order).ended
  order.signal?.throwIfAborted()
  if (end.code !== 0) throw programFailed(order, end)
  return end
}

/** Starts a program, for whoever wants to stop it or takes any exit code. An aborted signal ends it as `stop` does. */
export function startProgram(order: ProgramOrder): RunningProgram {
  const { program, args, cwd, signal, stdin } = order
  const child = spawn(program, args, {
    cwd,
    env: (order.env ?? process.env) as NodeJS.ProcessEnv,
    stdio: [stdin ? "pipe" : "ignore", "pipe", "pipe"],
    windowsHide: true,
    // A group of its own, so that all of it can be ended. A terminal's Ctrl-C reaches this process alone, which passes it on.
    detached: process.platform !== "win32",
  })
  // A program that ends first leaves a broken pipe, which is no failure.
  child.stdin?.on("error", () => {})
  if (stdin && stdin !== "pipe") child.stdin?.end(stdin.text)
  const release = stdin === "pipe" ? () => {} : guard(child)
  const taken = take(child, order)
  let killer: NodeJS.Timeout | undefined
  const stop = () => {
    end(child, "SIGTERM")
    killer ??= setTimeout(() => end(child, "SIGKILL"), grace)
  }
  signal?.addEventListener("abort", stop, { once: true })
  if (signal?.aborted) stop()
  const ended = closed(child, order)
    .then(({ code, signal }) => ({ code, signal, ...taken() }))
    .finally(() => {
      signal?.removeEventListener("abort", stop)
      // Whoever was told to end and did not is ended: nothing of it is left.
      if (killer) end(child, "SIGKILL")
      clearTimeout(killer)
      release()
    })
  // Whoever only stops it need not wait for it.
  ended.catch(() => {})
  return {
    ended,
    async stop() {
      stop()
      await ended.catch(() => {})
    },
  }
}

/** Keeps what a program writes. @returns what has come until now. */
function take(child: ChildProcess, { keep = 10_000_000, onLine }: ProgramOrder) {
  const text = { stdout: "", stderr: "", output: "" }
  for (const from of ["stdout", "stderr"] as const) {
    let rest = ""
    const stream = child[from]
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      for (const name of [from, "output"] as const) text[name] = (text[name] + chunk).slice(-keep)
      if (!onLine) return
      const lines = (rest + chunk).split(/\r?\n/)
      rest = lines.pop() as string
      for (const line of lines) onLine(line, from)
    })
    stream?.once("end", () => rest !== "" && onLine?.(rest, from))
  }
  return () => ({ ...text })
}

function closed(
  child: ChildProcess,
  order: ProgramOrder,
): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    let late: NodeJS.Timeout | undefined
    child.once("error", (cause) => {
      if (child.pid === undefined) reject(notStarted(order, cause))
    })
    child.once("exit", () => {
      late = setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, lag)
    })
    child.once("close", (code, signal) => {
      clearTimeout(late)
      resolve({ code, signal })
    })
  })
}

/** Sends a signal to a program and all that it started. */
function end(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  if (process.platform === "win32") {
    const tree = spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" })
    tree.once("error", () => child.kill("SIGKILL"))
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch {
    // All of it is gone.
  }
}

/**
 * A shell that reads from a pipe of this process. It gets a line when the program has ended; where the pipe closes
 * without one, this process was killed, and the shell ends the program in its place. It needs a millisecond.
 *
 * @returns lets it go.
 */
function guard({ pid }: ChildProcess): () => void {
  if (pid === undefined || process.platform === "win32") return () => {}
  const script = 'read -r line || kill -s KILL -- "-$1"'
  const shell = spawn("/bin/sh", ["-c", script, "fw-guard", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  })
  shell.on("error", () => {})
  shell.stdin.on("error", () => {})
  shell.unref()
  return () => void shell.stdin.end("\n")
}

function nameOf({ name, program }: ProgramOrder): string {
  return name ?? basename(program).replace(/\.(?:exe|cmd)$/i, "")
}

function notStarted(order: ProgramOrder, cause: NodeJS.ErrnoException): FwError {
  const name = nameOf(order)
  if (!existsSync(order.cwd)) return programFault("program_start.directory", [name, order.cwd], { cause })
  if (cause.code === "ENOENT") return programFault("program_missing", [name, order.missing], { cause })
  return programFault("program_start", [name, cause.message, order.program, order.missing], { cause })
}

/** The error for a program that ended and should not have, or not so. */
export function programFailed(order: ProgramOrder, { code, signal, stdout, stderr }: ProgramEnd): FwError {
  const [word = ""] = order.args.filter((arg) => /^[a-z][a-z-]*$/.test(arg))
  const name = `${nameOf(order)} ${word}`.trim()
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
  const said = lastLines(stderr) || lastLines(stdout)
  return programFault("program_failed", [name, how, said, order.failed])
}

/** The last lines of a text as they may be shown: without colours, and without what opens a door. */
function lastLines(text: string): string {
  const lines = stripVTControlCharacters(text).trimEnd().split(/\r?\n/)
  return withoutSecrets(lines.slice(-tail).join("\n"))
}

/** A text whose passwords in URLs and tokens in settings are three stars. */
export function withoutSecrets(text: string): string {
  return text
    .replace(/(?<=\/\/)[^/\s@]+(?=@)/g, "***")
    .replace(/\b(_authToken|_auth|_password|password|token)(\s*[=:]\s*)\S+/gi, "$1$2***")
}
