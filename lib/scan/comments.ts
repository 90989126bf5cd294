/** Reads the text of comments in source code. */

/** Lines that are instructions for a tool, and not documentation. */
const directivePattern = /^(?:@ts-|biome-ignore|eslint-|prettier-ignore|(?:c8|v8|istanbul) ignore|#(?:end)?region)/

/** Returns the lines of a comment, without the characters that mark it and without instructions for tools. */
export function readCommentLines(text: string): string[] {
  const lines = text.startsWith("//")
    ? [text.replace(/^\/\/+ ?/, "")]
    : text
        .slice(2, -2)
        .replace(/^\*+/, "")
        .split(/\r?\n/)
        .map((line, index) => (index === 0 ? line.trimStart() : line.replace(/^\s*\* ?/, "")))
  return lines.map((line) => line.trimEnd()).filter((line) => !directivePattern.test(line.trimStart()))
}
