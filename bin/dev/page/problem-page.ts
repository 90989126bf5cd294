/**
 * Responses that the parent process of `fw dev` makes itself: problems as a page, as JSON, and as parts for the
 * overlay.
 */

import { prefersHTML } from "../../../lib/request/accept.ts"
import type { Problem } from "../../project/problems.ts"
import { escapeText } from "../../system/html.ts"
import { problemStyle } from "./client.ts"
import { reservedPaths } from "./inject.ts"

/** The name of an element and its text. */
export type ProblemPart = readonly [name: string, text: string]

/** A response of the parent process. */
export interface OwnAnswer {
  readonly status: number
  readonly type: string
  readonly body: string | Uint8Array
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
}

/** A response of the parent process with a text. */
export type OwnText = OwnAnswer & { readonly body: string }

/** Returns a problem as elements. The page and the overlay show the same ones. */
export function toParts({ message, file, line, column, frame, fix, stack, request, action }: Problem): ProblemPart[] {
  const location = [file, line, column].filter((part) => part !== undefined).join(":")
  const parts: [string, string | undefined][] = [
    ["h2", message],
    ["code", location],
    ["pre", frame],
    ["p", fix],
    ["button", action && "Apply the migrations"],
    ["p", request],
    ["pre", stack?.replace(/^ {4}/gm, "")],
  ]
  return parts.filter((part): part is [string, string] => part[1] !== undefined && part[1] !== "")
}

/**
 * Returns the response with status 500 while no server process runs: a page for browsers, JSON for other clients.
 */
export function toProblemAnswer(problems: readonly Problem[], accept: string): OwnText {
  if (prefersHTML(accept)) return toProblemPage(problems)
  const message = problems.map(({ message }) => message).join("; ")
  return toJSONAnswer(500, { error: "dev_server", message, problems })
}

const pageStyle = `:root { color-scheme: light dark; } body { margin: 0; padding: 1px 0; background: #dfe2e8; }
@media (prefers-color-scheme: dark) { body { background: #2a2d35; } }`

/** Returns a page with problems. */
export function toProblemPage(problems: readonly Problem[]): OwnText {
  const parts = problems.flatMap(toParts).map(toElement)
  const body = `<!doctype html>
<html lang="en" data-fw="problem">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>fw dev: ${escapeText(problems[0]?.message ?? "no server")}</title>
<style>${pageStyle}${problemStyle}</style>
</head>
<body>
<main data-problem>
<h1>fw dev</h1>
${parts.join("")}<footer>Fix it and save. This page then reloads. Click a place to open it in your editor.</footer>
</main>
<script src="${reservedPaths.script}" defer></script>
</body>
</html>
`
  return { status: 500, type: "text/html; charset=utf-8", body }
}

function toElement([name, text]: ProblemPart): string {
  // A long line makes the box scroll, so the keyboard must reach it.
  if (name === "pre") return `<pre tabindex="0">${markCodeLines(text)}</pre>\n`
  if (name === "button") return `<button type="button" data-migrate>${escapeText(text)}</button>\n`
  const inner = `<${name}>${escapeText(text)}</${name}>\n`
  // The script makes the button open the position in an editor.
  return name === "code" ? `<button type="button" data-place>${inner}</button>` : inner
}

/** Marks the line and the column of the problem in lines of code. */
function markCodeLines(text: string): string {
  return escapeText(text)
    .replace(/^&#62; .*/gm, "<mark>$&</mark>")
    .replace(/^( *\| *)\^$/gm, "$1<b>^</b>")
}

/** Returns a response with JSON. */
export function toJSONAnswer(status: number, data: unknown): OwnText {
  return { status, type: "application/json", body: JSON.stringify(data) }
}
