/** Answers the paths of the request page at `/__fw/`, and executes the actions of its buttons. */
import type { IncomingMessage } from "node:http"
import type { Io } from "../../cli/terminal.ts"
import { makeStyle } from "../../cli/terminal.ts"
import { explain } from "../../inspect/explain.ts"
import { formatExplanation } from "../../inspect/explain-text.ts"
import { addRegisteredRoutes } from "../../openapi/registered-routes.ts"
import { createServerEnv, type Project } from "../../project/project.ts"
import { readProjectTree } from "../../project/scan-project.ts"
import { type OwnAnswer, toJSONAnswer } from "../page/problem-page.ts"
import type { Reporter } from "../problems/reporter.ts"
import { type DevJobs, type RunJobCommand, readDevJobs } from "../tools/jobs.ts"
import { readMails, toAttachment, toFrame } from "../tools/mails.ts"
import type { KeptRequest, KeptRequests } from "./kept-requests.ts"
import { Mask } from "./mask.ts"
import { renderJobs, renderMails, renderRequests } from "./page.ts"
import { inspectorPaths, inspectorScript } from "./page-files.ts"
import { findReplayProblem, replay } from "./replay.ts"
import { type RequestDetail, toDetail, toEntry } from "./view.ts"

/** What the request page needs. */
export interface InspectorOptions {
  readonly project: Project
  readonly io: Io
  readonly reporter: Pick<Reporter, "problems" | "browserProblems">
  readonly requests: KeptRequests
  readonly runJobCommand: RunJobCommand
  /** Writes a test for a request and returns its file. */
  readonly makeTest: (request: RequestDetail) => Promise<string>
}

/** The width of a request's explanation, in characters. */
const explanationWidth = 76

/** Returns true for the paths of the request page. */
export function isInspectorPath(url = ""): boolean {
  const [path = ""] = url.split("?")
  const { docs: _docs, ...pages } = inspectorPaths
  return (
    path === "/__fw" ||
    Object.values(pages).some((one) => one === path) ||
    path.startsWith(`${inspectorPaths.mail}/`) ||
    isInspectorAction(path)
  )
}

/** Returns true for the paths to which the buttons of the request page send a POST. */
export function isInspectorAction(path: string): boolean {
  return path.startsWith(`${inspectorPaths.requests}/`) || path.startsWith(`${inspectorPaths.jobs}/`)
}

/** Answers requests for the page and its data. */
export class Inspector {
  readonly #options: InspectorOptions
  readonly #explanations = new WeakMap<KeptRequest, Promise<string | undefined>>()

  constructor(options: InspectorOptions) {
    this.#options = options
  }

