/**
 * Runs other programs (git, npm, tsc, the CSS compiler). They, and all processes that they start, end with this
 * command.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { stripVTControlCharacters } from "node:util"
import type { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { programFault } from "../messages/programs.ts"

/** An output stream of a program. */
export type Stream = "stdout" | "stderr"

/** The program to run. It is started without a shell, so arguments are passed unchanged. */
export interface ProgramOptions {
  /** The name of a program in `PATH`, or a path. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Default: the environment of this process. */
  readonly env?: Io["env"]
  /** Ends the program when it aborts. */
  readonly signal?: AbortSignal
  /**
   * The input. `pipe` is an input that stays open until this process ends in any way, for programs that end with
   * their input. Default: no input.
   */
  readonly stdin?: "pipe" | { readonly text: string }
  /** Receives each line when it arrives, without its line break. */
  readonly onLine?: (line: string, from: Stream) => void
  /** The number of last characters of each output to keep. Default: 10 million. */
  readonly keep?: number
  /** The name for messages. Default: the file name of the program. */
  readonly name?: string
  /** The fix if the program is missing. Default: to install it. */
  readonly missing?: string
  /** The fix if the program fails. Default: to fix the reported error. */
  readonly failed?: string
}

/** How a program ended, and its output. */
export interface ProgramEnd {
  /** The exit code; null if a signal ended the program. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Both outputs, in the order of arrival. */
  readonly output: string
}

/** A running program. */
export interface RunningProgram {
  /**
   * Resolves when the program has ended.
   *
   * @throws FwError `program_missing` or `program_start` if it could not be started.
   */
  readonly ended: Promise<ProgramEnd>
  /** Ends the program and all processes that it started. Resolves when they have ended. */
  stop(): Promise<void>
}

/** The time between asking a program to end and killing it, in milliseconds. */
const killDelayMs = 3000
/** How long to wait for a pipe that a detached process keeps open, in milliseconds. */
const pipeDelayMs = 1000
/** The number of last lines of a program's errors to show. */
const maxErrorLines = 20

/**
 * Runs a program to its end.
 *
 * @throws FwError `program_missing`, `program_start`, or `program_failed` with the last lines of its errors; the
 * signal's reason if it aborted.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramEnd> {
  options.signal?.throwIfAborted()
  const end = await startProgram(options).ended
  options.signal?.throwIfAborted()
  if (end.code !== 0) throw programFailedError(options, end)
  return end
}

/**
 * Starts a program, for callers that stop it themselves or accept every exit code. When the signal aborts, the
 * program is stopped.
 */
export function startProgram(options: ProgramOptions): RunningProgram {
  const { program, args, cwd, signal, stdin } = options
  const child = spawn(program, args, {
    cwd,
    env: (options.env ?? process.env) as NodeJS.ProcessEnv,
    stdio: [stdin ? "pipe" : "ignore", "pipe", "pipe"],
    windowsHide: true,
    // A separate process group can be ended as a whole. Ctrl-C in a terminal reaches only this process, which
    // passes it on.
    detached: process.platform !== "win32",
  })
  // If the program ends first, the pipe is broken, which is not an error.
  child.stdin?.on("error", () => {})
  if (stdin && stdin !== "pipe") child.stdin?.end(stdin.text)
  const release = stdin === "pipe" ? () => {} : startGuard(child)
  const readOutput = collectOutput(child, options)
  let killTimer: NodeJS.Timeout | undefined
  const stop = () => {
    sendSignal(child, "SIGTERM")
    killTimer ??= setTimeout(() => sendSignal(child, "SIGKILL"), killDelayMs)
  }
  signal?.addEventListener("abort", stop, { once: true })
  if (signal?.aborted) stop()
  const ended = waitForClose(child, options)
    .then(({ code, signal }) => ({ code, signal, ...readOutput() }))
    .finally(() => {
      signal?.removeEventListener("abort", stop)
      // A program that has not ended when asked is killed with all its processes.
      if (killTimer) sendSignal(child, "SIGKILL")
      clearTimeout(killTimer)
      release()
    })
  // Callers that only stop the program need not await it.
  ended.catch(() => {})
  return {
    ended,
    async stop() {
      stop()
      await ended.catch(() => {})
    },
  }
}

