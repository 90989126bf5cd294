/**
 * Reads the steps of a guide from its Markdown: commands, files, changes of files, and exchanges. CONTRIBUTING.md
 * describes the notation.
 */
import { type Exchange, readExchanges } from "../documents.ts"

interface Placed {
  /** The position for messages, such as `docs/guides/forms.md:12`. */
  readonly place: string
}

/** Commands of a shell, one per line, and the output of the last one. */
export interface Commands extends Placed {
  readonly kind: "run"
  readonly lines: readonly string[]
  readonly output?: string
}

/** A whole file. */
export interface WrittenFile extends Placed {
  readonly kind: "write"
  readonly file: string
  readonly content: string
}

/** A change of an existing file. */
export interface ChangedFile extends Placed {
  readonly kind: "change"
  readonly file: string
  readonly changes: readonly Change[]
}

/** Lines that occur once in the file, and their replacement. */
export interface Change {
  readonly before: string
  readonly after: string
}

/** Requests to the running application, and the expected answers. */
export interface Asked extends Placed {
  readonly kind: "ask"
  readonly exchanges: readonly Exchange[]
}

export type Step = Commands | WrittenFile | ChangedFile | Asked

interface Block extends Placed {
  readonly language: string
  readonly flag: string
  readonly text: string
}

/** Returns true if the reader of a guide creates a project, or a directory for one. Tests carry out such guides. */
export function isWalked(text: string): boolean {
  return readBlocks("", text).some(({ language, text }) => language === "sh" && /^npx fw new /m.test(text))
}

/**
 * Returns the steps of a guide, in order.
 *
 * @throws Error for a block that nothing would check.
 */
export function readSteps(document: string, text: string): Step[] {
  const blocks = readBlocks(document, text)
  return blocks.flatMap((block, at) => {
    if (block.flag === "nocheck" || isOutput(block, blocks[at - 1])) return []
    const output = blocks[at + 1]
    return readStep(block, output && isOutput(output, block) ? output.text : undefined)
  })
}

function isOutput({ language, flag, text }: Block, before: Block | undefined): boolean {
  const isShown = language === "text" || language === "json"
  return isShown && flag === "" && fileNamed(text) === undefined && before?.language === "sh"
}

function readStep({ language, place, text }: Block, output: string | undefined): Step[] {
  const file = fileNamed(text)
  if (language === "sh" && file === undefined) {
    const lines = text
      .replace(/\s*\\\n\s*/g, " ")
      .split("\n")
      .filter((line) => line.trim() !== "" && !line.startsWith("#"))
    return [{ kind: "run", place, lines, ...(output !== undefined && { output }) }]
  }
  if (language === "http") return [{ kind: "ask", place, exchanges: readExchanges(text) }]
  if (file === undefined) {
    throw new Error(
      `${place}: nothing checks this block. Name its file in the first line, or write \`\`\`${language} nocheck.`,
    )
  }
  // A file outside of the project, as in /etc, belongs to another machine.
  if (file.startsWith("/")) return []
  if (language !== "diff") return [{ kind: "write", place, file, content: text }]
  return [{ kind: "change", place, file, changes: readChanges(text) }]
}

/** Returns the file that the comment in a text's first line names. */
export function fileNamed(text: string): string | undefined {
  const first = text.split("\n")[0] as string
  const [, name] = /^ ?(?:\/\/|#|--|\/\*|<!--) (\S+)(?: \*\/| -->)?$/.exec(first) ?? []
  return name !== undefined && /[./]|^[A-Z]\w*file$/.test(name) ? name : undefined
}

/** Returns the changes of a diff block. A line with only … separates two changes. */
function readChanges(text: string): Change[] {
  const lines = text.trimEnd().split("\n").slice(1)
  const parts = lines.join("\n").split(/^ ?…$/m)
  return parts.map((part) => {
    const own = part.replace(/^\n|\n$/g, "").split("\n")
    return { before: side(own, "+"), after: side(own, "-") }
  })
}

/** Returns the lines of one side without their first character: all lines except those of the other side. */
function side(lines: readonly string[], other: "+" | "-"): string {
  return lines
    .filter((line) => !line.startsWith(other))
    .map((line) => line.slice(1))
    .join("\n")
}

function readBlocks(document: string, text: string): Block[] {
  return [...text.matchAll(/^```(\w*) ?([^\n]*)\n([\s\S]*?)^```$/gm)].map(
    ({ 1: language = "", 2: flag = "", 3: content = "", index }) => ({
      place: `${document}:${text.slice(0, index).split("\n").length + 1}`,
      language,
      flag,
      text: content,
    }),
  )
}
