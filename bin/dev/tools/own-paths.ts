/** Answers the paths below `/__fw/`, which the parent process of `fw dev` handles itself. */
import { timingSafeEqual } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import { setTimeout as delay } from "node:timers/promises"
import type { Io } from "../../cli/terminal.ts"
import type { OwnDevFile } from "../../project/dev-file.ts"
import { createServerEnv, type Project } from "../../project/project.ts"
import { explainUnanswered } from "../checks.ts"
import { clientScript } from "../page/client.ts"
import { reservedPaths } from "../page/inject.ts"
import { type OwnAnswer, toJSONAnswer, toParts } from "../page/problem-page.ts"
import { SentPages } from "../page/sent-pages.ts"
import type { Reporter } from "../problems/reporter.ts"
import { RefusalNotes } from "../problems/request-notes.ts"
import type { RequestHold } from "../request-hold.ts"
import { createInspector, type Inspector, type PageRequest } from "../requests/inspector.ts"
import type { KeptRequests } from "../requests/kept-requests.ts"
import { Mask } from "../requests/mask.ts"
import type { RequestDetail } from "../requests/view.ts"
import { sendAnswer } from "../send-answer.ts"
import { answerDocs, isDocsPath } from "./docs.ts"
import { openInEditor } from "./editor.ts"
import { type RunJobCommand, readDevJobs } from "./jobs.ts"
import { createSecretsRemover, mapTexts } from "./secrets.ts"
import { toStatus } from "./status.ts"

/** What the answers need. */
export interface OwnPathsOptions {
  readonly project: Project
  readonly io: Io
  readonly reporter: Reporter
  readonly hold: RequestHold
  /** The file `.fw/dev.json`, which contains the secret for the status. */
  readonly file: OwnDevFile
  /** Applies the pending migrations and builds again. */
  readonly migrate: () => Promise<void>
  readonly requests: KeptRequests
  readonly runJobCommand: RunJobCommand
  /** Writes a test for a request and returns its file. */
  readonly makeTest: (request: RequestDetail) => Promise<string>
}

const scriptAnswer = { status: 200, type: "text/javascript; charset=utf-8", body: clientScript }
const noPlaceMessage = "this is not a file of the project"
const noEditorMessage = "the editor could not be started"
/** The longest time that a request for the status waits for a new program, in milliseconds. */
const maxStatusWaitMs = 6000
/** The longest text of a position, in bytes. */
const maxPlaceBytes = 4096

/** Returns true for a path that never reaches the program. */
export function isReserved(url = ""): boolean {
  return /^\/__fw(?:[/?]|$)/.test(url)
}

/** Answers requests for the paths below `/__fw/`. Host and origin were checked before. */
export class OwnPaths {
  readonly #options: OwnPathsOptions
  readonly #notes: RefusalNotes
  readonly #inspector: Inspector
  /** The pages that were sent. */
  readonly pages = new SentPages()

  /** The actions of buttons, by the path to which they send a POST. */
  readonly #actions: Readonly<Record<string, (request: PageRequest) => Promise<OwnAnswer>>>

