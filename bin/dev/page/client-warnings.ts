/**
 * The part of the script in pages that shows warnings: a small button that opens a list. A page with warnings
 * works, so nothing covers it until the developer opens the list.
 */

/** The style of the warnings. The colours are those of problems. */
const style = `
:host { position: fixed; z-index: 2147483647; left: max(.75rem, env(safe-area-inset-left)); bottom: max(.75rem, env(safe-area-inset-bottom));
  right: .75rem; pointer-events: none; }
@media print { :host { display: none; } }
section { display: flex; flex-direction: column; align-items: start; gap: .5rem; }
[data-warnings] { max-width: 44rem; width: 100%; max-height: min(34rem, 65vh); margin: 0; padding: .25rem 1.25rem 1rem; overflow: auto;
  overscroll-behavior: contain; border-top-color: #e5a50a; box-shadow: 0 4px 24px rgba(0, 0, 0, .35); pointer-events: auto; }
[hidden] { display: none; }
[data-warnings] h1 { color: var(--text); } [data-warnings] h2 { font-size: 1rem; margin-top: .75rem; }
li + li { border-top: 1px solid var(--code); } ol { list-style: none; margin: 0; padding: 0; } pre { margin: .25rem 0; }
li p { margin: .25rem 0; }
.bar { display: flex; pointer-events: auto; border-radius: 1.25rem; overflow: hidden; background: #16181d;
  box-shadow: 0 1px 6px rgba(0, 0, 0, .4), 0 0 0 1px #f5c211; }
.bar button { font: 600 14px/1.25 system-ui, sans-serif; min-height: 2.5rem; margin: 0; border: 0; padding: 0 .9rem; background: none;
  color: #f9e08b; cursor: pointer; } .bar button:hover { background: #33363f; }
.bar button:focus-visible { outline: 2px solid #f9e08b; outline-offset: -4px; border-radius: 1.25rem; }
[data-toggle]:not([hidden]) ~ button { border-left: 1px solid #4a4d57; font-weight: 400; }
.news { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`

/**
 * Statements that define `showWarnings`. They use `style`, `addPart` and `scrollToCarets` of the script around
 * them. After the page is loaded again, an open list is still open, and hidden warnings are still hidden.
 */
export const warningsScript = `
  let bar, shownText, isChanged
  const notes = []
  let latest = { warnings: [], isOld: false }

  /**
   * Shows a warning about this page or one of its requests.
   *
   * @param isOpen true to open the list, because nothing else on the page shows the problem.
   */
  function showNote(parts, isOpen = true) {
    const text = JSON.stringify(parts)
    const at = notes.findIndex((note) => JSON.stringify(note) === text)
    if (at >= 0) notes.splice(at, 1)
    notes.unshift(parts)
    notes.length = Math.min(notes.length, 8)
    showWarnings(latest)
    isOpen && bar && bar.open(true, false)
  }

  /**
   * Tells the developer that an old program made this result of a form, and offers to load its address with GET.
   */
  function showChange() {
    isChanged = true
    showWarnings(latest)
  }

  function useStoredState(newState) {
    // A sandboxed page has no storage.
    try {
      if (newState === undefined) return sessionStorage.getItem("fw.dev.warnings")
      sessionStorage.setItem("fw.dev.warnings", newState)
    } catch {}
  }

  function showWarnings(state) {
    latest = state
    const { isOld } = state
    const warnings = [...notes, ...state.warnings]
    const text = JSON.stringify(warnings)
    // A frame shows no warnings, because the page around it shows them.
    const isShown = warnings.length > 0 && useStoredState() !== text
    if (window !== top || !(isShown || isChanged)) {
      bar && bar.host.remove()
      bar = shownText = undefined
      return
    }
    bar ??= createWarningsBar()
    bar.again.hidden = !isChanged
    bar.toggle.hidden = bar.hide.hidden = !isShown
    if (!isShown) bar.box.hidden = true
    if (shownText !== text) fillWarnings(warnings)
    shownText = text
    const count = warnings.length === 1 ? "1 warning" : warnings.length + " warnings"
    const label = isOld ? count + ", checking again …" : count
    bar.toggle.textContent = label
    const parts = ["fw dev", ...(isShown ? [label] : []), ...(isChanged ? [bar.again.textContent] : [])]
    const spoken = parts.join(": ")
    if (bar.news.textContent !== spoken) bar.news.textContent = spoken
  }

  function createWarningsBar() {
    const host = document.createElement("fw-warnings")
    const root = host.attachShadow({ mode: "open" })
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(style + ${JSON.stringify(style)})
    root.adoptedStyleSheets = [sheet]
    const add = (parent, name, attributes = {}) => {
      const element = parent.appendChild(document.createElement(name))
      for (const key in attributes) element.setAttribute(key, attributes[key])
      return element
    }
    const area = add(root, "section", { "aria-label": "fw dev" })
    const box = add(area, "div", { "data-warnings": "", id: "list", tabindex: "-1", role: "group", "aria-label": "Warnings" })
    const line = add(area, "div", { class: "bar" })
    const toggle = add(line, "button", { type: "button", "data-toggle": "", "aria-controls": "list" })
    const hide = add(line, "button", { type: "button", "data-hide": "", title: "Hide these warnings. New ones are shown." })
    hide.textContent = "Hide"
    const again = add(line, "button", { type: "button", "data-again": "", title: "This loads the address of this page, and sends no form." })
    again.textContent = "The program changed. Load the page again"
    // Assigning the address with its fragment would not load the page again.
    again.onclick = () => location.assign(location.pathname + location.search)
    const news = add(area, "p", { class: "news", role: "status" })
    const open = (isOpen, isStored = true) => {
      box.hidden = !isOpen
      toggle.setAttribute("aria-expanded", String(isOpen))
      if (isStored) useStoredState(isOpen ? "open" : "")
      scrollToCarets(box)
    }
    open(useStoredState() === "open")
    toggle.onclick = () => {
      open(box.hidden)
      if (!box.hidden) box.focus()
    }
    hide.onclick = () => {
      useStoredState(shownText)
      showWarnings(latest)
    }
    area.onkeydown = (event) => {
      if (event.key !== "Escape" || box.hidden) return
      open(false)
      toggle.focus()
    }
    document.documentElement.append(host)
    return { host, box, toggle, hide, again, news, open }
  }

  function fillWarnings(warnings) {
    const list = document.createElement("ol")
    for (const parts of warnings) {
      const item = list.appendChild(document.createElement("li"))
      for (const [name, text] of parts) addPart(item, name, text)
    }
    const title = document.createElement("h1")
    title.textContent = "fw dev"
    const foot = document.createElement("footer")
    foot.textContent = "The program runs. A warning disappears when it is fixed. Click a place to open it in your editor."
    bar.box.replaceChildren(title, list, foot)
    scrollToCarets(bar.box)
  }
`
