/** The script in pages under `fw dev`: it updates pages, replaces stylesheets, and shows problems and warnings. */
import { blockedScript } from "./client-blocked.ts"
import { morphScript } from "./client-morph.ts"
import { updateScript } from "./client-update.ts"
import { warningsScript } from "./client-warnings.ts"
import { reservedPaths } from "./inject.ts"

/** The style of problems, in the overlay and on the error page. */
export const problemStyle = `
dialog { position: fixed; inset: 0; box-sizing: border-box; width: 100%; height: 100%; max-width: none; max-height: none;
  margin: 0; padding: 0; border: 0; overflow: auto; background: rgba(0, 0, 0, .6); } dialog::backdrop { background: none; }
[data-problem], [data-warnings] { --back: #fff; --text: #1c1e23; --dim: #5c6370; --title: #b42318; --link: #0b5cad; --code: #f2f3f6; --mark: #ffd9d6;
  color-scheme: light; box-sizing: border-box; max-width: 60rem; margin: 2rem auto; padding: 1rem 2rem 2rem;
  background: var(--back); color: var(--text); border-top: 4px solid #ff5f56; border-radius: 6px;
  font: 15px/1.5 system-ui, sans-serif; }
@media (prefers-color-scheme: dark) { [data-problem], [data-warnings] { --back: #16181d; --text: #e8e8e8; --dim: #9a9a9a; --title: #ff8f88;
  --link: #7cc7ff; --code: #0d0e11; --mark: #4a1d1d; color-scheme: dark; } }
h1 { font-size: 1rem; color: var(--title); } h2 { font-size: 1.1rem; margin: 1.5rem 0 0; white-space: pre-wrap;
  overflow-wrap: anywhere; } p { overflow-wrap: anywhere; } code { color: var(--link); }
pre { overflow: auto; padding: .8rem; background: var(--code); border-radius: 4px;
  font: 13px/1.5 ui-monospace, monospace; }
mark { display: inline-block; min-width: 100%; color: inherit; background: var(--mark); } footer { color: var(--dim); margin-top: 1.5rem; }
button[data-migrate] { font: inherit; padding: .4rem 1rem; cursor: pointer; }
button[data-place] { font: inherit; padding: .5rem 0; margin: 0; border: 0; background: none; color: inherit;
  text-align: left; cursor: pointer; overflow-wrap: anywhere; } button[data-place]:hover { text-decoration: underline; }
[data-problem]:focus, [data-warnings]:focus { outline: none; } pre:focus-visible, button:focus-visible { outline: 2px solid var(--link); }
@media (max-width: 40rem) { [data-problem] { margin: 1rem; padding: .5rem 1rem 1rem; } }
`

/**
 * The script. The first event that it receives contains the version of the program. If a later event contains
 * another version, the page is out of date. The tag of the script never changes, so browsers can cache pages.
 */
