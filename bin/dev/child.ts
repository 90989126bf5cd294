/** The server process of `fw dev`: imports packages in advance, then serves one program behind the parent until it is stopped. */
import inspector from "node:inspector"
import { WriteStream } from "node:tty"
import type { App } from "../../lib/app.ts"
import { setDevHooks } from "../../lib/dev/hooks.ts"
import { levelFromEnv } from "../../lib/log/log-level.ts"
import { emptyTree, type RouteTree } from "../../lib/tree.ts"
import { projectFault } from "../messages/project.ts"
import { errorData } from "../project/error-data.ts"
import { ownFrame, type Problem } from "../project/problems.ts"
import { blockedValues } from "./blocked.ts"
import { Bugs, bugAnswer, handlerPlace, isFromPage } from "./bug.ts"
import { CallSites } from "./call-sites.ts"
import { adoptClient } from "./client-address.ts"
import { awaitFix, watchFloating } from "./floating.ts"
import { handlerAdvice } from "./handler-advice.ts"
import type { InspectAddress } from "./inspector.ts"
import type { BugPages, CallAnswer, Order, Report } from "./messages.ts"
import { oddURLs } from "./odd-urls.ts"
import { importPackages, type Loaded, loadProgram } from "./program.ts"
import { RanSources, type SourcePlace } from "./ran.ts"
import { explainRefusals } from "./refusal.ts"
import { type ErrorViewer, errorHooks } from "./request-errors.ts"
import { afterEvents, watchAnswers } from "./sent-answers.ts"
import { removeLastSocket } from "./socket-file.ts"
import { unknownParam } from "./unknown-param.ts"

/** Most answers per second to compare with their types. */
const mostAnswers = 100

let app: App | undefined
let socket = ""
/** Address that clients see: the parent's. */
let addr = ""
let tree: RouteTree = emptyTree("app")
const bugs = new Bugs(process.cwd())
/** The questions about validators that have no answer yet. */
const asked = new Map<number, (answer: CallAnswer) => void>()
let questions = 0
const calls = new CallSites((file, known) => {
  return new Promise((resolve) => {
    const id = ++questions
    asked.set(id, resolve)
    tell({ fw: "calls", id, file, known })
  })
})
/** Orders are executed one after the other. */
let ready = Promise.resolve()

function tell(report: Report, then?: () => void): void {
  if (process.connected) process.send?.(report, undefined, undefined, then)
  else then?.()
}

/**
 * Ends the process. A killed parent cannot clean up, so the last of its processes removes the directory of
 * the sockets.
 */
function end(code: number): void {
  if (socket) removeLastSocket(socket)
  process.exit(code)
}

/**
 * Ends the process of a program that failed. The directory of the sockets stays: the parent runs, and starts the next
 * process there.
 */
function fail(): void {
  if (process.connected) process.exit(1)
  end(1)
}

/**
 * Imports the packages of the last program. An error here occurs again, and is reported, when the program
 * imports it.
 */
async function warm({ importer, packages }: Order & { fw: "warm" }): Promise<void> {
  await Promise.allSettled(packages.map((specifier) => importPackages(importer, [specifier])))
}

async function start(order: Order & { fw: "start" }): Promise<void> {
  tree = order.parts.tree
  bugs.sources = new RanSources(process.cwd(), order.files)
  calls.sources = bugs.sources
  try {
    const loaded = await loadProgram(order.files, order.parts)
    app = appOf(loaded)
    await app.mount(loaded.routes)
    socket = order.socket
    addr = order.addr
    await app.listen()
    tell({ fw: "ready", staticDir: app.config.staticDir })
  } catch (error) {
    tell({ fw: "failed", error: errorData(error) }, fail)
  }
}

/** Returns the app. It is recognized by its members, because the project's copy of fw may be another one. */
function appOf({ app }: Loaded): App {
  if (typeof app === "object" && app !== null && "mount" in app && "listen" in app) return app as App
  throw projectFault(app === undefined ? "main" : "main.kind")
}

/** Opens the debugger, or closes it. */
function inspect(at: InspectAddress | null): void {
  if (at) {
    inspector.open(at.port, at.host, at.waits)
    return
  }
  inspector.close()
  tell({ fw: "closed" })
}

