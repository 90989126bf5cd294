/** Reads the error reference in `docs/reference/errors/` and formats its entries for the terminal. */
import { join } from "node:path"
import { packageDirectory } from "../system/package.ts"
import { readDocs, splitSections, toPlainText } from "./pages.ts"

/** The entry of an `FwError` code. The texts are Markdown. */
export interface ErrorEntry {
  readonly code: string
  /** When the error occurs and what to do. */
  readonly about: string
  /** Every message of the code, with example values, and its fix. */
  readonly examples: readonly (readonly [what: string, fix: string])[]
}

/** The entry of a value of the `error` field in HTTP answers. */
export interface HttpEntry {
  readonly code: string
  readonly status: number
  readonly about: string
}

/** Reads the error reference that came with this command, so that it fits the installed version. */
export async function readErrorReference(): Promise<{ errors: ErrorEntry[]; answers: HttpEntry[] }> {
  const pages = await readDocs(join(packageDirectory, "docs/reference/errors"))
  const sections = pages.flatMap(({ text }) => splitSections(text))
  return {
    errors: sections.filter(({ heading }) => /^[a-z_]+$/.test(heading)).map(parseErrorEntry),
    answers: pages.flatMap(({ text }) =>
      [...text.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm)].map(
        ([, status, code = "", about = ""]): HttpEntry => ({ code, status: Number(status), about }),
      ),
    ),
  }
}

/** Matches a message with its fix. The fix is an indented line, and may go on in lines with more indentation. */
const messagePattern = /(\S[\s\S]*?)\n {2}(\S.*(?:\n {4}.*)*)\n(?=\n\S|```)/g

function parseErrorEntry({ heading, lines }: { heading: string; lines: readonly string[] }): ErrorEntry {
  const [about = "", block = ""] = lines.join("\n").split("```text\n")
  const examples = [...block.matchAll(messagePattern)].map(([, what = "", fix = ""]) => [what, fix] as const)
  return { code: heading, about: about.trim(), examples }
}

/** Returns an entry as text. */
export function formatEntry(entry: ErrorEntry | HttpEntry): string {
  const about = toPlainText(entry.about)
  if ("status" in entry) return `${entry.code} (HTTP ${entry.status})\n\n${about}\n`
  const messages = entry.examples.map(([what, fix]) => `${what}\n  ${fix}`.replace(/^(?=.)/gm, "  "))
  return `${entry.code}\n\n${about}\n\nMessages, with example values:\n\n${messages.join("\n\n")}\n`
}
