/**
 * Runs other programs (git, npm, tsc, the CSS compiler). They end with this command, with all that they
 * started.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { basename } from "node:path"
import { stripVTControlCharacters } from "node:util"
import type { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { programFault } from "../messages/programs.ts"

/** An output stream of the program. */
export type Stream = "stdout" | "stderr"

/** The program to run. There is no shell, so arguments are passed unchanged. */
export interface ProgramOptions {
  /** A name to find in `PATH`, or a path. */
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  /** Default: the environment of this process. */
  readonly env?: Io["env"]
  /** Ends the program when it aborts. */
  readonly signal?: AbortSignal
  /**
   * The input; `pipe` is one that stays open until this process is gone, however it ends: for programs that
   * end with their input. Default: no input.
   */
  readonly stdin?: "pipe" | { readonly text: string }
  /** Receives every line as it arrives, without its line break. */
  readonly onLine?: (line: string, from: Stream) => void
  /** Number of characters of each output to keep, the last ones. Default: 10 million. */
  readonly keep?: number
  /** Name for messages. Default: the program's file name. */
  readonly name?: string
  /** Fix if it is missing. Default: install it. */
  readonly missing?: string
  /** Fix if it fails. Default: fix the reported error. */
  readonly failed?: string
}

/** The exit of a program, with its output. */
export interface ProgramEnd {
  /** Null if a signal ended it. */
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
  /** Both, in the order of arrival. */
  readonly output: string
}

/** A running program. */
export interface RunningProgram {
  /** Resolves at its end. @throws FwError `program_missing` or `program_start` if it did not start. */
  readonly ended: Promise<ProgramEnd>
  /** Ends it and what it started; resolves when they are gone. */
  stop(): Promise<void>
}

/** Time between asking a program to end and killing it, in milliseconds. */
const killDelayMs = 3000
/** Time to wait for a pipe that a detached process keeps open, in milliseconds. */
const pipeDelayMs = 1000
/** Number of last lines of a program's errors to show. */
const maxErrorLines = 20

/**
 * Runs a program to its end.
 *
 * @throws FwError `program_missing`, `program_start`, or `program_failed` with the last lines of its errors;
 * the signal's reason if it aborted.
 */
export async function runProgram(options: ProgramOptions): Promise<ProgramEnd> {
  options.signal?.throwIfAborted()
  const end = await startProgram(options).ended
  options.signal?.throwIfAborted()
  if (end.code !== 0) throw programFailedError(options, end)
  return end
}

/**
 * Starts a program, for callers that stop it or accept any exit code. An aborted signal ends it like `stop`.
 */
export function startProgram(options: ProgramOptions): RunningProgram {
  const { program, args, cwd, signal, stdin } = options
  const child = spawn(program, args, {
    cwd,
    env: (options.env ?? process.env) as NodeJS.ProcessEnv,
    stdio: [stdin ? "pipe" : "ignore", "pipe", "pipe"],
    windowsHide: true,
    // A separate process group, so that all of it can be ended. A terminal's Ctrl-C reaches only this
    // process, which passes it on.
    detached: process.platform !== "win32",
  })
  // A program that ends first leaves a broken pipe, which is not an error.
  child.stdin?.on("error", () => {})
  if (stdin && stdin !== "pipe") child.stdin?.end(stdin.text)
  const release = stdin === "pipe" ? () => {} : startGuard(child)
  const readOutput = collectOutput(child, options)
  let killer: NodeJS.Timeout | undefined
  const stop = () => {
    sendSignal(child, "SIGTERM")
    killer ??= setTimeout(() => sendSignal(child, "SIGKILL"), killDelayMs)
  }
  signal?.addEventListener("abort", stop, { once: true })
  if (signal?.aborted) stop()
  const ended = waitForClose(child, options)
    .then(({ code, signal }) => ({ code, signal, ...readOutput() }))
    .finally(() => {
      signal?.removeEventListener("abort", stop)
      // A program that did not end when asked is killed, so that nothing of it is left.
      if (killer) sendSignal(child, "SIGKILL")
      clearTimeout(killer)
      release()
    })
  // Callers that only stop it need not wait for it.
  ended.catch(() => {})
  return {
    ended,
    async stop() {
      stop()
      await ended.catch(() => {})
    },
  }
}

/** Collects a program's output. @returns a function that returns the output so far. */
function collectOutput(child: ChildProcess, { keep = 10_000_000, onLine }: ProgramOptions) {
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

/** Sends a signal to a program and all that it started. */
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
    // All of it is gone.
  }
}

/**
 * Starts a shell that reads from a pipe of this process. It gets a line when the program has ended; if the
 * pipe closes without one, this process was killed, and the shell ends the program. It takes a millisecond.
 *
 * @returns a function that releases it.
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

/** Returns the error for a program that ended unexpectedly, or with an error. */
export function programFailedError(options: ProgramOptions, { code, signal, stdout, stderr }: ProgramEnd): FwError {
  const [word = ""] = options.args.filter((arg) => /^[a-z][a-z-]*$/.test(arg))
  const name = `${formatName(options)} ${word}`.trim()
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
  const errorText = takeLastLines(stderr) || takeLastLines(stdout)
  return programFault("program_failed", [name, how, errorText, options.failed])
}

/** Returns the last lines of a text for messages: without colours and secrets. */
function takeLastLines(text: string): string {
  const lines = stripVTControlCharacters(text).trimEnd().split(/\r?\n/)
  return hideSecrets(lines.slice(-maxErrorLines).join("\n"))
}

/** Replaces passwords in URLs and tokens in settings with three stars. */
export function hideSecrets(text: string): string {
  return text
    .replace(/(?<=\/\/)[^/\s@]+(?=@)/g, "***")
    .replace(/\b(_authToken|_auth|_password|password|token)(\s*[=:]\s*)\S+/gi, "$1$2***")
}
