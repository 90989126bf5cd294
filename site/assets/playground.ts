/** Runs the page of the playground: the editor, the preview, and the worker in which the user's program runs. */
import type { Example, FromWorker, PreviewContent, Problem, ProgramRequest, ToWorker } from "../playground/messages.ts"

function find<T extends Element>(selector: string): T {
  const element = document.querySelector<T>(selector)
  if (!element) throw new Error(`the page has no ${selector}`)
  return element
}

const select = find<HTMLSelectElement>("#example")
const about = find<HTMLElement>("#about")
const tabs = find<HTMLElement>("#tabs")
const editor = find<HTMLTextAreaElement>("#editor")
const address = find<HTMLInputElement>("#address")
const answerLine = find<HTMLElement>("#answer")
const preview = find<HTMLIFrameElement>("#preview")
const problemBox = find<HTMLElement>("#problem")
const log = find<HTMLElement>("#log")
const runButton = find<HTMLButtonElement>("#run")

const examples: readonly Example[] = JSON.parse(find("#examples").textContent ?? "[]")
let files: Record<string, string> = {}
let current = ""

// ---------------------------------------------------------------- the editor

function showExample(name: string): void {
  const example = examples.find((one) => one.name === name) ?? examples[0]
  if (!example) return
  files = { ...example.files }
  about.textContent = example.about
  address.value = example.path
  showFile(Object.keys(files)[0] ?? "")
}

function showFile(name: string): void {
  current = name
  editor.value = files[name] ?? ""
  editor.setAttribute("aria-label", name)
  tabs.replaceChildren(...Object.keys(files).map(createTab))
}

function createTab(name: string): HTMLButtonElement {
  const tab = document.createElement("button")
  tab.type = "button"
  tab.role = "tab"
  tab.textContent = name
  tab.ariaSelected = String(name === current)
  tab.tabIndex = name === current ? 0 : -1
  tab.setAttribute("aria-controls", "editor")
  tab.onclick = () => showFile(name)
  return tab
}

tabs.onkeydown = (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!step) return
  const names = Object.keys(files)
  showFile(names.at((names.indexOf(current) + step) % names.length) ?? current)
  find<HTMLButtonElement>("#tabs [aria-selected=true]").focus()
}
editor.oninput = () => {
  files[current] = editor.value
}
editor.onkeydown = (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void run()
}

// ---------------------------------------------------------------- the program

let worker: Worker | undefined
/** The id of the last message to the worker. Answers to earlier requests are not shown. */
let lastID = 0
const waiting = new Map<number, (message: FromWorker) => void>()

/**
 * Sends a message to the worker, and passes each message of the answer to a function. Resolves when the answer is
 * complete.
 */
function sendToWorker(message: ToWorker, onAnswer: (message: FromWorker) => void): Promise<readonly Problem[]> {
  worker ??= createWorker()
  const asked = worker
  return new Promise((resolve) => {
    waiting.set(message.id, (answer) => {
      if (answer.type !== "end") return onAnswer(answer)
      waiting.delete(message.id)
      resolve(answer.problems)
    })
    asked.postMessage(message)
  })
}

function createWorker(): Worker {
  const created = new Worker(runButton.dataset.worker ?? "", { type: "module" })
  created.onmessage = ({ data }: MessageEvent<FromWorker>) => {
    if (data.type === "line") showLine(data.text)
    else waiting.get(data.id)?.(data)
  }
  created.onerror = ({ message }) => showProblems([{ message }])
  return created
}

/** Builds the user's files and opens the address. */
async function run(): Promise<void> {
  // If the program does not answer, for example because of an endless loop, only ending the worker stops it.
  if (waiting.size > 0) {
    worker?.terminate()
    worker = undefined
    waiting.clear()
  }
  answerLine.textContent = worker ? "Building …" : "Loading the compiler …"
  const compiler = runButton.dataset.compiler ?? ""
  const problems = await sendToWorker({ type: "start", id: ++lastID, files, compiler }, () => {})
  if (problems.length === 0) return openAddress({ method: "GET", path: address.value })
  answerLine.textContent = "The program has not started."
  showProblems(problems)
}

