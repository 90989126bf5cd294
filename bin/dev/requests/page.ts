/**
 * Renders the request page at `/__fw/`, which shows the developer what the program did. It belongs to the command,
 * so it is in no build.
 */
import type { Problem } from "../../project/problems.ts"
import { escapeText } from "../../system/html.ts"
import { type OwnText, toParts } from "../page/problem-page.ts"
import type { DevJob, DevJobs } from "../tools/jobs.ts"
import { type KeptMail, mailDirectory, toArticle } from "../tools/mails.ts"
import { inspectorPaths, pageStyle } from "./page-files.ts"
import { describePart, formatMessage, formatTime, listFacts, type RequestDetail, type RequestEntry } from "./view.ts"

/** What the page shows. */
export interface RequestsView {
  readonly entries: readonly RequestEntry[]
  /** True if requests for static files are listed. */
  readonly hasFiles: boolean
  /** The open request, if any. */
  readonly detail?: RequestDetail | undefined
  /** How the router handles the open request, and the mails that were written while it was running. */
  readonly routing?: string | undefined
  readonly mails: readonly KeptMail[]
  /** The result of the last button. */
  readonly notice: string
  /** Problems of the build. */
  readonly problems: readonly Problem[]
}

const headers = {
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'self'; connect-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  "referrer-policy": "same-origin",
}

/** The pages below `/__fw/`, each with its path and title. */
const views = [
  [inspectorPaths.page, "Requests"],
  [inspectorPaths.jobs, "Jobs"],
  [inspectorPaths.mail, "Mails"],
  [inspectorPaths.docs, "Documentation"],
] as const

