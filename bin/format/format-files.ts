/** Formats `.tpl` files: the templates in them, and the TypeScript around the templates. */

import { type Diagnostic, toDiagnostic } from "../../template/diagnostic.ts"
import { type FormattedParts, formatTemplates } from "./format-templates.ts"
import type { LineStyle } from "./layout.ts"
import { readLineStyle } from "./line-style.ts"
import type { Script, ScriptFormatter } from "./script-formatter.ts"

/** A `.tpl` file. */
export interface TemplateBytes {
  /** Path relative to the project. */
  readonly file: string
  readonly bytes: Uint8Array
}

/** A formatted file. */
export interface FormattedFile {
  readonly file: string
  readonly before: string
  /** The formatted text; the unchanged text if it has errors. */
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

/** The project whose files are formatted. */
export interface FormatOptions {
  readonly root: string
  /** Formats TypeScript. Undefined to leave it unchanged. */
  readonly formatter: ScriptFormatter | undefined
  readonly signal: AbortSignal
}

interface FormatJob extends FormattedParts {
  readonly file: string
  readonly before: string
  readonly style: LineStyle
}

/** Formats files. Files with errors are not changed. */
export async function formatFiles(
  files: readonly TemplateBytes[],
  { root, formatter, signal }: FormatOptions,
): Promise<FormattedFile[]> {
  const jobs: FormatJob[] = []
  for (const { file, bytes } of files) {
    signal.throwIfAborted()
    const before = decodeText(bytes)
    const settings = (await formatter?.readSettings(file)) ?? {}
    const style = await readLineStyle(root, file, before, settings)
    const parts = isEncodedAs(before, bytes) ? formatTemplates(before, file, style) : toEncodingError(before, file)
    jobs.push({ ...parts, file, before, style })
  }
  const validJobs = jobs.filter(({ diagnostics }) => diagnostics.length === 0)
  const scripts = validJobs.map(toScript)
  const nonEmptyScripts = scripts.filter(({ text }) => text.replace(templateLine, "").trim() !== "")
  const formatted = (await formatter?.format(nonEmptyScripts, signal)) ?? []
  const byFile = new Map(nonEmptyScripts.map(({ file }, at) => [file, formatted[at]]))
  return jobs.map((job) => {
    const { file, before, diagnostics } = job
    const text = diagnostics.length > 0 ? before : joinParts(job, byFile.get(file))
    return { file, before, text, diagnostics }
  })
}

const decodeText = (bytes: Uint8Array): string => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)

/** Returns true if encoding a text gives the same bytes. */
function isEncodedAs(text: string, bytes: Uint8Array): boolean {
  return Buffer.from(text).equals(bytes)
}

function toEncodingError(text: string, file: string): FormattedParts {
  const message = "this is not UTF-8, so the file cannot be formatted"
  const offset = Math.max(0, text.indexOf("\ufffd"))
  return { parts: [], diagnostics: [toDiagnostic(file, text, offset, message, "Save the file as UTF-8.")] }
}

/** Replaces a template in the text that the TypeScript formatter gets. */
const toTemplateMark = (at: number) => `declare const $fwTemplate${at}: never`
const templateLine = /declare const \$fwTemplate\d+: never;?/g
const byteOrderMark = "\ufeff"

/** Returns the TypeScript of a file. A line replaces each template. */
function toScript({ file, parts }: FormatJob): Script {
  const text = parts.map((part, at) => (part.kind === "plain" ? part.text : toTemplateMark(at))).join("")
  return { file, text: text.startsWith(byteOrderMark) ? text.slice(1) : text }
}

/** Joins the formatted parts. The file ends with one line break. */
function joinParts({ parts, before, style }: FormatJob, script: string | undefined): string {
  const pieces = script?.split(templateLine)
  const templates = parts.filter(({ kind }) => kind === "template")
  const isWhole = pieces?.length === templates.length + 1
  const text = isWhole
    ? (before.startsWith(byteOrderMark) ? byteOrderMark : "") +
      pieces.map((piece, at) => piece.replace(/\r?\n/g, style.lineEnding) + (templates[at]?.text ?? "")).join("")
    : parts.map((part) => part.text).join("")
  const trimmed = text.replace(/[ \t\r\n]+$/, "")
  return trimmed === "" || trimmed === byteOrderMark ? trimmed : trimmed + style.lineEnding
}
