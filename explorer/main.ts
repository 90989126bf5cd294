/** The page of `fw openapi serve`: reads the document, shows one operation at a time, and follows changes. */
import { type Api, type Operation, readDocument } from "./document.ts"
import { getElement, h, renderProse } from "./dom.ts"
import { groupByTag, showNav, toHash } from "./nav.ts"
import { breakAtSlashes, createBadge, createOperationView } from "./operation.ts"

/** State that the command reports in addition to the document. */
interface ExplorerState {
  /** Reason why requests cannot be sent, or null. */
  readonly refusal: string | null
  /** Current error of the project, or null. With an error, the last good document is shown. */
  readonly problem: string | null
  /** Revision of the document that is shown. */
  readonly revision: string
}

let api: Api | undefined
let state: ExplorerState = { refusal: null, problem: null, revision: "" }
const searchField = getElement("search") as HTMLInputElement
const menuButton = getElement("menu")

function findCurrentOperation(): Operation | undefined {
  return api?.operations.find((operation) => toHash(operation) === decodeHash(location.hash))
}

/** Decodes the hash of the URL. Browsers encode some of its characters and leave others as they are. */
function decodeHash(hash: string): string {
  try {
    return encodeURI(decodeURI(hash))
  } catch {
    return hash
  }
}

function showView(movesFocus: boolean): void {
  if (!api) return
  const operation = findCurrentOperation()
  showNav(api, searchField.value, operation)
  const view = operation ? createOperationView(api, operation, state.refusal) : createHomeView(api)
  getElement("view").replaceChildren(view)
  document.title = operation ? `${operation.method} ${operation.path} · ${api.title}` : api.title
  getElement("brand").replaceChildren(
    h("a", { href: "#/" }, api.title),
    h("span", { class: "quiet" }, ` ${api.version}`),
  )
  if (!movesFocus) return
  document.body.classList.remove("open")
  menuButton.setAttribute("aria-expanded", "false")
  scrollTo(0, 0)
  getElement("main").focus({ preventScroll: true })
}

function createHomeView(api: Api): HTMLElement {
  const { title, version, description, server, operations } = api
  return h(
    "article",
    { class: "home" },
    h("h1", {}, title),
    h("p", { class: "quiet" }, `Version ${version}, ${operations.length} operations`, server && ` at ${server}`),
    renderProse(description),
    operations.length === 0 && h("p", {}, "There are no operations yet."),
    h(
      "p",
      {},
      "The document: ",
      h("a", { href: "/openapi.json", download: "openapi.json" }, "JSON"),
      ", ",
      h("a", { href: "/openapi.yaml", download: "openapi.yaml" }, "YAML"),
    ),
    groupByTag(api, operations).map(({ name, description, operations }) =>
      h(
        "section",
        {},
        h("h2", {}, name || "Operations"),
        renderProse(description),
        h("ul", { class: "operations" }, operations.map(createHomeItem)),
      ),
    ),
  )
}

function createHomeItem(operation: Operation): HTMLElement {
  const { method, path, summary, deprecated } = operation
  return h(
    "li",
    {},
    h(
      "a",
      { href: toHash(operation), class: deprecated && "deprecated" },
      createBadge(method),
      h("code", {}, breakAtSlashes(path)),
      summary && h("span", {}, summary),
    ),
  )
}

function showNotice(text: string | null): void {
  const element = getElement("notice")
  element.hidden = text === null
  element.textContent = text ?? ""
}

async function loadDocument(focus: boolean): Promise<void> {
  try {
    const [document, loadedState] = await Promise.all([readJSON("/openapi.json"), readJSON("/docs/state")])
    state = loadedState as ExplorerState
    api = readDocument(document)
    showNotice(state.problem)
    showView(focus)
  } catch (error) {
    showNotice(`The document cannot be read: ${(error as Error).message}`)
  }
}

async function readJSON(path: string): Promise<unknown> {
  const response = await fetch(path)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message ?? `${response.status}`)
  return answer
}

function listenForChanges(): void {
  const source = new EventSource("/docs/events")
  // The server sends the current revision after every reconnection, so a change in the meantime is noticed.
  source.addEventListener("change", ({ data }) => {
    if (data !== state.revision) void loadDocument(false)
  })
}

addEventListener("hashchange", () => showView(true))
searchField.addEventListener("input", () => api && showNav(api, searchField.value, findCurrentOperation()))
menuButton.addEventListener("click", () => {
  const open = document.body.classList.toggle("open")
  menuButton.setAttribute("aria-expanded", String(open))
  if (open) searchField.focus()
})
addEventListener("keydown", (event) => {
  const typing = (event.target as HTMLElement).closest("input, textarea, select")
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    document.body.classList.add("open")
    searchField.focus()
  } else if (event.key === "Escape") document.body.classList.remove("open")
})
await loadDocument(false)
listenForChanges()
