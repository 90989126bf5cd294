/** Turns messages of the CSS compiler, which have no position, into errors with a position. */
import { readFile } from "node:fs/promises"
import { dirname, relative, resolve, sep } from "node:path"
import { stripVTControlCharacters } from "node:util"
import type { FwError, Location } from "../../lib/errors.ts"
import { formatCodeFrame } from "../../template/code-frame.ts"
import { cssFault } from "../messages/css.ts"
import type { ProgramEnd } from "../tools/program.ts"

/** The files to compile, relative to the project. */
export interface CSSJob {
  /** The project's directory, in which the compiler searches class names. */
  readonly cwd: string
  readonly input: string
  readonly output: string
  /** The fix for an output that cannot be written; undefined if the command has no flag for the output. */
  readonly fix?: string
}

/** Returns the error for a compiler that ended unexpectedly. */
export async function toCSSError(job: CSSJob, { code, signal, output }: ProgramEnd): Promise<FwError> {
  const lines = cleanOutput(output)
  const message = lines.map(readMessage).find((line) => line !== null)
  if (message) return compileError(job, message)
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
  return cssFault("css_compile.ended", [how, lines], { at: { file: job.input } })
}

/** Returns the error for a message of the compiler, with the lines around its position. */
export async function compileError(job: CSSJob, message: string): Promise<FwError> {
  const { frame, ...at } = await locate(job, message)
  return cssFault("css_compile", [message, frame], { at })
}

/** Returns the message in a line that reports an error; null for any other line. */
export function readMessage(line: string): string | null {
  return /^(?:\w*Error|error): (.+)$/.exec(line)?.[1] ?? null
}

/** Returns the compiler's output without colours, banner, stack frames and the note that watchman is missing. */
export function cleanOutput(text: string): string[] {
  return stripVTControlCharacters(text)
    .split(/\r?\n/)
    .filter((line) => !/^\s*$|^≈ tailwindcss|^\s+at |^Bun v\d|watchman: (?:command )?not found/.test(line))
}

interface Sheet {
  readonly file: string
  readonly text: string
}

/** Returns the input of a job and the project's stylesheets that it imports, in the order of reading. */
export async function readSheets({ cwd, input }: CSSJob): Promise<Sheet[]> {
  const sheets: Sheet[] = []
  const visitedFiles = new Set<string>()
  const visit = async (file: string): Promise<void> => {
    if (visitedFiles.has(file)) return
    visitedFiles.add(file)
    const text = await readFile(file, "utf8").catch(() => null)
    if (text === null) return
    sheets.push({ file, text })
    for (const [, name] of blankComments(text, false).matchAll(/@(?:import|reference)\s+["']([^"']+)["']/g)) {
      await visit(resolve(dirname(file), name as string))
      if (!/\.css$/.test(name as string)) await visit(resolve(dirname(file), `${name}.css`))
    }
  }
  await visit(resolve(cwd, input))
  return sheets
}

/**
 * Returns the position that a message is about and the lines around it. If the position cannot be found, returns
 * only the file.
 */
async function locate(job: CSSJob, message: string): Promise<Location & { readonly frame?: string }> {
  for (const { file, text } of await readSheets(job)) {
    const index = findMessageIndex(message, text)
    if (index === null) continue
    const before = text.slice(0, index).split("\n")
    const sheetPath = relative(job.cwd, file).split(sep).join("/")
    const mark = { line: before.length, column: (before.at(-1) as string).length + 1 }
    return { file: sheetPath, ...mark, frame: formatCodeFrame(text, mark) }
  }
  return { file: job.input }
}

/** Returns the index in a text that a message is about; null if the message does not tell. */
function findMessageIndex(message: string, text: string): number | null {
  const brackets = /^Missing (?:closing|opening) ([{}()])/.exec(message)
  if (brackets) return findUnmatchedBracket(text, /[{}]/.test(brackets[1] as string) ? "{}" : "()")
  // The compiler appends the missing quote to the string in its message.
  const excerpt =
    /^Unterminated string: ([\s\S]+).$/.exec(message)?.[1] ??
    /^Cannot apply unknown utility class: (.+)$/.exec(message)?.[1] ??
    /^The (--[\w-]+\()/.exec(message)?.[1] ??
    /(?:^|[\s(])[`'"]([^`'"]{2,})[`'"]/.exec(message)?.[1]
  if (!excerpt) return null
  const words = excerpt.trim().split(/\s+/)
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s+")
  const found = new RegExp(`(?<![\\w-])${pattern}(?:(?<=\\W)|(?![\\w-]))`).exec(blankComments(text, false))
  return found ? found.index : null
}

/**
 * Returns the index of the first closing bracket that no bracket opens. If there is none, returns the index of the
 * last opening bracket that is not closed; null without such a bracket.
 */
function findUnmatchedBracket(text: string, [open, close]: string): number | null {
  const openBrackets: number[] = []
  const bare = blankComments(text, true)
  for (let index = 0; index < bare.length; index++) {
    if (bare[index] === open) openBrackets.push(index)
    else if (bare[index] === close && openBrackets.pop() === undefined) return index
  }
  return openBrackets.at(-1) ?? null
}

/** Replaces comments, and on request strings, with spaces of the same length. */
function blankComments(text: string, includesStrings: boolean): string {
  return text.replace(/\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/g, (part) =>
    includesStrings || part.startsWith("/*") ? part.replace(/[^\n]/g, " ") : part,
  )
}
