/** Formats templates. */

import { shownPath } from "../project/problems.ts"
import type { Feature, OpenTemplate } from "./feature.ts"
import type { DocumentParams } from "./protocol.ts"

/** Formats a whole template (LSP 3.17, textDocument/formatting), by the settings of the project. */
export class FormatFeature implements Feature {
  readonly #root: () => string

  /** Creates the feature. `root` returns the directory of the project, which the editor may name later. */
  constructor(root: () => string) {
    this.#root = root
  }

  /** Answers with one edit for the lines that change, or with none. A template with an error stays as it is. */
  async answer(
    method: string,
    _: DocumentParams,
    { path, text }: OpenTemplate,
    signal: AbortSignal,
  ): Promise<unknown> {
    if (method !== "textDocument/formatting") return undefined
    const { formatText } = await import("../format/project.ts")
    const before = text.value
    const root = this.#root()
    const formatted = await formatText(root, shownPath(root, path), Buffer.from(before), signal)
    return formatted.text === before ? [] : [edit(before.split("\n"), formatted.text.split("\n"))]
  }
}

/** Returns the edit that makes some lines of others: without the lines at the start and the end that stay. */
function edit(before: readonly string[], after: readonly string[]): object {
  const least = Math.min(before.length, after.length)
  let start = 0
  while (start < least - 1 && before[start] === after[start]) start++
  let end = 0
  while (end < least - start - 1 && before.at(-1 - end) === after.at(-1 - end)) end++
  const last = before.length - 1 - end
  return {
    range: {
      start: { line: start, character: 0 },
      end: { line: last, character: before[last]?.length ?? 0 },
    },
    newText: after.slice(start, after.length - end).join("\n"),
  }
}
