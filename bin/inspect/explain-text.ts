/** Formats an explanation of `fw routes --explain`. */
import { foldLines, formatTable, formatTableRows } from "../cli/layout.ts"
import type { Style, View } from "../cli/terminal.ts"
import type { Candidate } from "./explain-candidates.ts"
import type { ExplainedAnswer, ExplainedMatcher, ExplainedProxy, Explanation } from "./explanation.ts"

/** Returns short tables about the response, the proxy and the routes. */
export function formatExplanation(explanation: Explanation, { style, width: columns }: View): string {
  const { method, target, path, proxy, answer, candidates, main, unlisted } = explanation
  const title = (text: string) => `${style.bold(text)}\n`
  const rows: string[][] = []
  if (path !== null && path !== target) rows.push(["Path", path])
  rows.push(["Answer", formatAnswer(answer, method)], ...toDetailRows(answer))
  const sections = [`${title(`${method} ${target}`)}${formatTable(rows, paintLabels(style), columns)}`]
  if (proxy) sections.push(title("Proxy") + formatProxy(proxy, style, columns))
  if (candidates.length > 0) {
    const noneMatches = candidates.every(({ outcome }) => outcome === "path")
    sections.push(title(noneMatches ? "Nearest routes" : "Candidates") + formatCandidates(candidates, style, columns))
  }
  if (unlisted) sections.push(style.dim(foldLines(`${unlisted.message}. ${unlisted.fix}\n`, columns)))
  if (main !== null) sections.push(style.dim(`Middleware that ${main} adds is not seen here.\n`))
  return sections.join("\n")
}

/**
 * Returns a line for each candidate, with the reason below it. The outcome is left out if no candidate matches the
 * path.
 */
function formatCandidates(candidates: readonly Candidate[], style: Style, width: number): string {
  const noneMatches = candidates.every(({ outcome }) => outcome === "path")
  const markWidth = noneMatches ? 0 : Math.max(...candidates.map(({ outcome }) => outcome.length))
  const rows = candidates.map(({ pattern, outcome, files }) => [
    ...(noneMatches ? [] : [outcome]),
    pattern,
    files.join(", "),
  ])
  const paint = (cell: string, column: number) => {
    if (column === (noneMatches ? 1 : 2)) return style.dim(cell)
    return cell.trim() === "answers" ? style.green(cell) : cell
  }
  const why = ({ outcome, why }: Candidate) =>
    outcome === "answers" ? "" : foldLines(`${" ".repeat(markWidth + 4)}${why}\n`, width, 0)
  return formatTableRows(rows, paint, width)
    .map((row, index) => row + why(candidates[index] as Candidate))
    .join("")
}

function paintLabels(style: Style) {
  return (cell: string, column: number) => (column === 0 ? style.cyan(cell) : cell)
}

/** Returns a line about the response. */
function formatAnswer(answer: ExplainedAnswer, method: string): string {
  const { kind, status, file, line, location, allow, note, export: name } = answer
  const position = line === null ? file : `${file}:${line}`
  switch (kind) {
    case "route":
      return `${name === null ? "the handler at" : `${name} of`} ${position}${note ? ` (${note})` : ""}`
    case "page":
      return `the page ${file}${note ? ` (${note})` : ""}`
    case "file":
      return `the file ${file}`
    case "redirect":
      return `${status}, a redirect to ${location}`
    case "options":
      return `${status}, with Allow: ${allow.join(", ")}`
    case "not_allowed":
      return `${status}: it does not answer ${method}, but ${allow.join(", ")}`
    case "upgrade":
      return `${status}: it is for WebSocket connections, which SOCKET instead of ${method} explains`
    case "not_found":
      return `${status}: no route and no file${note ? `, ${note}` : ""}${file ? `; browsers get ${file}` : ""}`
    case "refused":
      return `${status}: ${note}`
  }
}

function toDetailRows({ pattern, params, middleware, layout, kind }: ExplainedAnswer): string[][] {
  const rows: string[][] = []
  if (pattern !== null) rows.push(["Pattern", pattern])
  for (const [index, [name, value]] of Object.entries(params).entries())
    rows.push([index === 0 ? "Parameters" : "", `${name} = ${JSON.stringify(value)}`])
  for (const [index, file] of middleware.entries()) rows.push([index === 0 ? "Middleware" : "", file])
  if (kind === "page") rows.push(["Layout", layout ?? "none"])
  return rows
}

function formatProxy(proxy: ExplainedProxy, style: Style, width: number): string {
  const { file, runs, matchers, excludes, actions } = proxy
  const summary = `  ${file} ${runs ? "sees it first" : "does not see it"}: ${formatReason(matchers, excludes)}.\n`
  if (!runs) return foldLines(summary, width, 0)
  if (actions.length === 0)
    return foldLines(
      `${summary}  It is not run here, and its text shows no rewrite, redirect or responseJSON.\n`,
      width,
      0,
    )
  const rows = actions.map(({ action, line, to, answer }) => {
    const call = `${action}(${to === null ? "…" : action === "responseJSON" ? to : JSON.stringify(to)})`
    return [`line ${line}`, call, ...(answer ? [formatAnswer(answer, "the method")] : [])]
  })
  const note = "  It is not run here. If it continues, the answer is as above. Its text shows:\n"
  return (
    foldLines(summary + note, width, 0) +
    formatTable(rows, (cell, column) => (column === 2 ? style.dim(cell) : cell), width)
  )
}

/** Returns the pattern because of which the proxy runs or does not run. */
function formatReason(matchers: readonly ExplainedMatcher[], excludes: readonly ExplainedMatcher[]): string {
  const excluded = excludes.find(({ covers }) => covers)
  if (excluded) return `its exclude ${excluded.pattern} covers the path`
  const covering = matchers.find(({ covers }) => covers)
  if (covering) return `its matcher ${covering.pattern} covers the path`
  if (matchers.length === 0) return "it has no matchers"
  return `none of its matchers covers the path (${matchers.map(({ pattern }) => pattern).join(", ")})`
}
