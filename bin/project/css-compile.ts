/** Compiles a project's styles once with the standalone compiler. Called by `fw css build` and `fw build`; css-watch shares its parts. */
import { mkdir, open, realpath, rename, rm, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../terminal.ts"
import { compilerOrder } from "./css-npm.ts"
import { type CssJob, cssProblem } from "./css-problem.ts"
import { partialOf, sweepPartials } from "./partial.ts"
import { type ProgramEnd, type RunningProgram, startProgram } from "./program.ts"

/** Where a project's styles are when nothing else is said. */
export const cssDefaults = { input: "styles/input.css", output: "static/css/output.css" } as const

/** The files of a job, absolute and as they really are: an output that is a link is written where it leads. */
export interface CssFiles {
  readonly input: string
  readonly output: string
}

/** Finds the files of a job, and makes the output's directory. @throws FwError `css_input` or `css_output`. */
export async function prepareCss({ cwd, input, output }: CssJob): Promise<CssFiles> {
  const from = resolve(cwd, input)
  const found = await stat(from).catch(() => null)
  if (!found?.isFile()) {
    const fix = `Make it with the line @import "tailwindcss"; or name another with --input.`
    throw new FwError("css_input", `there is no file ${input}`, fix, { at: { file: input } })
  }
  const to = resolve(cwd, output)
  const target = await realpath(to).catch(() => to)
  if (target === (await realpath(from))) {
    throw outputError(
      output,
      "is the input too, and would be overwritten",
      "Name another file with --output.",
    )
  }
  const there = await stat(target).catch(() => null)
  if (there && !there.isFile()) {
    throw outputError(output, "is not a file", `Write --output ${output.replace(/[/\\]*$/, "/output.css")}.`)
  }
  try {
    await mkdir(dirname(target), { recursive: true })
  } catch (cause) {
    throw unwritable(output, cause)
  }
  return { input: from, output: target }
}

function outputError(output: string, what: string, fix: string, cause?: unknown): FwError {
  return new FwError("css_output", `${output} ${what}`, fix, { at: { file: output }, cause })
}

function unwritable(output: string, cause: unknown): FwError {
  const fix = "Let this user write there, or name another file with --output."
  return outputError(output, `cannot be written: ${(cause as Error).message}`, fix, cause)
}

/**
 * Compiles once, minified. The output changes only when all of it is there.
 *
 * @returns the output's size in bytes.
 * @throws FwError `css_input`, `css_output`, `css_binary` or `css_compile`, with what the compiler said.
 */
export async function compileCss(
  binary: string,
  job: CssJob,
  { signal }: Pick<Io, "signal">,
): Promise<number> {
  const files = await prepareCss(job)
  const partial = partialOf(files.output)
  try {
    await claim(partial, files.output, job.output)
    if (signal.aborted) throw signal.reason
    const args = ["--input", files.input, "--output", partial, "--minify"]
    const end = await startCss(binary, { args, cwd: job.cwd, signal }).ended
    if (signal.aborted) throw signal.reason
    if (end.code !== 0) throw await cssProblem(job, end)
    const { size } = await stat(partial)
    await rename(partial, files.output)
    return size
  } finally {
    await rm(partial, { force: true })
  }
}

/** Makes the file that the compiler is to fill: what cannot be written is known before it runs. */
async function claim(partial: string, output: string, shown: string): Promise<void> {
  try {
    await sweepPartials(output)
    await (await open(partial, "wx")).close()
  } catch (cause) {
    throw unwritable(shown, cause)
  }
}

/** How the compiler is started. */
export interface CssStart {
  readonly args: readonly string[]
  /** The project: classes are looked for below its directory. */
  readonly cwd: string
  readonly stdin?: "pipe"
  readonly signal?: AbortSignal
  readonly onLine?: (line: string) => void
}

/** Starts the compiler; what it wrote is kept to the last of it. Its end throws FwError `css_binary` where it does not even start. */
export function startCss(binary: string, { onLine, ...start }: CssStart): RunningProgram {
  const order = { ...start, ...compilerOrder(binary, start.args), keep: 20_000 }
  const running = startProgram(onLine ? { ...order, onLine } : order)
  const ended = running.ended.catch((error: Error): ProgramEnd => {
    throw noStart(binary, error.cause as NodeJS.ErrnoException)
  })
  ended.catch(() => {})
  return { ended, stop: running.stop }
}

function noStart(binary: string, cause: NodeJS.ErrnoException): FwError {
  // The system says of a program for another C library that it is not there.
  const fix =
    cause.code === "ENOENT"
      ? "It needs glibc: on a system without (Alpine), point FW_CSS_BINARY at a compiler for musl."
      : "Delete it and run fw css install, or point FW_CSS_BINARY at a program that this user may run."
  return new FwError("css_binary", `the CSS compiler ${binary} does not start: ${cause.message}`, fix, {
    cause,
  })
}
