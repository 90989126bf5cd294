/** The paths below `/__fw/` that the parent of `fw dev` answers itself, and their answers. */
import { timingSafeEqual } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Io } from "../cli/terminal.ts"
import type { OwnDevFile } from "../project/dev-file.ts"
import { type Project, serverEnv } from "../project/project.ts"
import { answer } from "./answer.ts"
import { explainUnanswered } from "./checks.ts"
import { clientScript } from "./client.ts"
import { docsAnswer, isDocsPath } from "./docs.ts"
import { openInEditor } from "./editor.ts"
import { reserved } from "./inject.ts"
import { mailboxPage } from "./mailbox.ts"
import { json, type OwnAnswer, partsOf } from "./page.ts"
import type { Reporter } from "./reporter.ts"
import type { RequestHold } from "./request-hold.ts"
import { RequestNotes } from "./request-notes.ts"
import { mapTexts, secretsRemover } from "./secrets.ts"
import { SentPages } from "./sent-pages.ts"
import { statusOf } from "./status.ts"

/** The parts of a run that the answers need. */
export interface OwnPathsOptions {
  readonly project: Project
  readonly io: Io
  readonly reporter: Reporter
  readonly hold: RequestHold
  /** `.fw/dev.json`, which has the secret for the status. */
  readonly file: OwnDevFile
}

const scriptAnswer = { status: 200, type: "text/javascript; charset=utf-8", body: clientScript }
const noPlace = "this is not a file of the project"
const noEditor = "the editor could not be started"
/** Longest text of a place, in bytes. */
const longestPlace = 4096

/** Returns true for a path that the program never sees. */
export function isReserved(url: string | undefined): boolean {
  return (
    Object.values(reserved).some((path) => path === url) ||
    isDocsPath(url) ||
    isExplained(url) ||
    isSentPage(url)
  )
}

/** Returns true for the HTML of a page that was sent. */
function isSentPage(url = ""): boolean {
  return url.startsWith(reserved.page)
}

/** Returns true for the question why no route answered a page. */
function isExplained(url = ""): boolean {
  return url.startsWith(reserved.unanswered)
}

/** Answers requests for these paths. Their host and their origin are checked before. */
export class OwnPaths {
  readonly #options: OwnPathsOptions
  readonly #notes: RequestNotes
  /** The pages that were sent. */
  readonly pages = new SentPages()

  constructor(options: OwnPathsOptions) {
    this.#options = options
    this.#notes = new RequestNotes(options.project, options.reporter.events)
  }

  /** Answers a request. */
  async answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method, url } = incoming
    outgoing.setHeader("cross-origin-resource-policy", "same-origin")
    if (url === reserved.open) return answer(incoming, outgoing, await this.#open(incoming))
    if (method !== "GET" && method !== "HEAD")
      return answer(
        incoming,
        outgoing,
        json(405, { error: "method_not_allowed", message: `${url} answers GET` }),
      )
    if (isDocsPath(url))
      return answer(incoming, outgoing, await docsAnswer(this.#options.project.root, url ?? ""))
    if (url === reserved.status) return answer(incoming, outgoing, await this.#status(incoming))
    if (url === reserved.mail) return answer(incoming, outgoing, await this.#mail(incoming))
    if (isSentPage(url)) return answer(incoming, outgoing, this.#page(url ?? ""))
    if (url === reserved.events && method === "GET") return this.#options.reporter.events.add(outgoing)
    if (isExplained(url)) return answer(incoming, outgoing, await this.#explain(url ?? ""))
    answer(incoming, outgoing, scriptAnswer)
  }

  /** Returns the parts of the reason why no route answered a page; null if there is none. */
  async #explain(url: string): Promise<OwnAnswer> {
    const asked = new URLSearchParams(url.slice(url.indexOf("?")))
    const method = asked.get("method") === "POST" ? "POST" : "GET"
    const { project } = this.#options
    const found = await explainUnanswered(project, method, asked.get("path") ?? "").catch(() => null)
    return json(200, found && partsOf(found))
  }

  /** Notes an answer of the program. */
  answered(incoming: IncomingMessage, answer: IncomingMessage): void {
    void this.#notes.answered(incoming, answer)
  }

  /** Notes that a page was sent, whose request came at a time of `performance.now()`. */
  sent(began: number): void {
    this.#options.reporter.events.sent(began)
  }

  async #open(incoming: IncomingMessage): Promise<OwnAnswer> {
    const { method, headers } = incoming
    // Clients that are not browsers send no Origin, and browsers send one with every POST (Fetch §3.1).
    if (method !== "POST" || headers.origin === undefined || !isLocal(incoming))
      return forbidden(`${reserved.open} takes a POST of a page of this origin, from this machine`)
    const { project, io } = this.#options
    const place = await readPlace(incoming)
    try {
      const isOpened = await openInEditor(project.root, place, io)
      return isOpened ? json(200, { opened: place }) : json(404, { error: "not_found", message: noPlace })
    } catch {
      return json(500, { error: "editor", message: noEditor })
    }
  }

  #page(url: string): OwnAnswer {
    // Not a 404, which browsers report in their console.
    return json(200, this.pages.find(url.slice(reserved.page.length)) ?? null)
  }

  /** Mails have links that sign in or reset passwords, so only this machine sees them. */
  async #mail(incoming: IncomingMessage): Promise<OwnAnswer> {
    if (!isLocal(incoming)) return forbidden(`${reserved.mail} is for this machine only`)
    return mailboxPage(this.#options.project.root)
  }

  async #status(incoming: IncomingMessage): Promise<OwnAnswer> {
    const { project, io, reporter, hold, file } = this.#options
    if (!isLocal(incoming) || !hasToken(incoming, file.token))
      return forbidden(`${reserved.status} takes the token of .fw/dev.json, from this machine`)
    // A save just before counts.
    await hold.explained
    const clean = secretsRemover(serverEnv(project, io.env))
    // Clients compare the directory, so it stays as it is.
    const { root } = project
    return json(200, { ...mapTexts(statusOf(root, reporter), clean), root })
  }
}

function forbidden(message: string): OwnAnswer {
  return json(403, { error: "forbidden", message })
}

/** Returns true for a request from this machine: from loopback, or to and from the same address. */
function isLocal({ socket: { remoteAddress, localAddress } }: IncomingMessage): boolean {
  const isLoopback = /^(?:::1|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(remoteAddress ?? "")
  return isLoopback || (remoteAddress !== undefined && remoteAddress === localAddress)
}

function hasToken({ headers: { authorization = "" } }: IncomingMessage, token: string): boolean {
  const given = Buffer.from(authorization)
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

async function readPlace(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    size += part.length
    if (size > longestPlace) return ""
    parts.push(part)
  }
  return Buffer.concat(parts).toString("utf8")
}
