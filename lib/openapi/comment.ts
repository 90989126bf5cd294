/** What a comment says: its first line, its text and its tags. Called by `operation.ts`, `schema.ts` and `security.ts`. */

/** A tag with the text up to the next one. */
export interface Tag {
  readonly name: string
  readonly text: string
}

/** A comment in parts. */
export interface CommentText {
  /** The first line; `""` where a tag comes first. */
  readonly summary: string
  /** What stands between the first line and the tags. */
  readonly description: string
  readonly tags: readonly Tag[]
}

/** Reads a comment that has no marks. A line within a fence is text, whatever it begins with. */
export function readComment(comment = ""): CommentText {
  const text: string[] = []
  const tags: { name: string; lines: string[] }[] = []
  let fenced = false
  for (const line of comment.split("\n")) {
    const mayBeTag = !fenced && line.includes("@")
    const [, name, rest = ""] = (mayBeTag ? /^\s*@([A-Za-z][\w-]*)\s*(.*)$/.exec(line) : null) ?? []
    if (name !== undefined) tags.push({ name, lines: [rest] })
    else (tags.at(-1)?.lines ?? text).push(line)
    if (/^\s*(?:```|~~~)/.test(name === undefined ? line : rest)) fenced = !fenced
  }
  const [summary = "", ...more] = plain(text.join("\n")).split("\n")
  return {
    summary: summary.trim(),
    description: more.join("\n").trim(),
    tags: tags.map(({ name, lines }) => ({ name, text: plain(lines.join("\n")) })),
  }
}

/** Links in braces are for editors. */
function plain(text: string): string {
  if (!text.includes("{@")) return text.trim()
  return text
    .replace(/\{@\w+\s+([^{}|\s]+)(?:[|\s]\s*([^{}]*))?\}/g, (_, target, label) => label || target)
    .trim()
}

/** The texts of a tag, one for each time it is there. */
export function textsOf({ tags }: CommentText, name: string): string[] {
  return tags.filter((tag) => tag.name === name).map(({ text }) => text)
}

/** A value in a comment: JSON, in a fence or not, else the text itself. */
export function exampleValue(text: string): unknown {
  const inner = /^(?:```|~~~)\w*\n([\s\S]*?)\n?\s*(?:```|~~~)$/.exec(text)?.[1] ?? text
  try {
    return JSON.parse(inner)
  } catch {
    return inner
  }
}
