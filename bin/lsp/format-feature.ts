/** Formats templates. */

import { toProjectPath } from "../project/problems.ts"
import type { Feature, OpenTemplate } from "./feature.ts"
import type { DocumentParams } from "./protocol.ts"
import type { SourceText } from "./source-text.ts"

/** Formats a template with the settings of the project (LSP 3.17, textDocument/formatting). */
export class FormatFeature implements Feature {
  readonly #root: () => string

  /**
   * Creates the feature.
   *
   * @param root returns the directory of the project, because the editor may name it later.
   */
  constructor(root: () => string) {
    this.#root = root
  }

  /** Answers with one edit of the lines that change, or with none. A template with errors is not changed. */
  async answer(
    method: string,
    _params: DocumentParams,
    { path, text }: OpenTemplate,
    signal: AbortSignal,
  ): Promise<unknown> {
    if (method !== "textDocument/formatting") return undefined
    const { formatText } = await import("../format/format-project.ts")
    const root = this.#root()
    const formatted = await formatText(root, toProjectPath(root, path), Buffer.from(text.value), signal)
    return formatted.text === text.value ? [] : [toEdit(text, formatted.text)]
  }
}

/** Returns the edit that changes a text to a formatted one, without the equal lines at the start and the end. */
function toEdit(text: SourceText, formatted: string): object {
  const [before, after] = [text.value.split("\n"), formatted.split("\n")]
  const minCount = Math.min(before.length, after.length)
  let start = 0
  while (start < minCount - 1 && before[start] === after[start]) start++
  let end = 0
  while (end < minCount - start - 1 && before.at(-1 - end) === after.at(-1 - end)) end++
  const from = before.slice(0, start).join("\n").length + (start > 0 ? 1 : 0)
  const changed = before.slice(start, before.length - end).join("\n")
  return {
    range: text.toRange(from, from + changed.length),
    newText: after.slice(start, after.length - end).join("\n"),
  }
}
