/**
 * The part of the script in pages that warns of content that the page's Content-Security-Policy blocks. Browsers
 * show this only in their console.
 */

import { blockedFixes } from "../../inspect/checks/blocked-scripts.ts"

/** The fix for each type of content. */
const fixes = {
  ...blockedFixes,
  style: "Put the style into a stylesheet, and give the element a class.",
  eval: "Code from text, as eval() and new Function() run it, is not allowed. Some expressions of htmx and Alpine need it, too.",
  host: "Copy the file to static/, or add the host to the policy in main.ts: secureHeaders({ contentSecurityPolicy: … }). docs/reference/middleware.md has its default.",
}

/** Statements that report each blocked resource once. They use `showNote` of the script around them. */
export const blockedScript = `
  const blockedParts = new Set()
  const fixes = ${JSON.stringify(fixes)}

  /** Handles the report or event of a violation (CSP Level 3 §5). */
  function showBlocked({ effectiveDirective, blockedURL, blockedURI = blockedURL, sourceFile, disposition, sample }, element) {
    // Browser extensions add scripts and styles of their own.
    if (disposition === "report" || /^(?!https?:)[\\w-]+:/.test(sourceFile || "")) return
    const [directive] = effectiveDirective.split(" ")
    const isInline = blockedURI === "inline"
    const isStyle = directive.startsWith("style-src")
    const kind = blockedURI === "eval" || blockedURI === "wasm-eval" ? "eval" : !isInline ? "host" : isStyle ? "style" : directive === "script-src-attr" ? "handler" : "script"
    const subject = { eval: "code that a script made of text", script: "an inline <script>", handler: "the code in an attribute, such as onclick", style: "an inline style", host: blockedURI.split(/[?#]/)[0] }[kind]
    // The same resource may cause both an event and a report.
    if (blockedParts.has(kind + subject)) return
    blockedParts.add(kind + subject)
    const excerpt = element instanceof Element && element.isConnected ? element.cloneNode(false).outerHTML.replace(/<\\/[^<>]*>$/, "").slice(0, 200) : sample
    const parts = [["h2", "the browser blocked " + subject + ": the page's Content-Security-Policy (" + directive + ") does not allow it"]]
    if (excerpt) parts.push(["pre", excerpt])
    parts.push(["p", fixes[kind]])
    showNote(parts, false)
  }

  // For content that was blocked while the page was parsed, there is only a report.
  if (window.ReportingObserver)
    new ReportingObserver((reports) => reports.forEach(({ body }) => showBlocked(body)), { types: ["csp-violation"], buffered: true }).observe()
  document.addEventListener("securitypolicyviolation", (event) => showBlocked(event, event.composedPath()[0]))
`