/** Limits the redirects that are followed one after the other, as browsers do. */
const maxRedirects = 20

/** Sends a request to the program and shows the answer. */
async function openAddress(request: Omit<ProgramRequest, "id">, redirects = 0): Promise<void> {
  const id = ++lastID
  let status = 0
  let headers: Readonly<Record<string, string>> = {}
  let text = ""
  answerLine.textContent = `${request.method} ${request.path} …`
  const problems = await sendToWorker({ type: "fetch", id, ...request }, (message) => {
    if (message.type === "head") ({ status, headers } = message)
    if (message.type !== "text") return
    const isFirst = text === ""
    text += message.text
    if (id !== lastID || !isPage(headers)) return
    showProblems([])
    showContent({ html: message.text, isFirst, path: request.path })
  })
  if (id !== lastID) return
  const { location } = headers
  if (location !== undefined && redirects < maxRedirects) {
    const { pathname, search } = new URL(location, `http://localhost${request.path}`)
    return openAddress({ method: "GET", path: pathname + search }, redirects + 1)
  }
  address.value = request.path
  answerLine.textContent = `${request.method} ${request.path} → ${status} ${headers["content-type"] ?? ""}`
  showProblems(problems)
  if (!isPage(headers)) showContent({ text: formatText(text, headers) })
}

function isPage(headers: Readonly<Record<string, string>>): boolean {
  return (headers["content-type"] ?? "").startsWith("text/html")
}

function formatText(text: string, headers: Readonly<Record<string, string>>): string {
  try {
    return (headers["content-type"] ?? "").includes("json") ? JSON.stringify(JSON.parse(text), null, 2) : text
  } catch {
    return text
  }
}

// ---------------------------------------------------------------- the preview

/** Shows content in the preview. The frame has another origin than this page, so it can only be sent messages. */
function showContent(content: PreviewContent): void {
  preview.contentWindow?.postMessage(content, "*")
}

addEventListener("message", ({ source, data }: MessageEvent<Omit<ProgramRequest, "id">>) => {
  if (source === preview.contentWindow) void openAddress(data)
})

/** Adds a line to the output of the program. */
function showLine(text: string): void {
  log.hidden = false
  log.append(`${text}\n`)
  log.scrollTop = log.scrollHeight
}

/** Shows problems in place of the preview, with the same marks as `fw dev`. */
function showProblems(problems: readonly Problem[]): void {
  problemBox.hidden = problems.length === 0
  preview.hidden = problems.length > 0
  problemBox.replaceChildren(...problems.flatMap(toElements))
}

function toElements({ message, file, line, column, frame, fix }: Problem): Element[] {
  const place = [file, line, column].filter((part) => part !== undefined).join(":")
  const parts = [
    ["h2", message],
    ["code", place],
    ["pre", frame],
    ["p", fix],
  ] as const
  return parts.flatMap(([name, text]) => {
    if (!text) return []
    const element = document.createElement(name)
    if (name !== "pre") element.textContent = text
    else {
      element.tabIndex = 0
      element.append(...text.split("\n").flatMap(toLine))
    }
    return element
  })
}

/** Returns a line of code. The line with the mistake is marked. */
function toLine(line: string, index: number): (string | Element)[] {
  const newline = index > 0 ? "\n" : ""
  if (!line.startsWith("> ")) return [newline + line]
  const mark = document.createElement("mark")
  mark.textContent = line
  return [newline, mark]
}

select.onchange = () => {
  showExample(select.value)
  void run()
}
runButton.onclick = () => void run()
find<HTMLFormElement>("#go").onsubmit = (event) => {
  event.preventDefault()
  void (worker ? openAddress({ method: "GET", path: address.value }) : run())
}
showExample(select.value)
runButton.disabled = false
