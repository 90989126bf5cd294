/** Answers the paths of the request page at `/__fw/`, and executes the actions of its buttons. */
import type { IncomingMessage } from "node:http"
import { formatAddress } from "../../../adapters/shared/address.ts"
import type { Io } from "../../cli/terminal.ts"
import { makeStyle } from "../../cli/terminal.ts"
import { explain } from "../../inspect/explain.ts"
import { formatExplanation } from "../../inspect/explain-text.ts"
import { addRegisteredRoutes } from "../../openapi/registered-routes.ts"
import { createServerEnv, type Project } from "../../project/project.ts"
import { readProjectTree } from "../../project/scan-project.ts"
import { type OwnAnswer, toJSONAnswer } from "../page/problem-page.ts"
import type { Reporter } from "../problems/reporter.ts"
import { type RunJobCommand, readDevJobs } from "../tools/jobs.ts"
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

/** A request for the pages of `fw dev`. */
export interface PageRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly incoming: IncomingMessage
}

/** The width of a request's explanation, in characters. */
const explanationWidth = 76

/** Answers requests for the pages and their data. */
export interface Inspector {
  /** Answers a GET. The caller has checked that the client may see requests. */
  answer(request: PageRequest): Promise<OwnAnswer>
  /** The actions of the buttons, by the path to which they send a POST. */
  readonly actions: Readonly<Record<string, (request: PageRequest) => Promise<OwnAnswer>>>
}

/** Creates the pages for a project. */
export function createInspector(options: InspectorOptions): Inspector {
  const { project, io, reporter, requests, runJobCommand, makeTest } = options
  /** What `fw routes --explain` says about each request. An open page asks again every second. */
  const explanations = new WeakMap<KeptRequest, Promise<string | undefined>>()
  const createMask = () => new Mask(createServerEnv(project, io.env))

  async function answer({ path, query, incoming }: PageRequest): Promise<OwnAnswer> {
    if (path === "/__fw") return redirect(inspectorPaths.page)
    if (path === inspectorPaths.script)
      return { status: 200, type: "text/javascript; charset=utf-8", body: inspectorScript }
    if (path.startsWith(inspectorPaths.mail)) return answerMails(path)
    const notice = query.get("did") ?? ""
    const mask = createMask()
    if (path === inspectorPaths.jobs)
      return renderJobs(await readDevJobs(project.root, runJobCommand, (text) => mask.text(text)), notice)
    const request = find(query)
    const detail = request && toDetail(request, mask, `http://${incoming.headers.host}`)
    const routing = request && (await explainOnce(request))
    const entries = requests.list.map((one) => toEntry(one, mask))
    if (path === inspectorPaths.requests && query.has("request"))
      return detail ? toJSONAnswer(200, { ...detail, routing }) : toNotFound("this request is not kept")
    if (path === inspectorPaths.requests) return toJSONAnswer(200, { requests: entries })
    if (path !== inspectorPaths.page) return toNotFound("there is no such path")
    const hasFiles = query.get("files") === "1"
    return renderRequests({
      entries: entries.filter((entry) => hasFiles || !entry.isFile || entry.id === request?.id),
      hasFiles,
      detail,
      routing,
      mails: request ? await findMails(request) : [],
      notice,
      problems: [...reporter.problems, ...reporter.browserProblems],
    })
  }

  /** Answers with the list of mails, with the markup of one, or with one of its attachments. */
  async function answerMails(path: string): Promise<OwnAnswer> {
    const mails = await readMails(project.root)
    if (path === inspectorPaths.mail) return renderMails(mails)
    const [file, position] = path.slice(inspectorPaths.mail.length + 1).split("/")
    const mail = mails.find((one) => one.file === file)
    const found = mail && (position === undefined ? toFrame(mail) : toAttachment(mail, Number(position)))
    return found ?? toNotFound("this mail is not kept")
  }

  const find = (query: URLSearchParams) => requests.find(Number(query.get("request")))

  /** Returns an action on a stored request. @param act returns the number of the request to show, and what was done. */
  const createAction =
    (act: (request: KeptRequest, incoming: IncomingMessage) => Promise<[id: number, did: string]>) =>
    async ({ query, incoming }: PageRequest): Promise<OwnAnswer> => {
      const request = find(query)
      if (!request) return toNotFound("this request is not kept")
      const [id, did] = await act(request, incoming)
      return redirect(`${inspectorPaths.page}?${new URLSearchParams({ request: `${id}`, did })}`)
    }

  const actions = {
    [`${inspectorPaths.requests}/replay`]: createAction(async (request, { socket }) => {
      const problem = findReplayProblem(request)
      if (problem) return [request.id, `This request cannot be sent again: ${problem}.`]
      const address = `http://${formatAddress(socket.localAddress ?? "localhost", socket.localPort ?? 0)}`
      return [await replay(request, requests, address, io.signal), "Sent again, to the current program."]
    }),
    [`${inspectorPaths.requests}/test`]: createAction(async (request, { headers }) => {
      const writing = makeTest(toDetail(request, createMask(), `http://${headers.host}`))
      const done = writing.then((file) => `Written: ${file}`)
      return [request.id, await done.catch((error) => String(error.message))]
    }),
    async [`${inspectorPaths.jobs}/retry`]({ query }: PageRequest) {
      const id = query.get("id") ?? ""
      const result = await runJobCommand(["retry", "--", id])
      const did = result?.count ? `Job ${id} runs again.` : `Job ${id} has not failed, or is gone.`
      return redirect(`${inspectorPaths.jobs}?${new URLSearchParams({ did })}`)
    },
  }

  function explainOnce(request: KeptRequest): Promise<string | undefined> {
    const found = explanations.get(request) ?? readExplanation(request)
    explanations.set(request, found)
    return found
  }

  /**
   * Reads the routes and explains a request.
   *
   * @returns undefined if the routes cannot be read.
   */
  async function readExplanation({ method, url }: KeptRequest): Promise<string | undefined> {
    try {
      const { tree } = await addRegisteredRoutes(project, await readProjectTree(project))
      const found = await explain(project.root, tree, { method, target: url.split("?")[0] ?? "" })
      return formatExplanation(found, { style: makeStyle(false), width: explanationWidth, columns: explanationWidth })
    } catch {
      return undefined
    }
  }

  /** Returns the mails that were written while a request was running. */
  async function findMails({ time, ms = Number.POSITIVE_INFINITY }: KeptRequest) {
    const mails = await readMails(project.root)
    return mails.filter(({ date }) => Date.parse(date) >= time && Date.parse(date) <= time + ms)
  }

  return { answer, actions }
}

function toNotFound(message: string): OwnAnswer {
  return toJSONAnswer(404, { error: "not_found", message })
}

function redirect(location: string): OwnAnswer {
  return { ...toJSONAnswer(303, {}), headers: { location } }
}
