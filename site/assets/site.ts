/** Adds the choice of colours and the search to a page. Without scripts, the page has everything else. */
import type MiniSearch from "minisearch"

function find<T extends Element>(selector: string): T {
  const element = document.querySelector<T>(selector)
  if (!element) throw new Error(`the page has no ${selector}`)
  return element
}

// ---------------------------------------------------------------- light and dark

const themeButton = find<HTMLButtonElement>("#theme-button")
themeButton.hidden = false
themeButton.onclick = () => {
  const { dataset } = document.documentElement
  const isDark = dataset.theme ? dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches
  dataset.theme = isDark ? "light" : "dark"
  localStorage.setItem("theme", dataset.theme)
}

// ---------------------------------------------------------------- the search

/** Most results to show. */
const maxResults = 20

const searchButton = find<HTMLButtonElement>("#search-button")
const dialog = find<HTMLDialogElement>("#search")
const input = find<HTMLInputElement>("#search input")
const results = find<HTMLUListElement>("#search ul")
const count = find<HTMLElement>("#search [role=status]")

let index: Promise<MiniSearch> | undefined

/** Loads the index when the first search begins, because most readers do not search. */
async function loadIndex(): Promise<MiniSearch> {
  const [{ default: MiniSearch }, { searchOptions }, response] = await Promise.all([
    import("minisearch"),
    import("../lib/search-options.ts"),
    fetch("/search.json"),
  ])
  return MiniSearch.loadJSON(await response.text(), searchOptions)
}

async function search(): Promise<void> {
  index ??= loadIndex()
  const words = input.value
  const found = (await index).search(words)
  // The user went on typing while the index was loading.
  if (words !== input.value) return
  results.replaceChildren(
    ...found.slice(0, maxResults).map(({ id, title, heading }) => createResult(id, title, heading)),
  )
  count.textContent = words === "" ? "" : found.length === 0 ? "Nothing was found." : `${found.length} results`
}

function createResult(href: string, title: string, heading: string): HTMLLIElement {
  const item = document.createElement("li")
  const link = item.appendChild(document.createElement("a"))
  link.href = href
  link.append(heading || title)
  if (heading) link.appendChild(document.createElement("small")).append(title)
  // A link to another part of the same page does not load anything, so the dialog must be closed here.
  link.onclick = () => dialog.close()
  return item
}

function openSearch(): void {
  dialog.showModal()
  input.select()
  void search()
}

searchButton.hidden = false
searchButton.onclick = openSearch
input.oninput = () => void search()
input.onkeydown = (event) => {
  if (event.key === "Enter") results.querySelector("a")?.click()
}
// The arrow keys move through the results. From the first result, the up key moves back to the field.
dialog.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  if (!step) return
  event.preventDefault()
  const stops = [input, ...results.querySelectorAll("a")]
  stops[Math.max(0, stops.indexOf(document.activeElement as HTMLInputElement) + step)]?.focus()
})
dialog.onclick = (event) => {
  if (event.target === dialog) dialog.close()
}
addEventListener("keydown", (event) => {
  const isTyping = (event.target as Element).matches("input, textarea, select")
  const isShortcut = (event.key === "/" && !isTyping) || (event.key === "k" && (event.ctrlKey || event.metaKey))
  if (!isShortcut || dialog.open) return
  event.preventDefault()
  openSearch()
})
