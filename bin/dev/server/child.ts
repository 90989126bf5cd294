/** The server process of `fw dev`: it imports packages in advance, then serves one program until it is stopped. */
import type { IncomingMessage } from "node:http"
import inspector from "node:inspector"
import { WriteStream } from "node:tty"
import type { ProgramJobs } from "../../../adapters/jobs/program.ts"
import type { App } from "../../../lib/app.ts"
import type { Context } from "../../../lib/context.ts"
import { setDevHooks } from "../../../lib/dev/hooks.ts"
import { readLogLevel } from "../../../lib/log/log-level.ts"
import type { OutgoingMail } from "../../../lib/mail/outgoing.ts"
import { createEmptyTree, type RouteTree } from "../../../lib/tree.ts"
import type { HandlerFunc } from "../../../lib/types.ts"
import { projectFault } from "../../messages/project.ts"
import { toErrorData } from "../../project/error-data.ts"
import { limitContext } from "../../project/limited-context.ts"
import { findOwnFrame, type Problem } from "../../project/problems.ts"
import { importPackages, type LoadedProgram, loadProgram } from "../bundle/load-program.ts"
import { ProgramSources, type SourcePlace } from "../bundle/program-sources.ts"
import { setClientAddress, takeOwnHeader } from "../client-address.ts"
import { watchBlockedValues } from "../problems/blocked-values.ts"
import { BugProblems, findHandlerPlace, isFromPage, toBugAnswer } from "../problems/bug-problems.ts"
import { findHandlerFix } from "../problems/handler-fix.ts"
import { watchOddURLs } from "../problems/odd-urls.ts"
import { createRefusalExplainer } from "../problems/refusal.ts"
import { createErrorHooks, type ErrorViewer } from "../problems/request-errors.ts"
import { findUnknownParamError } from "../problems/unknown-param.ts"
import { requestHeader } from "../requests/kept-requests.ts"
import { beginTrace, findRequestID, formatServerTiming, watchProgram } from "../requests/trace.ts"
import { keepMail } from "../tools/mails.ts"
import { CallSites } from "../types/call-sites.ts"
import { limitPerSecond, watchAnswers } from "../types/sent-answers.ts"
import { awaitFix, watchFloatingPromises } from "./floating-promises.ts"
import type { InspectAddress } from "./inspector.ts"
import type { BugPages, CallAnswer, Order, Report } from "./messages.ts"
import { removeLastSocket } from "./socket-file.ts"

/** The largest number of answers per second to compare with their types. */
const maxAnswersPerSecond = 100

let app: App | undefined
let jobs: ProgramJobs | undefined
let socket = ""
/** The address that clients see, which is that of the parent. */
let addr = ""
let tree: RouteTree = createEmptyTree("app")
const bugs = new BugProblems(process.cwd())
/** The requests for validators that the parent has not answered yet. */
const pendingCalls = new Map<number, (answer: CallAnswer) => void>()
let questionCount = 0
const calls = new CallSites((file, known) => {
  return new Promise((resolve) => {
    const id = ++questionCount
    pendingCalls.set(id, resolve)
    sendReport({ fw: "calls", id, file, known })
  })
})
/** Resolves when all orders so far are done. Orders are carried out one after the other. */
let ordersDone = Promise.resolve()

function sendReport(report: Report, callback?: () => void): void {
  if (process.connected) process.send?.(report, undefined, undefined, callback)
  else callback?.()
}

/**
 * Ends the process. If the parent was killed, it could not clean up, so the last of its processes removes the
 * directory of the sockets.
 */
function endProcess(code: number): void {
  if (socket) removeLastSocket(socket)
  process.exit(code)
}

/**
 * Ends the process after the program failed. The directory of the sockets stays, because the parent starts the next
 * process there.
 */
function endAfterFailure(): void {
  if (process.connected) process.exit(1)
  endProcess(1)
}

/**
 * Imports the packages of the last program in advance. An error is ignored here: it occurs again and is reported
 * when the program imports the package.
 */