async function stop(grace: number): Promise<void> {
  const timeout = AbortSignal.timeout(grace)
  await app?.shutdown(timeout, { drain: 0 }).catch((error) => {
    // Running requests may be cut off. What a function of app.onShutdown() throws is a bug.
    if (error instanceof Error && "code" in error && error.code === "on_shutdown") console.error(error)
  })
  end(0)
}

/** Shows a bug in the terminal and over pages, unless the program is silent. */
function tellBug(problem: Problem, over: BugPages): void {
  if (levelFromEnv((name) => process.env[name]) !== "off") tell({ fw: "bug", problem, over })
}

/** Shows the bug of a request, and returns the answer that explains it. */
const showBug: ErrorViewer["show"] = (error, request, culprit, thrower) => {
  const fallback = handlerPlace(request, tree)
  const places = { culprit: culprit && (bugs.sources.placeOf(culprit) ?? fallback), fallback }
  const found = bugs.problem(error, places, request)
  const advice = handlerAdvice(culprit ?? thrower)
  const problem = advice ? { ...found, fix: advice } : found
  tellBug(problem, isFromPage(request) ? "open" : "none")
  return bugAnswer(problem, request)
}

/**
 * Makes the process write as on a terminal, because the parent's output is one: with colours, and text
 * instead of JSON.
 */
function actAsTerminal(columns: number): void {
  const names = [
    "clearLine",
    "clearScreenDown",
    "cursorTo",
    "moveCursor",
    "getColorDepth",
    "hasColors",
  ] as const
  for (const stream of [process.stdout, process.stderr]) {
    Object.assign(stream, { isTTY: true, columns, rows: 24, getWindowSize: () => [columns, 24] })
    for (const name of names) Object.assign(stream, { [name]: WriteStream.prototype[name] })
  }
}

// Ctrl-C, and a closing terminal, reach the whole process group; the parent decides what to do.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {})
process.on("disconnect", () => end(1))
process.on("uncaughtException", (error, origin) => {
  // A listener of the program handles it.
  if (process.listenerCount("uncaughtException") > 1) return
  const data = errorData(error)
  const place = ownFrame(process.cwd(), data.stack)
  const frame = place && bugs.sources.frame(place)
  const fix = data.fix ?? (origin === "unhandledRejection" ? awaitFix : undefined)
  tell({ fw: "failed", error: { ...data, ...(fix && { fix }), ...(frame && { frame }) } }, fail)
})
process.on("message", (order: Order) => {
  if (order.fw === "warm") ready = warm(order)
  else if (order.fw === "start") void ready.then(() => start(order))
  else if (order.fw === "inspect") inspect(order.at)
  else if (order.fw === "calls") {
    asked.get(order.id)?.(order.answer)
    asked.delete(order.id)
  } else if (order.fw === "ask") tell({ fw: "waits" })
  else if (order.fw === "stop") void stop(order.grace)
})
if (process.argv[2]) actAsTerminal(Number(process.argv[2]))
const warnAt = (problem: Problem, place: SourcePlace | undefined) =>
  tell({ fw: "warning", problem: place ? bugs.at(place, problem) : problem })
const warnOfURL = oddURLs(process.cwd(), warnAt)
setDevHooks({
  ...errorHooks({ show: showBug, explain: explainRefusals(process.cwd(), bugs) }),
  onServe: (served) => (served === app ? { socket, addr, adopt: adoptClient } : undefined),
  // It was found after the answer, such as in a deferred block.
  onBug: (bug) => tellBug(bugs.problem(bug), "next"),
  onPromise: watchFloating({
    onUnawaited(error, call) {
      tellBug(bugs.unawaited(error, call), "next")
    },
    onCrash(error) {
      for (const listener of process.listeners("uncaughtException"))
        listener(error as Error, "unhandledRejection")
    },
  }),
  onAnswer: watchAnswers({
    sources: () => calls.sources,
    pass: (answer) => tell({ fw: "answer", answer }),
    later: afterEvents(mostAnswers),
  }),
  onUnknownParam(name, pattern) {
    const file = ownFrame(process.cwd(), new Error("param").stack ?? "")?.file
    const error = unknownParam(name, pattern, tree, file)
    if (error) throw error
  },
  onRedirect: warnOfURL,
  onURL: warnOfURL,
  onBlocked: blockedValues(process.cwd(), warnAt),
  findValidator: (call) => calls.find(call),
})
