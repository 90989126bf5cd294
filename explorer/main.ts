/** The page of `fw openapi serve`: reads the document, shows one operation at a time, and follows changes. */
import { type Api, type Operation, readDocument } from "./document.ts"
import { byId, h, prose } from "./dom.ts"
import { groupsOf, hashOf, showNav } from "./nav.ts"
import { badge, breakable, operationView } from "./operation.ts"

/** State that the command reports in addition to the document. */
interface State {
  /** Reason why requests cannot be sent, or null. */
  readonly refusal: string | null
  /** Current error of the project, or null. With an error, the last good document is shown. */
  readonly problem: string | null
  /** Revision of the document that is shown. */
  readonly revision: string
}

let api: Api | undefined
let state: State = { refusal: null, problem: null, revision: "" }
const search = byId("search") as HTMLInputElement
const menu = byId("menu")

function current(): Operation | undefined {
  return api?.operations.find((operation) => hashOf(operation) === decodeHash(location.hash))
}

/** Decodes the hash, because browsers encode some of its characters and leave others. */
function decodeHash(hash: string): string {
  try {
    return encodeURI(decodeURI(hash))
  } catch {
    return hash
  }
}

function show(focus: boolean): void {
  if (!api) return
  const operation = current()
  showNav(api, search.value, operation)
  const view = operation ? operationView(api, operation, state.refusal) : home(api)
  byId("view").replaceChildren(view)
  document.title = operation ? `${operation.method} ${operation.path} · ${api.title}` : api.title
  byId("brand").replaceChildren(
    h("a", { href: "#/" }, api.title),
    h("span", { class: "quiet" }, ` ${api.version}`),
  )
  if (!focus) return
  document.body.classList.remove("open")
  menu.setAttribute("aria-expanded", "false")
  scrollTo(0, 0)
  byId("main").focus({ preventScroll: true })
}

function home(api: Api): HTMLElement {
  const { title, version, description, server, operations } = api
  return h(
    "article",
    { class: "home" },
    h("h1", {}, title),
    h(
      "p",
      { class: "quiet" },
      `Version ${version}, ${operations.length} operations`,
      server && ` at ${server}`,
    ),
    prose(description),
    operations.length === 0 && h("p", {}, "There are no operations yet."),
    h(
      "p",
      {},
      "The document: ",
      h("a", { href: "/openapi.json", download: "openapi.json" }, "JSON"),
      ", ",
      h("a", { href: "/openapi.yaml", download: "openapi.yaml" }, "YAML"),
    ),
    groupsOf(api, operations).map(({ name, description, operations }) =>
      h(
        "section",
        {},
        h("h2", {}, name || "Operations"),
        prose(description),
        h("ul", { class: "operations" }, operations.map(homeItem)),
      ),
    ),
  )
}

function homeItem(operation: Operation): HTMLElement {
  const { method, path, summary, deprecated } = operation
  return h(
    "li",
    {},
    h(
      "a",
      { href: hashOf(operation), class: deprecated && "deprecated" },
      badge(method),
      h("code", {}, breakable(path)),
      summary && h("span", {}, summary),
    ),
  )
}

function notice(text: string | null): void {
  const element = byId("notice")
  element.hidden = text === null
  element.textContent = text ?? ""
}

async function load(focus: boolean): Promise<void> {
  try {
    const [document, said] = await Promise.all([read("/openapi.json"), read("/docs/state")])
    state = said as State
    api = readDocument(document)
    notice(state.problem)
    show(focus)
  } catch (error) {
    notice(`The document cannot be read: ${(error as Error).message}`)
  }
}

async function read(path: string): Promise<unknown> {
  const response = await fetch(path)
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message ?? `${response.status}`)
  return answer
}

function listen(): void {
  const source = new EventSource("/docs/events")
  // The server sends the current revision on every connection, so changes during an interruption are noticed.
  source.addEventListener("change", ({ data }) => {
    if (data !== state.revision) void load(false)
  })
}

addEventListener("hashchange", () => show(true))
search.addEventListener("input", () => api && showNav(api, search.value, current()))
menu.addEventListener("click", () => {
  const open = document.body.classList.toggle("open")
  menu.setAttribute("aria-expanded", String(open))
  if (open) search.focus()
})
addEventListener("keydown", (event) => {
  const typing = (event.target as HTMLElement).closest("input, textarea, select")
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    document.body.classList.add("open")
    search.focus()
  } else if (event.key === "Escape") document.body.classList.remove("open")
})
await load(false)
listen()
