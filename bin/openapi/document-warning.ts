/** Warnings about the document as text. */

import type { Style } from "../cli/terminal.ts"
import type { Warning } from "./document/model.ts"

/** Returns a warning with its place and its fix, on two lines. */
export function formatDocumentWarning({ message, fix, at }: Warning, style: Style): string {
  const place = at ? `${at.file}:${at.line}: ` : ""
  return `${style.yellow(style.bold("warning:"))} ${place}${message}\n  ${fix}\n`
}
