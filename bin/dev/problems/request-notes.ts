/** Shows explanations of 4xx answers on the page itself, or on the page whose script sent the request. */
import type { IncomingMessage } from "node:http"
import type { Problem } from "../../project/problems.ts"
import type { Project } from "../../project/project.ts"
import { explainUnanswered } from "../checks.ts"
import { pageHeader } from "../page/inject.ts"
import type { PageEvents } from "../page/page-events.ts"
import { type ProblemPart, toParts } from "../page/problem-page.ts"
import { noteHeader } from "./request-errors.ts"

/** Returns the explanation that the server process has added to an answer. */
export function readNote({ headers }: IncomingMessage): Problem | null {
  try {
    return JSON.parse(decodeURIComponent(String(headers[noteHeader]))) as Problem
  } catch {
    return null
  }
}

/** Returns the note for a page that is itself a 4xx answer; null if the page explains enough. */
export function findPageNote(answer: IncomingMessage): readonly ProblemPart[] | null {
  const note = readNote(answer)
  // Only for answers that refuse what the client sent. After a 404 or 405, the script in the page requests the reason.
  const isRefusal = answer.statusCode === 400 || answer.statusCode === 413 || answer.statusCode === 415
  return note && isRefusal ? toParts(note) : null
}

/** Shows an open page why a request of its script was refused. */
export class RefusalNotes {
  readonly #project: Project
  readonly #events: PageEvents
  #lastNote: Promise<void> = Promise.resolve()

  constructor(project: Project, events: PageEvents) {
    this.#project = project
    this.#events = events
  }

  /** Handles an answer of the program. Notes are sent in the order of the answers, however long each takes. */
  noteAnswer(incoming: IncomingMessage, answer: IncomingMessage): void {
    this.#lastNote = this.#lastNote.then(() => this.#explain(incoming, answer))
  }

  async #explain(incoming: IncomingMessage, answer: IncomingMessage): Promise<void> {
    const { headers, method = "GET", url = "/" } = incoming
    const isHTMX = headers["hx-request"] !== undefined
    const isScript = isHTMX || (headers["sec-fetch-dest"] === "empty" && headers[pageHeader] === undefined)
    const { statusCode: status = 0 } = answer
    if (!isScript || headers["sec-purpose"] !== undefined || status < 400 || status >= 500) return
    const note = readNote(answer)
    const [path = "/"] = url.split("?")
    const isUnanswered = status === 404 || status === 405
    const unansweredProblem = isUnanswered
      ? await explainUnanswered(this.#project, method, path).catch(() => null)
      : null
    const request = `${method} ${path} was answered ${status}${isHTMX ? ", sent by htmx" : ", sent by a script"}`
    if (unansweredProblem) return this.#events.sendNote(findPage(headers), { ...unansweredProblem, request })
    // 404 and 405 may be what a script wants to know, for example whether something exists.
    if (note && (isHTMX || !isUnanswered)) this.#events.sendNote(findPage(headers), { ...note, request })
  }
}

/** Returns the path of the page that sent a request; empty if it is not known. */
function findPage(headers: IncomingMessage["headers"]): string {
  const page = String(headers["hx-current-url"] ?? headers.referer ?? "")
  return URL.canParse(page) ? new URL(page).pathname : ""
}