async function warmUp({ importer, packages }: Order & { fw: "warm" }): Promise<void> {
  await Promise.allSettled(packages.map((specifier) => importPackages(importer, [specifier])))
}

async function startProgram(order: Order & { fw: "start" }): Promise<void> {
  tree = order.parts.tree
  bugs.sources = new ProgramSources(process.cwd(), order.files)
  calls.sources = bugs.sources
  try {
    const program = await loadProgram(order.files, order.parts)
    app = findApp(program)
    await app.mount(program.routes)
    socket = order.socket
    addr = order.addr
    jobs = await program.beginJobs?.(app)
    await app.listen()
    sendReport({ fw: "ready", staticDir: app.config.staticDir })
  } catch (error) {
    sendReport({ fw: "failed", error: toErrorData(error) }, endAfterFailure)
  }
}

/**
 * Returns the app. It is recognized by its members and not by its class, because the project may have its own copy
 * of fw.
 */
function findApp({ app }: LoadedProgram): App {
  if (typeof app === "object" && app !== null && "mount" in app && "listen" in app) return app as App
  throw projectFault(app === undefined ? "main" : "main.kind")
}

/** Opens or closes the debugger. */
function switchInspector(address: InspectAddress | null): void {
  if (address) {
    inspector.open(address.port, address.host, address.waitsForDebugger)
    return
  }
  inspector.close()
  sendReport({ fw: "closed" })
}

async function stopProgram(grace: number): Promise<void> {
  const timeout = AbortSignal.timeout(grace)
  // Jobs that do not end in time are run again by the next program.
  await jobs?.stop(grace / 2)
  await app?.shutdown(timeout, { drain: 0 }).catch((error) => {
    // Requests that are cut off are not a problem. An error of a function passed to app.onShutdown() is a bug.
    if (error instanceof Error && "code" in error && error.code === "on_shutdown") console.error(error)
  })
  endProcess(0)
}

/** Reports a bug to the terminal and to pages, unless the log level is `off`. */
function reportBug(problem: Problem, pages: BugPages): void {
  if (readLogLevel((name) => process.env[name]) !== "off")
    sendReport({ fw: "bug", problem, pages, request: findRequestID() })
}

/** Adopts a request from the parent: sets the address of its client and its number. */
function adoptRequest(incoming: IncomingMessage): void {
  setClientAddress(incoming)
  beginTrace(Number(takeOwnHeader(incoming, requestHeader)))
}

/** Reports the bug of a request, and returns the answer that explains it. */
const showBug: ErrorViewer["show"] = (error, request, culprit, thrower) => {
  const fallback = findHandlerPlace(request, tree)
  const places = { culprit: culprit && (bugs.sources.findFunctionPlace(culprit) ?? fallback), fallback }
  const bug = bugs.toProblem(error, places, request)
  const advice = findHandlerFix(culprit ?? thrower)
  const problem = advice ? { ...bug, fix: advice } : bug
  reportBug(problem, isFromPage(request) ? "open" : "none")
  return toBugAnswer(problem, request)
}

/**
 * Makes the process write as to a terminal, with colours and with text instead of JSON, because its output is shown
 * in the parent's terminal.
 */
function actAsTerminal(columns: number): void {
  const names = ["clearLine", "clearScreenDown", "cursorTo", "moveCursor", "getColorDepth", "hasColors"] as const
  for (const stream of [process.stdout, process.stderr]) {
    Object.assign(stream, { isTTY: true, columns, rows: 24, getWindowSize: () => [columns, 24] })
    for (const name of names) Object.assign(stream, { [name]: WriteStream.prototype[name] })
  }
}