function renderPage(path: string, title: string, main: string): OwnText {
  const links = views.map(([to, name]) => `<a href="${to}"${to === path ? ' aria-current="page"' : ""}>${name}</a>`)
  const body = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${escapeText(title)}: fw dev</title>
<style>${pageStyle}</style>
<script src="${inspectorPaths.script}" defer></script>
</head>
<body>
<header><strong>fw dev</strong><nav aria-label="fw dev">${links.join("\n")}</nav></header>
<main>
${main}
</main>
</body>
</html>
`
  return { status: 200, type: "text/html; charset=utf-8", body, headers }
}

/** Returns the page with the jobs. */
export function renderJobs(jobs: DevJobs | null, notice: string): OwnText {
  const names = jobs?.names.map(
    ({ name, waiting, running, failed, isPaused }) =>
      `<tr><td>${escapeText(name)}${isPaused ? " (paused)" : ""}</td><td>${waiting}</td><td>${running}</td><td>${failed}</td></tr>`,
  )
  const heads = ["Name", "Waiting", "Running", "Failed"].map((name) => `<th scope="col">${name}</th>`).join("")
  const body = jobs
    ? `<table><thead><tr>${heads}</tr></thead><tbody>${names?.join("\n")}</tbody></table>
${jobs.jobs.map(renderJob).join("\n") || "<p>No job waits, runs or has failed.</p>"}`
    : "<p>The program has no jobs, or is too busy to tell.</p>"
  return renderPage(
    inspectorPaths.jobs,
    "Jobs",
    `<div class="one"><h1>Jobs</h1>\n${renderNotice(notice)}\n<div id="jobs">${body}</div></div>`,
  )
}

function renderJob({ id, name, state, attempt, payload, due, progress, problem }: DevJob): string {
  const facts = [
    state === "waiting" ? `waiting for ${new Date(due).toISOString()}` : state,
    `attempt ${attempt}`,
    ...(progress === undefined ? [] : [`${Math.round(progress * 100)} %`]),
  ]
  const retry = `<form method="post" action="${inspectorPaths.jobs}/retry?id=${encodeURIComponent(id)}"><button>Retry</button></form>`
  return `<article><h2>${escapeText(`${name} #${id}`)}</h2><p>${facts.join(", ")}</p>${renderText(payload)}
${problem ? renderProblem(problem) : ""}${state === "failed" ? retry : ""}</article>`
}

function renderNotice(notice: string): string {
  return notice ? `<p role="status" class="notice">${escapeText(notice)}</p>` : ""
}

/** Returns the page with the mails, the newest first. */
export function renderMails(mails: readonly KeptMail[]): OwnText {
  const empty = "<p>There are no mails yet.</p>"
  const main = `<div class="one mails" id="mails"><h1>Mails</h1>
<p>The program did not send these. They are in <code>${mailDirectory}</code>.</p>
${mails.map((mail, i) => toArticle(mail, i === 0)).join("\n") || empty}</div>`
  return renderPage(inspectorPaths.mail, "Mails", main)
}

/** Returns the page with the list of requests, and with the open request. */
export function renderRequests(view: RequestsView): OwnText {
  const { entries, hasFiles, detail, problems } = view
  const items = entries.map((entry) => renderEntry(entry, view))
  const [query, label] = hasFiles ? ["", "Without static files"] : ["?files=1", "With static files"]
  const buildProblems = problems.map(renderProblem).join("")
  const list = `<section id="list" aria-label="Requests"><a href="${inspectorPaths.page}${query}">${label}</a>
${items.length > 0 ? `<ol>${items.join("\n")}</ol>` : "<p>There are no requests yet. Open a page of the program.</p>"}</section>`
  return renderPage(
    inspectorPaths.page,
    detail ? `${detail.method} ${detail.url}` : "Requests",
    `${detail ? "" : "<h1>Requests</h1>"}${renderSection("The last change does not work", buildProblems)}<div class="both${detail ? " open" : ""}">${list}
${detail ? renderDetail(detail, view) : `<section id="detail"><p>Choose a request to see what the program did.</p></section>`}</div>`,
  )
}

function renderEntry(
  { id, method, url, status, ms, problems, time }: RequestEntry,
  { detail, hasFiles }: RequestsView,
): string {
  const current = detail?.id === id ? ' aria-current="true"' : ""
  const state = status === 0 ? "no answer yet" : `<span class="${status >= 400 ? "bad" : "good"}">${status}</span>`
  const mark = problems > 0 ? ` <span class="bad">${problems} problem${problems > 1 ? "s" : ""}</span>` : ""
  return `<li><a href="${inspectorPaths.page}?request=${id}${hasFiles ? "&#38;files=1" : ""}"${current}><b>${escapeText(method)}</b> <span class="url">${escapeText(url)}</span>
<small>${state} ${formatTime(ms)}, <time datetime="${time}">${time.slice(11, 19)}</time>${mark}</small></a></li>`
}

function renderDetail(detail: RequestDetail, { routing = "", mails, notice }: RequestsView): string {
  const { id, method, url, headers, body, answerHeaders, answerBody, errors, findings, curl } = detail
  const facts = listFacts(detail).map(([name, text]) => `<dt>${name}</dt><dd>${escapeText(text)}</dd>`)
  const action = (name: string, label: string) =>
    `<form method="post" action="${inspectorPaths.requests}/${name}?request=${id}"><button>${label}</button></form>`
  return `<section id="detail" aria-labelledby="title">
<p class="back"><a href="${inspectorPaths.page}">All requests</a></p>
<h1 id="title">${escapeText(method)} ${escapeText(url)}</h1>
${renderNotice(notice)}
<dl>${facts.join("\n")}</dl>
<div class="actions">${action("replay", "Replay")}${action("test", "Make a test")}<button type="button" data-copy="curl">Copy as curl</button></div>
${renderSection("Problems", [...errors, ...(findings ?? [])].map(renderProblem).join(""))}
${renderSection("What the program did", renderParts(detail))}
${renderSection("The request", renderText(formatMessage(headers, body)))}
${renderSection("The answer", renderText(formatMessage(answerHeaders, answerBody)))}
${renderSection("Mails", mails.map((mail) => toArticle(mail, false)).join(""))}
${renderSection("How the router decides", renderText(routing))}
${renderSection("As a command of curl", `<p>Secrets are masked. A replay sends them.</p>${renderText(curl, "curl")}`)}
</section>`
}

function renderSection(title: string, html: string): string {
  return html === "" ? "" : `<section><h2>${title}</h2>\n${html}</section>`
}

/** Returns text in a box. The box scrolls, so it must be reachable with the keyboard. */
function renderText(text: string, id = ""): string {
  return text && `<pre tabindex="0"${id && ` id="${id}"`}>${escapeText(text)}</pre>`
}

function renderProblem(problem: Problem): string {
  const html = toParts(problem).map(([name, text]) => {
    if (name === "pre") return renderText(text)
    if (name === "code")
      return `<p><button type="button" data-place="${escapeText(text)}">${escapeText(text)}</button></p>`
    return name === "button" ? "" : name === "h2" ? `<h3>${escapeText(text)}</h3>` : `<p>${escapeText(text)}</p>`
  })
  return `<article class="problem">${html.join("")}</article>`
}

/** Returns a table of the program's operations. A bar shows when each one ran. */
function renderParts({ parts, more, ms }: RequestDetail): string {
  if (parts.length === 0)
    return "<p>Nothing was reported. A static file, or a problem of the build, runs no code of the program.</p>"
  const total = Math.max(ms ?? 0, ...parts.map(({ end }) => end), 0.1)
  const toPercent = (part: number) => `${Math.min(100, (part / total) * 100).toFixed(1)}%`
  const rows = parts.map((part) => {
    const { kind, name, start, end, error, depth, count, ms: own } = part
    const bar = `<span class="bar" style="margin-left:${toPercent(start)};width:${toPercent(end - start)}"></span>`
    const times = count > 1 ? ` <b>${count} times</b>` : ""
    const time = kind === "log" ? `at ${formatTime(start)}` : formatTime(own) + bar
    return `<tr${error ? ' class="bad"' : ""}><td style="padding-left:${0.5 + Math.min(depth, 8)}rem"><small>${kind}</small> ${escapeText(name)}${times}${renderText(describePart(part))}</td><td>${time}</td></tr>`
  })
  const rest = more > 0 ? `<p>It did more: ${more} operations are not shown.</p>` : ""
  return `<table><thead><tr><th scope="col">What</th><th scope="col">Time</th></tr></thead><tbody>${rows.join("\n")}</tbody></table>${rest}`
}
