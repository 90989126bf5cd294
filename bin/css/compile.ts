/** Compiles a project's styles once with the standalone compiler. */
import { readFile, realpath, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import type { Io } from "../cli/terminal.ts"
import { cssFault } from "../messages/css.ts"
import { OwnDirectory } from "../system/own-directory.ts"
import { fillFile } from "../system/whole-file.ts"
import { checkWritable, resolveFilePath, type WritePlace } from "../system/write-place.ts"
import { type ProgramEnd, type RunningProgram, startProgram } from "../tools/program.ts"
import { toCompilerCommand } from "./npm.ts"
import { type CSSJob, toCSSError } from "./problem.ts"

/**
 * The default paths of a project's styles: the source, the output below the directory of static files, and its URL.
 */
export const cssDefaults = {
  input: "styles/input.css",
  below: "css/output.css",
  url: "/static/css/output.css",
} as const

/** The files of a job, as absolute paths without links. If the output is a link, its target is written. */
export interface CSSFiles {
  readonly input: string
  readonly output: string
}

/** The output that stands for standard output. */
export const standardOutput = "-"

/**
 * Finds the files of a job and checks that the output is writable.
 *
 * @throws FwError `css_input` or `css_output`.
 */
export async function prepareCSS(job: CSSJob): Promise<CSSFiles> {
  const from = await findInput(job)
  const writePlace = toOutputPlace(job)
  const target = await resolveFilePath(writePlace)
  if (target === (await realpath(from)))
    throw cssFault("css_output", [job.output, job.fix], { at: { file: job.output } })
  await checkWritable({ ...writePlace, path: target })
  return { input: from, output: target }
}

async function findInput({ cwd, input }: CSSJob): Promise<string> {
  const from = resolve(cwd, input)
  const found = await stat(from).catch(() => null)
  if (found?.isFile()) return from
  throw cssFault("css_input", [input], { at: { file: input } })
}

function toOutputPlace({ cwd, output, fix }: CSSJob): WritePlace {
  return { root: cwd, path: resolve(cwd, output), code: "css_output", ...(fix && { fix }) }
}

/**
 * Compiles and minifies the styles. The output is replaced only after success.
 *
 * @returns the output's size in bytes.
 * @throws FwError `css_input`, `css_output`, `css_binary` or `css_compile`, with the compiler's message.
 */
export async function compileCSS(binary: string, job: CSSJob, io: Pick<Io, "signal">): Promise<number> {
  const { input } = await prepareCSS(job)
  return fillFile(toOutputPlace(job), async ({ path }) => {
    await compileTo(binary, job, { input, output: path }, io)
    return (await stat(path)).size
  })
}

/**
 * Compiles and minifies the styles, and returns them.
 *
 * @throws FwError as {@link compileCSS} does, except `css_output`.
 */
export async function compileToText(binary: string, job: CSSJob, io: Pick<Io, "signal">): Promise<string> {
  const input = await findInput(job)
  const directory = OwnDirectory.createTemporary(join(tmpdir(), "fw-css-"))
  try {
    const output = directory.resolve("output.css")
    await compileTo(binary, job, { input, output }, io)
    return await readFile(output, "utf8")
  } finally {
    await directory.remove()
  }
}

async function compileTo(
  binary: string,
  job: CSSJob,
  { input, output }: CSSFiles,
  { signal }: Pick<Io, "signal">,
): Promise<void> {
  signal.throwIfAborted()
  const args = ["--input", input, "--output", output, "--minify"]
  const end = await startCSS(binary, { args, cwd: job.cwd, signal }).ended
  signal.throwIfAborted()
  if (end.code !== 0) throw await toCSSError(job, end)
}

/** Options for starting the compiler. */
export interface StartOptions {
  readonly args: readonly string[]
  /** The project's directory, in which the compiler searches class names. */
  readonly cwd: string
  readonly stdin?: "pipe"
  readonly signal?: AbortSignal
  readonly onLine?: (line: string) => void
}

/**
 * Starts the compiler. `ended` rejects with FwError `css_binary` if it does not start, and otherwise has the last
 * part of its output.
 */
export function startCSS(binary: string, { onLine, ...start }: StartOptions): RunningProgram {
  const programOptions = { ...start, ...toCompilerCommand(binary, start.args), keep: 20_000 }
  const running = startProgram(onLine ? { ...programOptions, onLine } : programOptions)
  const ended = running.ended.catch((error: Error): ProgramEnd => {
    const cause = error.cause as NodeJS.ErrnoException
    throw cssFault("css_binary.start", [binary, cause.message, cause.code === "ENOENT"], { cause })
  })
  ended.catch(() => {})
  return { ended, stop: running.stop }
}