// Ctrl-C and a closing terminal reach all processes of the group. The parent decides what to do.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
process.on("disconnect", () => endProcess(1))
process.on("uncaughtException", (error, origin) => {
  // The program has its own listener.
  if (process.listenerCount("uncaughtException") > 1) return
  const data = toErrorData(error)
  const location = findOwnFrame(process.cwd(), data.stack)
  const frame = location && bugs.sources.findFrame(location)
  const fix = data.fix ?? (origin === "unhandledRejection" ? awaitFix : undefined)
  sendReport({ fw: "failed", error: { ...data, ...(fix && { fix }), ...(frame && { frame }) } }, endAfterFailure)
})
process.on("message", (order: Order) => {
  if (order.fw === "warm") ordersDone = warmUp(order)
  else if (order.fw === "start") void ordersDone.then(() => startProgram(order))
  else if (order.fw === "inspect") switchInspector(order.at)
  else if (order.fw === "calls") {
    pendingCalls.get(order.id)?.(order.answer)
    pendingCalls.delete(order.id)
  } else if (order.fw === "jobs")
    void Promise.resolve(jobs?.command(order.args)).then(
      (result) => sendReport({ fw: "jobs", id: order.id, result: result ?? null }),
      () => sendReport({ fw: "jobs", id: order.id, result: null }),
    )
  else if (order.fw === "retire") void Promise.resolve(jobs?.stopClaiming()).then(() => sendReport({ fw: "retired" }))
  else if (order.fw === "stop") void stopProgram(order.grace)
})
if (process.argv[2]) actAsTerminal(Number(process.argv[2]))
const sendWarning = (problem: Problem, place: SourcePlace | undefined) =>
  sendReport({ fw: "warning", problem: place ? bugs.toProblemAt(place, problem) : problem })
const warnOfURL = watchOddURLs(process.cwd(), sendWarning)
const errorHooks = createErrorHooks({ show: showBug, explain: createRefusalExplainer(process.cwd(), bugs) })
watchProgram((trace) => sendReport({ fw: "trace", trace }))
setDevHooks({
  ...errorHooks,
  onResponse(c: Context, response, exchange) {
    // The response of a mounted app is only a part, and that of an upgrade cannot be changed.
    const timing = exchange.isMounted || response.status < 200 ? "" : formatServerTiming()
    const responseWithTiming = timing
      ? exchange.addHeaders(response, [{ name: "server-timing", value: timing, append: true }])
      : response
    return errorHooks.onResponse(c, responseWithTiming, exchange)
  },
  onServe: (servedApp) => (servedApp === app ? { socket, addr, adopt: adoptRequest } : undefined),
  // The bug was found after the answer began, for example in a deferred block.
  onBug: (bug) => reportBug(bugs.toProblem(bug), "next"),
  onPromise: watchFloatingPromises({
    onUnawaited(error, call) {
      reportBug(bugs.toUnawaitedProblem(error, call), "next")
    },
    onCrash(error) {
      for (const listener of process.listeners("uncaughtException")) listener(error as Error, "unhandledRejection")
    },
  }),
  onAnswer: watchAnswers({
    sources: () => calls.sources,
    report: (answer) => sendReport({ fw: "answer", answer, request: findRequestID() }),
    runLater: limitPerSecond(maxAnswersPerSecond),
  }),
  onUnknownParam(name, pattern) {
    const file = findOwnFrame(process.cwd(), new Error("param").stack ?? "")?.file
    const error = findUnknownParamError(name, pattern, tree, file)
    if (error) throw error
  },
  findCall() {
    const location = findOwnFrame(process.cwd(), new Error("call").stack ?? "")
    const line = location && bugs.sources.findText(location.file)?.split("\n")[location.line - 1]
    return location && `${location.file}:${location.line}${line ? ` ${line.trim()}` : ""}`
  },
  limitHandler: (handler) => async (c: Context) => {
    const end = limitContext(c, true)
    try {
      return await (handler as HandlerFunc)(c)
    } finally {
      end()
    }
  },
  onRedirect: warnOfURL,
  onURL: warnOfURL,
  onBlocked: watchBlockedValues(process.cwd(), sendWarning),
  findValidator: (call) => calls.find(call),
  async onMail(mail) {
    await keepMail(mail as OutgoingMail)
    console.info(`A mail is at http://${addr}/__fw/mail`)
  },
  findPayloadValidator: (file) => calls.findPayload(file),
})
