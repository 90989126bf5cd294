/** An explanation as a person reads it. Called by `fw routes --explain`. */
import { type Style, table, type View } from "../terminal.ts"
import type { ExplainedAnswer, ExplainedMatcher, ExplainedProxy, Explanation } from "./explain.ts"

/** One short table a question: what answers, what the proxy does, which routes were candidates. */
export function printExplanation(explanation: Explanation, { style }: Pick<View, "style">): string {
  const { method, target, path, proxy, answer, candidates, main } = explanation
  const title = (text: string) => `${style.bold(text)}\n`
  const rows: string[][] = []
  if (path !== null && path !== target) rows.push(["Path", path])
  rows.push(["Answer", answerText(answer, method)], ...detailRows(answer))
  const sections = [`${title(`${method} ${target}`)}${table(rows, label(style))}`]
  if (proxy) sections.push(title("Proxy") + proxyText(proxy, style))
  if (candidates.length > 0) {
    const marks = { answers: style.green("answers"), method: "method ", beaten: "beaten ", path: "path   " }
    const lines = candidates.map(({ pattern, outcome, why, files }) => {
      const reason = outcome === "answers" ? "" : `  ${why}\n`
      return [`${marks[outcome]}`, pattern, style.dim(files.join(", ")), reason] as const
    })
    const width = Math.max(...lines.map(([, pattern]) => pattern.length))
    const shown = lines.map(([mark, pattern, files, reason]) => {
      const why = reason === "" ? "" : `${" ".repeat(9)}${reason}`
      return `  ${mark}  ${pattern.padEnd(width)}  ${files}\n${why}`
    })
    const none = candidates.every(({ outcome }) => outcome === "path")
    sections.push(title(none ? "Nearest routes" : "Candidates") + shown.join(""))
  }
  const unseen = main === null ? [] : [style.dim(`What ${main} adds by hand is not seen here.\n`)]
  return [...sections, ...unseen].join("\n")
}

function label(style: Style) {
  return (cell: string, column: number) => (column === 0 ? style.cyan(cell) : cell)
}

/** What answers, in a line. */
function answerText(answer: ExplainedAnswer, method: string): string {
  const { kind, status, file, line, location, allow, note, export: name } = answer
  const place = line === null ? file : `${file}:${line}`
  switch (kind) {
    case "route":
      return `${name} of ${place}${note ? ` (${note})` : ""}`
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
    case "not_found":
      return `${status}: no route and no file${file ? `; browsers get ${file}` : ""}`
    case "refused":
      return `${status}: ${note}`
  }
}

function detailRows({ pattern, params, middleware, layout, kind }: ExplainedAnswer): string[][] {
  const rows: string[][] = []
  if (pattern !== null) rows.push(["Pattern", pattern])
  for (const [index, [name, value]] of Object.entries(params).entries())
    rows.push([index === 0 ? "Parameters" : "", `${name} = ${JSON.stringify(value)}`])
  for (const [index, file] of middleware.entries()) rows.push([index === 0 ? "Middleware" : "", file])
  if (kind === "page") rows.push(["Layout", layout ?? "none"])
  return rows
}

function proxyText({ file, runs, matchers, excludes, actions }: ExplainedProxy, style: Style): string {
  const lines = [`  ${file} ${runs ? "sees it first" : "does not see it"}: ${reason(matchers, excludes)}.\n`]
  if (!runs) return lines.join("")
  lines.push("  It is not run here. What follows it is above; what its text shows:\n")
  if (actions.length === 0) lines.push("  no call of rewrite, redirect or responseJSON\n")
  const rows = actions.map(({ action, line, to, answer }) => {
    const call = `${action}(${to === null ? "…" : action === "responseJSON" ? to : JSON.stringify(to)})`
    return [`line ${line}`, call, ...(answer ? [answerText(answer, "the method")] : [])]
  })
  lines.push(table(rows, (cell, column) => (column === 2 ? style.dim(cell) : cell)))
  return lines.join("")
}

/** Which pattern decides. */
function reason(matchers: readonly ExplainedMatcher[], excludes: readonly ExplainedMatcher[]): string {
  const excluded = excludes.find(({ covers }) => covers)
  if (excluded) return `its exclude ${excluded.pattern} covers the path`
  const covering = matchers.find(({ covers }) => covers)
  if (covering) return `its matcher ${covering.pattern} covers the path`
  if (matchers.length === 0) return "it has no matchers"
  return `none of its matchers covers the path (${matchers.map(({ pattern }) => pattern).join(", ")})`
}
