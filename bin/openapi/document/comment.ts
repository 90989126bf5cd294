/** Parses doc comments: the first sentence, the text and the tags. */

/** A tag and the text up to the next tag. */
export interface CommentTag {
  readonly name: string
  readonly text: string
}

/** The parts of a comment. */
export interface CommentText {
  /** The text of `@summary`, otherwise the first sentence; `""` if a tag comes first. */
  readonly summary: string
  /** The text after the first sentence and the text of `@description`. */
  readonly description: string
  /** The whole text without tags. Line breaks are kept. */
  readonly text: string
  readonly tags: readonly CommentTag[]
}

/** Tags that may be anywhere in a line, as in editors. Other tags must begin a line. */
const inlineTagNames =
  "deprecated|summary|description|tags?|params?|returns?|response|example|operationId|security|hidden|default|format|pattern|minimum|maximum|exclusiveMinimum|exclusiveMaximum|multipleOf|minLength|maxLength|minItems|maxItems|see|since|throws|internal|mcp"
const inlineTag = new RegExp(`(?<=^|\\s)@(?:${inlineTagNames})(?![\\w-])`)

const emptyComment: CommentText = { summary: "", description: "", text: "", tags: [] }

/** Parses the text of a comment. Lines in code fences are text, even if they look like tags. */
export function readComment(comment = ""): CommentText {
  if (comment === "") return emptyComment
  const lines: string[] = []
  const tags: { name: string; lines: string[] }[] = []
  let isFenced = false
  for (const line of comment.split("\n")) {
    const parts = isFenced || !line.includes("@") ? [line] : splitTags(line, tags.at(-1)?.name)
    for (const part of parts) {
      const [, name, rest = ""] = (isFenced ? null : /^\s*@([A-Za-z][\w-]*)\s*([\s\S]*)/.exec(part)) ?? []
      if (name !== undefined) tags.push({ name, lines: [rest] })
      else (tags.at(-1)?.lines ?? lines).push(part)
      if (/^\s*(?:```|~~~)/.test(name === undefined ? part : rest)) isFenced = !isFenced
    }
  }
  const read = tags.map(({ name, lines }) => ({ name, text: replaceLinks(lines.join("\n")) }))
  const listTagTexts = (name: string) => read.flatMap((tag) => (tag.name === name && tag.text ? [tag.text] : []))
  const text = replaceLinks(lines.join("\n"))
  const [summary] = listTagTexts("summary")
  const [first, rest] = summary === undefined ? splitFirstSentence(text) : [summary, text]
  return {
    summary: first.replace(/\s+/g, " "),
    description: [rest, ...listTagTexts("description")].filter((part) => part !== "").join("\n\n"),
    text: [text, ...listTagTexts("description")].filter((part) => part !== "").join("\n\n"),
    tags: read,
  }
}

/** Splits a line before each tag. Tags in backticks or in an example are text. */
function splitTags(line: string, currentTag: string | undefined): string[] {
  const firstTag = /^\s*@(\w+)/.exec(line)?.[1]
  if ((firstTag ?? currentTag) === "example") return [line]
  const withoutCode = line.replace(/`[^`]*`|\{@(?:[^{}]|\{(?!@))*\}/g, (text) => " ".repeat(text.length))
  const from = firstTag === undefined ? 0 : withoutCode.indexOf("@") + 1
  const found = inlineTag.exec(withoutCode.slice(from))
  if (!found) return [line]
  const at = from + found.index
  return [line.slice(0, at).trimEnd(), ...splitTags(line.slice(at), undefined)].filter((part) => part !== "")
}

/** Matches an abbreviation, whose full stop does not end a sentence. */
const abbreviation = /(?:\b(?:e\.g|i\.e|cf|vs|approx|resp|incl|no|st|dr|mr|mrs|ms)|\b[A-Z])\.$/i

/** Splits a text after its first sentence. A blank line or a list also ends the sentence. */
function splitFirstSentence(text: string): readonly [first: string, rest: string] {
  const end = /\n\s*(?:\n|[-*+#>|]|\d+[.)]\s|```|~~~)/.exec(text)?.index ?? text.length
  const paragraph = text.slice(0, end)
  for (const { index } of paragraph.matchAll(/[.!?](?=["')\]]*\s+[^\s\p{Ll}])/gu)) {
    const first = paragraph.slice(0, index + 1)
    if (!abbreviation.test(first)) return [first, text.slice(index + 1).trim()]
  }
  return [paragraph.trim(), text.slice(end).trim()]
}

/** Replaces `{@link …}`, which is meant for editors, by its text. */
function replaceLinks(text: string): string {
  if (!text.includes("{@")) return text.trim()
  return text
    .replace(/\{@\w+\s+([^{}|\s]+)(?:[|\s]([^{}]*))?\}/g, (_, target, label) => label?.trimStart() || target)
    .trim()
}

/** Returns the texts of the tags with these names. */
export function listTexts({ tags }: CommentText, ...names: readonly string[]): string[] {
  return tags.filter(({ name }) => names.includes(name)).map(({ text }) => text)
}

/** Parses a value in a comment: JSON, with or without a code fence. Returns any other text without its fence. */
export function parseExample(text: string): unknown {
  const inner = /^(?:```|~~~)\w*\n([\s\S]*)(?:```|~~~)$/.exec(text)?.[1]?.trimEnd() ?? text
  try {
    return JSON.parse(inner)
  } catch {
    return inner
  }
}