/**
 * Collects the output of a program.
 *
 * @returns a function that returns the output so far.
 */
function collectOutput(child: ChildProcess, { keep = 10_000_000, onLine }: ProgramOptions) {
  const texts = { stdout: "", stderr: "", output: "" }
  for (const from of ["stdout", "stderr"] as const) {
    let unfinishedLine = ""
    const stream = child[from]
    stream?.setEncoding("utf8").on("data", (chunk: string) => {
      for (const name of [from, "output"] as const) texts[name] = (texts[name] + chunk).slice(-keep)
      if (!onLine) return
      const lines = (unfinishedLine + chunk).split(/\r?\n/)
      unfinishedLine = lines.pop() as string
      for (const line of lines) onLine(line, from)
    })
    stream?.once("end", () => unfinishedLine !== "" && onLine?.(unfinishedLine, from))
  }
  return () => ({ ...texts })
}

function waitForClose(
  child: ChildProcess,
  options: ProgramOptions,
): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    let pipeTimer: NodeJS.Timeout | undefined
    child.once("error", (cause) => {
      if (child.pid === undefined) reject(startError(options, cause))
    })
    child.once("exit", () => {
      pipeTimer = setTimeout(() => {
        child.stdout?.destroy()
        child.stderr?.destroy()
      }, pipeDelayMs)
    })
    child.once("close", (code, signal) => {
      clearTimeout(pipeTimer)
      resolve({ code, signal })
    })
  })
}

/** Sends a signal to a program and all processes that it started. */
function sendSignal(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  if (process.platform === "win32") {
    const tree = spawn("taskkill", ["/pid", String(child.pid), "/T", "/F"], { stdio: "ignore" })
    tree.once("error", () => child.kill("SIGKILL"))
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch {
    // All processes have ended.
  }
}

/**
 * Starts a shell that reads from a pipe of this process. When the program has ended, the shell gets a line. If the
 * pipe closes without a line, this process was killed, and the shell ends the program. This takes a millisecond.
 *
 * @returns a function that ends the shell.
 */
function startGuard({ pid }: ChildProcess): () => void {
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

function formatName({ name, program }: ProgramOptions): string {
  return name ?? basename(program).replace(/\.(?:exe|cmd)$/i, "")
}

function startError(options: ProgramOptions, cause: NodeJS.ErrnoException): FwError {
  const name = formatName(options)
  if (!existsSync(options.cwd)) return programFault("program_start.directory", [name, options.cwd], { cause })
  if (cause.code === "ENOENT") return programFault("program_missing", [name, options.missing], { cause })
  return programFault("program_start", [name, cause.message, options.program, options.missing], { cause })
}

/** Returns the error for a program that failed or ended unexpectedly. */
export function programFailedError(options: ProgramOptions, { code, signal, stdout, stderr }: ProgramEnd): FwError {
  const [word = ""] = options.args.filter((arg) => /^[a-z][a-z-]*$/.test(arg))
  const name = `${formatName(options)} ${word}`.trim()
  const reason = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
  const errorText = takeLastLines(stderr) || takeLastLines(stdout)
  return programFault("program_failed", [name, reason, errorText, options.failed])
}

/** Returns the last lines of a text for messages, without colours and secrets. */
function takeLastLines(text: string): string {
  const lines = stripVTControlCharacters(text).trimEnd().split(/\r?\n/)
  return hideSecrets(lines.slice(-maxErrorLines).join("\n"))
}

/** Replaces passwords in URLs and tokens in settings by three stars. */
export function hideSecrets(text: string): string {
  return text
    .replace(/(?<=\/\/)[^/\s@]+(?=@)/g, "***")
    .replace(/\b(_authToken|_auth|_password|password|token)(\s*[=:]\s*)\S+/gi, "$1$2***")
}