  constructor(options: OwnPathsOptions) {
    this.#options = options
    this.#inspector = createInspector(options)
    this.#notes = new RefusalNotes(options.project, options.reporter.events)
    this.#actions = {
      [reservedPaths.open]: ({ incoming }) => this.#openEditor(incoming),
      [reservedPaths.migrate]: () => this.#migrate(),
      ...this.#inspector.actions,
    }
  }

  async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(incoming.url ?? "", "http://localhost")
    outgoing.setHeader("cross-origin-resource-policy", "same-origin")
    if (path === reservedPaths.events && incoming.method === "GET") return this.#options.reporter.events.add(outgoing)
    sendAnswer(incoming, outgoing, await this.#find({ path, query, incoming }))
  }

  async #find(request: PageRequest): Promise<OwnAnswer> {
    const { path, query, incoming } = request
    const { method, url = "" } = incoming
    const action = this.#actions[path]
    if (action) return isClick(incoming) ? action(request) : toForbidden(`${path} ${clickRule}`)
    if (method !== "GET" && method !== "HEAD")
      return toJSONAnswer(405, { error: "method_not_allowed", message: `${path} answers GET` })
    if (path === reservedPaths.script) return scriptAnswer
    if (isDocsPath(url)) return answerDocs(this.#options.project.root, url)
    // Browsers would report a 404 in their console.
    if (path === reservedPaths.page) return toJSONAnswer(200, this.pages.find(url.slice(path.length + 1)) ?? null)
    if (path === reservedPaths.unanswered) return this.#explain(query)
    if (path === reservedPaths.status) return this.#answerStatus(incoming)
    // Mails contain links for signing in, and requests contain what clients sent.
    return isLocal(incoming) ? this.#inspector.answer(request) : toForbidden(`${path} is for this machine only`)
  }

  /** Returns the reason why no route answered a page, as parts; null if there is none. */
  async #explain(query: URLSearchParams): Promise<OwnAnswer> {
    const method = query.get("method") === "POST" ? "POST" : "GET"
    const { project } = this.#options
    const found = await explainUnanswered(project, method, query.get("path") ?? "").catch(() => null)
    return toJSONAnswer(200, found && toParts(found))
  }

  /** Called with each answer of the program. */
  noteAnswer(incoming: IncomingMessage, answer: IncomingMessage): void {
    this.#notes.noteAnswer(incoming, answer)
  }

  /**
   * Called when a page was sent.
   *
   * @param startedAt the time of its request, from `performance.now()`.
   */
  notePageSent(startedAt: number): void {
    this.#options.reporter.events.notePageSent(startedAt)
  }

  async #openEditor(incoming: IncomingMessage): Promise<OwnAnswer> {
    const { project, io } = this.#options
    const location = await readPlace(incoming)
    try {
      const isOpened = await openInEditor(project.root, location, io)
      return isOpened
        ? toJSONAnswer(200, { opened: location })
        : toJSONAnswer(404, { error: "not_found", message: noPlaceMessage })
    } catch {
      return toJSONAnswer(500, { error: "editor", message: noEditorMessage })
    }
  }

  async #migrate(): Promise<OwnAnswer> {
    await this.#options.migrate()
    return toJSONAnswer(200, {})
  }

  /** The stored requests. */
  get requests(): KeptRequests {
    return this.#options.requests
  }

  async #answerStatus(incoming: IncomingMessage): Promise<OwnAnswer> {
    const { project, io, reporter, hold, file } = this.#options
    if (!isLocal(incoming) || !hasToken(incoming, file.token))
      return toForbidden(`${reservedPaths.status} takes the token of .fw/dev.json, from this machine`)
    // Waits, so that the answer includes a save just before the request, unless its program does not start.
    await Promise.race([hold.ended, delay(maxStatusWaitMs, undefined, { ref: false })])
    const env = createServerEnv(project, io.env)
    const removeSecrets = createSecretsRemover(env)
    const mask = new Mask(env)
    const jobs = await readDevJobs(project.root, this.#options.runJobCommand, (text) => mask.text(text))
    // Secrets are not removed from the directory, because clients compare it.
    const { root } = project
    return toJSONAnswer(200, { ...mapTexts(toStatus(root, reporter, jobs), removeSecrets), root })
  }
}

const clickRule = "takes a POST of a page of this origin, from this machine"

/** Returns true for a request that a button of a page sent. */
function isClick(incoming: IncomingMessage): boolean {
  const { method, headers } = incoming
  // Browsers send an Origin with every POST (Fetch §3.1), other clients send none.
  return method === "POST" && headers.origin !== undefined && isLocal(incoming)
}

function toForbidden(message: string): OwnAnswer {
  return toJSONAnswer(403, { error: "forbidden", message })
}

/** Returns true for a request from this machine: over loopback, or between two equal addresses. */
function isLocal({ socket: { remoteAddress, localAddress } }: IncomingMessage): boolean {
  const isLoopback = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(remoteAddress ?? "")
  return isLoopback || (remoteAddress !== undefined && remoteAddress === localAddress)
}

function hasToken({ headers: { authorization = "" } }: IncomingMessage, token: string): boolean {
  const sentToken = Buffer.from(authorization)
  const expectedToken = Buffer.from(`Bearer ${token}`)
  return sentToken.length === expectedToken.length && timingSafeEqual(sentToken, expectedToken)
}

async function readPlace(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length
    if (size > maxPlaceBytes) return ""
    parts.push(part)
  }
  return Buffer.concat(parts).toString("utf8")
}
