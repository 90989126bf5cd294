/** The script in pages under `fw dev`: it reloads them, replaces stylesheets and shows problems. */
import { reserved } from "./inject.ts"

/** The style of problems, in the overlay and on the error page. */
export const problemStyle = `
main { box-sizing: border-box; max-width: 60rem; margin: 2rem auto; padding: 1rem 2rem 2rem; background: #16181d;
  color: #e8e8e8; border-top: 4px solid #ff5f56; border-radius: 6px; font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1rem; color: #ff8f88; } h2 { font-size: 1.1rem; margin: 1.5rem 0 0; white-space: pre-wrap; }
code { color: #7cc7ff; } pre { overflow: auto; padding: .8rem; background: #0d0e11; border-radius: 4px;
  font: 13px/1.5 ui-monospace, monospace; } footer { color: #9a9a9a; margin-top: 1.5rem; }
button[data-place] { font: inherit; padding: .5rem 0; margin: 0; border: 0; background: none; color: inherit;
  text-align: left; cursor: pointer; overflow-wrap: anywhere; } button[data-place]:hover { text-decoration: underline; }
main:focus { outline: none; } pre:focus-visible, button:focus-visible { outline: 2px solid #7cc7ff; }
@media (max-width: 40rem) { main { margin: 1rem; padding: .5rem 1rem 1rem; } }
`

/**
 * The script. The first event has the version of the program; another version means that the page is old.
 * With a constant tag, browsers can use their cache.
 */
export const clientScript = `(() => {
  // A name that no element's id can put on window.
  const mark = Symbol.for("fw.dev")
  if (window[mark]) return
  window[mark] = true
  const style = ${JSON.stringify(problemStyle)}
  let known, source, host, focused

  function reload() {
    source && source.close()
    location.reload()
  }

  function overlay(problems) {
    if (host) {
      host.remove()
      // Typing continues where it was.
      if (focused && focused.isConnected) focused.focus()
    } else focused = document.activeElement
    host = undefined
    if (problems.length === 0 || document.documentElement.dataset.fw === "problem") return
    host = document.createElement("fw-problem")
    host.style.cssText = "position:fixed;inset:0;z-index:2147483647;overflow:auto;background:rgba(0,0,0,.6)"
    const root = host.attachShadow({ mode: "open" })
    // A sheet made by script needs no 'unsafe-inline' in the page's policy.
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style)
    root.adoptedStyleSheets = [sheet]
    const main = document.createElement("main")
    main.setAttribute("role", "alertdialog")
    main.setAttribute("aria-label", "fw dev: problems")
    main.tabIndex = -1
    const add = (name, text) => {
      const part = document.createElement(name)
      part.append(text)
      // A box that scrolls must be reachable with the keyboard.
      if (name === "pre") part.tabIndex = 0
      if (name !== "code") return main.append(part)
      const button = main.appendChild(document.createElement("button"))
      button.type = "button"
      button.dataset.place = ""
      button.append(part)
      button.onclick = openPlace
    }
    add("h1", "fw dev")
    for (const parts of problems) for (const [name, text] of parts) add(name, text)
    add("footer", "Fix it and save. This message then disappears. To hide it, press Escape or click outside of it. Click a place to open it in your editor.")
    root.append(main)
    host.addEventListener("click", (event) => event.composedPath()[0] === host && overlay([]))
    document.documentElement.append(host)
    main.focus()
  }

  function openPlace(event) {
    const body = event.currentTarget.textContent.trim()
    void fetch(${JSON.stringify(reserved.open)}, { method: "POST", body })
  }

  for (const button of document.querySelectorAll('[data-fw="problem"] button[data-place]')) button.onclick = openPlace

  addEventListener("keydown", (event) => event.key === "Escape" && overlay([]))

  /** Returns true if the program was replaced between this page's first byte and now. */
  function stale(age) {
    const [page] = performance.getEntriesByType("navigation")
    return page && age < performance.now() - page.responseStart
  }

  function swapStyles({ file, served }) {
    const links = [...document.querySelectorAll("link[rel~=stylesheet][href]")].filter(
      (link) => new URL(link.href).origin === location.origin,
    )
    const named = links.filter((link) => new URL(link.href).pathname.endsWith("/" + file))
    // A served file that no link names may be imported by another one.
    for (const link of named.length > 0 || !served ? named : links) {
      const next = link.cloneNode()
      const url = new URL(link.href)
      url.searchParams.set("fw", Date.now())
      next.href = url.href
      next.onload = next.onerror = () => link.remove()
      link.after(next)
    }
  }

  function listen() {
    source = new EventSource(${JSON.stringify(reserved.events)})
    source.addEventListener("state", (event) => {
      const { version, age, problems } = JSON.parse(event.data)
      if (known === undefined ? stale(age) : known !== version) return reload()
      known = version
      overlay(problems)
    })
    source.addEventListener("bug", (event) => overlay([JSON.parse(event.data)]))
    source.addEventListener("styles", (event) => swapStyles(JSON.parse(event.data)))
    source.addEventListener("reload", reload)
  }

  // Browsers allow six connections per origin: hidden tabs keep none.
  document.addEventListener("visibilitychange", () => {
    if (source) source.close()
    source = undefined
    if (!document.hidden) listen()
  })
  if (!document.hidden) listen()
})()
`