  /** Answers a GET. The caller has checked that the client may see requests. */
  async answer({ url = "", headers }: IncomingMessage): Promise<OwnAnswer> {
    const { pathname, searchParams: query } = new URL(url, "http://localhost")
    if (pathname === "/__fw") return redirect(inspectorPaths.page)
    if (pathname === inspectorPaths.script)
      return { status: 200, type: "text/javascript; charset=utf-8", body: inspectorScript }
    const { project, requests, reporter } = this.#options
    if (pathname === inspectorPaths.mail) return renderMails(await readMails(project.root))
    if (pathname.startsWith(`${inspectorPaths.mail}/`)) {
      const [file, position] = pathname.slice(inspectorPaths.mail.length + 1).split("/")
      const mail = (await readMails(project.root)).find((one) => one.file === file)
      const found = mail && (position === undefined ? toFrame(mail) : toAttachment(mail, Number(position)))
      return found ?? toJSONAnswer(404, { error: "not_found", message: "this mail is not kept" })
    }
    const notice = query.get("did") ?? ""
    if (pathname === inspectorPaths.jobs) return renderJobs(await this.#readJobs(), notice)
    const mask = this.#createMask()
    const request = requests.find(Number(query.get("request")))
    const detail = request && toDetail(request, mask, `http://${headers.host}`)
    if (pathname === inspectorPaths.requests && query.has("request"))
      return detail
        ? toJSONAnswer(200, { ...detail, routing: await this.#explain(request) })
        : toJSONAnswer(404, { error: "not_found", message: "this request is not kept" })
    const entries = requests.list.map((one) => toEntry(one, mask))
    if (pathname === inspectorPaths.requests) return toJSONAnswer(200, { requests: entries })
    if (pathname !== inspectorPaths.page)
      return toJSONAnswer(404, { error: "not_found", message: "there is no such path" })
    const filter = query.get("q") ?? ""
    const hasFiles = query.get("files") === "1"
    return renderRequests({
      entries: entries.filter((entry) => {
        if (entry.isFile && !hasFiles && entry.id !== request?.id) return false
        return `${entry.method} ${entry.url} ${entry.status}`.toLowerCase().includes(filter.toLowerCase())
      }),
      filter,
      hasFiles,
      detail,
      routing: request && (await this.#explain(request)),
      mails: request ? await this.#findMails(request) : [],
      jobs: detail?.parts.some(({ kind }) => kind === "enqueue") ? await this.#readJobs() : null,
      notice,
      problems: [...reporter.problems, ...reporter.browserProblems],
    })
  }

  /** Executes the action of a button or a command. The caller has checked that the client may do so. */
  async act({ url = "", socket, headers }: IncomingMessage): Promise<OwnAnswer> {
    const { pathname, searchParams: query } = new URL(url, "http://localhost")
    if (pathname === `${inspectorPaths.jobs}/retry`) return this.#retryJob(query.get("id") ?? "")
    const request = this.#options.requests.find(Number(query.get("request")))
    if (!request) return toJSONAnswer(404, { error: "not_found", message: "this request is not kept" })
    const redirectToRequest = (id: number, did: string) =>
      redirect(`${inspectorPaths.page}?${new URLSearchParams({ request: `${id}`, did })}`)
    if (pathname === `${inspectorPaths.requests}/replay`) {
      const problem = findReplayProblem(request)
      if (problem) return redirectToRequest(request.id, `This request cannot be sent again: ${problem}.`)
      const address = { host: socket.localAddress ?? "localhost", port: socket.localPort ?? 0 }
      return redirectToRequest(
        await replay(request, this.#options.requests, address),
        "Sent again, to the current program.",
      )
    }
    if (pathname !== `${inspectorPaths.requests}/test`)
      return toJSONAnswer(404, { error: "not_found", message: "there is no such path" })
    const detail = toDetail(request, this.#createMask(), `http://${headers.host}`)
    return redirectToRequest(
      request.id,
      await this.#options.makeTest(detail).then(
        (file) => `Written: ${file}`,
        (error) => String(error.message),
      ),
    )
  }

  #readJobs(): Promise<DevJobs | null> {
    const { project, runJobCommand } = this.#options
    const mask = this.#createMask()
    return readDevJobs(project.root, runJobCommand, (text) => mask.text(text))
  }

  async #retryJob(id: string): Promise<OwnAnswer> {
    const result = await this.#options.runJobCommand(["retry", "--", id])
    const did = result?.changed?.count ? `Job ${id} runs again.` : `Job ${id} has not failed, or is gone.`
    return redirect(`${inspectorPaths.jobs}?${new URLSearchParams({ did })}`)
  }

  #createMask(): Mask {
    const { project, io } = this.#options
    return new Mask(createServerEnv(project, io.env))
  }

  /**
   * Returns what `fw routes --explain` says about a request. The result is stored, because an open page asks again
   * every second.
   */
  #explain(request: KeptRequest): Promise<string | undefined> {
    const found = this.#explanations.get(request) ?? this.#readExplanation(request)
    this.#explanations.set(request, found)
    return found
  }

  /**
   * Reads the routes and explains a request.
   *
   * @returns undefined if the routes cannot be read.
   */
  async #readExplanation({ method, url }: KeptRequest): Promise<string | undefined> {
    const { project } = this.#options
    try {
      const { tree } = await addRegisteredRoutes(project, await readProjectTree(project))
      const found = await explain(project.root, tree, { method, target: url.split("?")[0] ?? "" })
      return formatExplanation(found, { style: makeStyle(false), width: explanationWidth, columns: explanationWidth })
    } catch {
      return undefined
    }
  }

  /** Returns the mails that were written while a request was running. */
  async #findMails({ time, ms = Number.POSITIVE_INFINITY }: KeptRequest) {
    const mails = await readMails(this.#options.project.root)
    return mails.filter(({ date }) => Date.parse(date) >= time && Date.parse(date) <= time + ms)
  }
}

function redirect(location: string): OwnAnswer {
  return { ...toJSONAnswer(303, {}), headers: { location } }
}
