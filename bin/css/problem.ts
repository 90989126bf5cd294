/** Makes of what the CSS compiler says an error with its place: the compiler itself tells none. Called by css-compile and css-watch. */
import { readFile } from "node:fs/promises"
import { dirname, relative, resolve, sep } from "node:path"
import { stripVTControlCharacters } from "node:util"
import type { FwError, Location } from "../../lib/errors.ts"
import { cssFault } from "../messages/css.ts"
import type { ProgramEnd } from "../tools/program.ts"

/** What to compile, relative to the project. */
export interface CssJob {
  /** The project's directory: classes are looked for below it. */
  readonly cwd: string
  readonly input: string
  readonly output: string
}

/** The error for a compiler that ended and should not have. */
export async function cssProblem(job: CssJob, { code, signal, output }: ProgramEnd): Promise<FwError> {
  const said = cleaned(output)
  const message = said.map(messageOf).find((line) => line !== null)
  if (message) return compileError(job, message)
  const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`
  return cssFault("css_compile.ended", [how, said], { at: { file: job.input } })
}

/** The error for one message of the compiler's. */
export async function compileError(job: CssJob, message: string): Promise<FwError> {
  return cssFault("css_compile", [message], { at: await locate(job, message) })
}

/** The message in a line that reports an error; null for any other line. */
export function messageOf(line: string): string | null {
  return /^(?:\w*Error|error): (.+)$/.exec(line)?.[1] ?? null
}

/** What the compiler said without its colours, its banner, stack frames and the complaint that watchman is not there. */
export function cleaned(text: string): string[] {
  return stripVTControlCharacters(text)
    .split(/\r?\n/)
    .filter((line) => !/^\s*$|^≈ tailwindcss|^\s+at |^Bun v\d|watchman: (?:command )?not found/.test(line))
}

interface Sheet {
  readonly file: string
  readonly text: string
}

/** A job's input, and the project's files that it imports, in the order of reading. */
export async function sheetsOf({ cwd, input }: CssJob): Promise<Sheet[]> {
  const sheets: Sheet[] = []
  const seen = new Set<string>()
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return
    seen.add(file)
    const text = await readFile(file, "utf8").catch(() => null)
    if (text === null) return
    sheets.push({ file, text })
    for (const [, name] of blanked(text, false).matchAll(/@(?:import|reference)\s+["']([^"']+)["']/g)) {
      await visit(resolve(dirname(file), name as string))
      if (!/\.css$/.test(name as string)) await visit(resolve(dirname(file), `${name}.css`))
    }
  }
  await visit(resolve(cwd, input))
  return sheets
}

/** Where the compiler's message points. Only the file where nothing tells more. */
async function locate(job: CssJob, message: string): Promise<Location> {
  for (const { file, text } of await sheetsOf(job)) {
    const index = placeOf(message, text)
    if (index === null) continue
    const before = text.slice(0, index).split("\n")
    const shown = relative(job.cwd, file).split(sep).join("/")
    return { file: shown, line: before.length, column: (before.at(-1) as string).length + 1 }
  }
  return { file: job.input }
}

/** The index in a text that a message is about, or null. */
function placeOf(message: string, text: string): number | null {
  const brackets = /^Missing (?:closing|opening) ([{}()])/.exec(message)
  if (brackets) return unmatched(text, /[{}]/.test(brackets[1] as string) ? "{}" : "()")
  // The compiler ends the string that it misses the end of.
  const excerpt =
    /^Unterminated string: ([\s\S]+).$/.exec(message)?.[1] ??
    /^Cannot apply unknown utility class: (.+)$/.exec(message)?.[1] ??
    /^The (--[\w-]+\()/.exec(message)?.[1] ??
    /(?:^|[\s(])[`'"]([^`'"]{2,})[`'"]/.exec(message)?.[1]
  if (!excerpt) return null
  const words = excerpt.trim().split(/\s+/)
  const pattern = words.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("\\s+")
  const found = new RegExp(`(?<![\\w-])${pattern}(?:(?<=\\W)|(?![\\w-]))`).exec(blanked(text, false))
  return found ? found.index : null
}

/** The first bracket without its other half: an opening one by preference, as all after it is inside. */
function unmatched(text: string, [open, close]: string): number | null {
  const opened: number[] = []
  const bare = blanked(text, true)
  for (let index = 0; index < bare.length; index++) {
    if (bare[index] === open) opened.push(index)
    else if (bare[index] === close && opened.pop() === undefined) return index
  }
  return opened.at(-1) ?? null
}

/** A text whose comments, and strings too if asked, are blanks of the same length. */
function blanked(text: string, strings: boolean): string {
  return text.replace(/\/\*[\s\S]*?(?:\*\/|$)|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'/g, (part) =>
    strings || part.startsWith("/*") ? part.replace(/[^\n]/g, " ") : part,
  )
}
