/** Formats warnings about the OpenAPI document. */

import type { Style } from "../cli/terminal.ts"
import type { Warning } from "./document/model.ts"

/** Returns a warning with its position and, on the next line, its fix. */
export function formatDocumentWarning({ message, fix, at }: Warning, style: Style): string {
  const location = at ? `${at.file}:${at.line}: ` : ""
  return `${style.yellow(style.bold("warning:"))} ${location}${message}\n  ${fix}\n`
}