export const clientScript = `(() => {
  // A symbol, because the id of any element becomes a name on window.
  const scriptKey = Symbol.for("fw.dev")
  if (window[scriptKey]) return
  window[scriptKey] = true
  const style = ${JSON.stringify(problemStyle)}
  let knownVersion, source, host, focused
  const { unanswered, note, method = "GET", page: pageKey } = document.currentScript?.dataset ?? {}
  const isUnanswered = unanswered !== undefined

  function reload() {
    // Reloading the result of a form would submit the form again.
    if (method === "POST") return showChange()
    leave()
    location.reload()
  }

  function showProblems(problems) {
    if (host) {
      host.remove()
      // Restores the focus, so that the user can go on typing.
      if (focused && focused.isConnected) focused.focus({ preventScroll: true })
    } else focused = document.activeElement
    host = undefined
    if (problems.length === 0 || document.documentElement.dataset.fw === "problem") return
    host = document.createElement("fw-problem")
    const root = host.attachShadow({ mode: "open" })
    // A stylesheet made by script is allowed without 'unsafe-inline' in the page's policy.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    root.adoptedStyleSheets = [sheet]
    // A modal dialog is above everything, also above other dialogs, and keeps the focus.
    const dialog = root.appendChild(document.createElement("dialog"))
    dialog.setAttribute("role", "alertdialog")
    dialog.setAttribute("aria-label", "fw dev: problems")
    const box = dialog.appendChild(document.createElement("div"))
    box.dataset.problem = ""
    box.tabIndex = -1
    addPart(box, "h1", "fw dev")
    for (const parts of problems) for (const [name, text] of parts) addPart(box, name, text)
    addPart(box, "footer", "Fix it and save. This message then disappears. To hide it, press Escape or click outside of it. Click a place to open it in your editor.")
    dialog.onclick = (event) => event.target === dialog && showProblems([])
    dialog.onclose = () => showProblems([])
    document.documentElement.append(host)
    dialog.showModal()
    scrollToCarets(box)
    // Focuses the box and not its first button, because a key pressed now was meant for the page.
    box.focus()
  }

  /** Adds an element for a part of a problem. A click on a position opens the editor. */
  function addPart(box, name, text) {
    const part = document.createElement(name)
    if (name === "pre") fillCode(part, text)
    else part.append(text)
    if (name === "button") {
      part.type = "button"
      part.onclick = migrate
    }
    if (name !== "code") return box.append(part)
    const button = box.appendChild(document.createElement("button"))
    button.type = "button"
    button.dataset.place = ""
    button.append(part)
    button.onclick = openPlace
  }
${warningsScript}
${blockedScript}
${morphScript}
${updateScript}
  /** Shows lines of code and marks the line with the problem. */
  function fillCode(pre, text) {
    // A box that scrolls must be reachable with the keyboard.
    pre.tabIndex = 0
    for (const [i, line] of text.split("\\n").entries()) {
      const part = line.startsWith("> ") ? document.createElement("mark") : ""
      if (part) part.append(line)
      const caret = /^ *\\| *\\^$/.test(line) ? document.createElement("b") : ""
      if (caret) caret.append("^")
      pre.append(i > 0 ? "\\n" : "", part || (caret ? line.slice(0, -1) : line), caret)
    }
  }

  /** Scrolls long lines of code to the column of the problem. */
  function scrollToCarets(root) {
    for (const caret of root.querySelectorAll("pre b")) {
      const box = caret.parentElement
      const from = caret.getBoundingClientRect().left - box.getBoundingClientRect().left + box.scrollLeft
      box.scrollLeft = Math.max(0, from - box.clientWidth * .75)
    }
  }

  function openPlace(event) {
    const body = event.currentTarget.textContent.trim()
    void fetch(${JSON.stringify(reservedPaths.open)}, { method: "POST", body })
  }

  /** Applies the pending migrations. Afterwards the program starts, and the page reloads. */
  function migrate(event) {
    event.currentTarget.disabled = true
    void fetch(${JSON.stringify(reservedPaths.migrate)}, { method: "POST" })
  }

  if (note) showNote(JSON.parse(decodeURIComponent(note)))
  if (document.documentElement.dataset.fw === "problem") scrollToCarets(document)
  for (const button of document.querySelectorAll('[data-fw="problem"] button[data-place]')) button.onclick = openPlace
  for (const button of document.querySelectorAll('[data-fw="problem"] button[data-migrate]')) button.onclick = migrate

  /** Returns true if the program was replaced after the page's first byte arrived. */
  function isStale(age) {
    const [page] = performance.getEntriesByType("navigation")
    return page && age < performance.now() - page.responseStart
  }

  function swapStyles({ file, served }) {
    const loading = new Set(swaps.values())
    const links = [...document.querySelectorAll("link[rel~=stylesheet][href]")].filter(
      (link) => new URL(link.href).origin === location.origin && !loading.has(link),
    )
    const linksToFile = links.filter((link) => new URL(link.href).pathname.endsWith("/" + file))
    // If no link names a stylesheet in the static directory, another stylesheet may import it.
    for (const link of linksToFile.length > 0 || !served ? linksToFile : links) {
      const next = link.cloneNode()
      const url = new URL(link.href)
      url.searchParams.set("fw", Date.now())
      next.href = url.href
      swapLink(link, next)
    }
  }

  const handlers = {
    state({ version, age, problems }) {
      const isOld = knownVersion === undefined ? isStale(age) : knownVersion !== version
      knownVersion = version
      if (isOld) update(problems)
      else showProblems(problems)
    },
    bug: (parts) => showProblems([parts]),
    warnings: showWarnings,
    note({ path, parts }) {
      // After a navigation, the warning is about another page.
      if (path === "" || path === location.pathname) showNote(parts)
    },
    styles: swapStyles,
    reload,
  }

  /**
   * The page and its frames of the same origin, stored in the outermost of them. Browsers allow six connections per
   * origin, so they share one event stream.
   */
  const pageGroup = (() => {
    let topWindow = window
    try {
      while (topWindow.parent !== topWindow && topWindow.parent.document) topWindow = topWindow.parent
    } catch {
      // The parent has another origin.
    }
    const key = Symbol.for("fw.dev.pages")
    return (topWindow[key] = topWindow[key] || { pages: new Set(), source: undefined, last: {} })
  })()
  const member = { handle: (name, data) => handlers[name](data), open }

  function open() {
    source = pageGroup.source = new EventSource(${JSON.stringify(reservedPaths.events)})
    for (const name of Object.keys(handlers))
      source.addEventListener(name, (event) => {
        const data = event.data ? JSON.parse(event.data) : null
        if (name === "state" || name === "warnings") pageGroup.last[name] = { data, at: Date.now() }
        for (const page of [...pageGroup.pages]) page.handle(name, data)
      })
  }

  function join() {
    pageGroup.pages.add(member)
    if (!pageGroup.source) return open()
    const { state, warnings } = pageGroup.last
    if (state) member.handle("state", { ...state.data, age: state.data.age + Date.now() - state.at })
    if (warnings) member.handle("warnings", warnings.data)
  }

  function leave() {
    pageGroup.pages.delete(member)
    if (!source) return
    source.close()
    source = pageGroup.source = undefined
    pageGroup.last = {}
    const [next] = pageGroup.pages
    if (next && !document.hidden) next.open()
  }

  // Hidden tabs keep no connection.
  addEventListener("pagehide", leave)
  document.addEventListener("visibilitychange", () => (document.hidden ? leave() : join()))
  if (!document.hidden) join()
  if (isUnanswered) {
    const url = ${JSON.stringify(`${reservedPaths.unanswered}?path=`)} + encodeURIComponent(location.pathname) + "&method=" + method
    void fetch(url).then((answer) => answer.json()).then((parts) => parts && showNote(parts))
  }
})()
`
