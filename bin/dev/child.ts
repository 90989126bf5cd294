/** The server process of `fw dev`: imports packages in advance, then serves one program behind the parent until it is stopped. */
import { WriteStream } from "node:tty"
import { putBehind } from "../../adapters/node/dev-parent.ts"
import type { App } from "../../lib/app.ts"
import { type BugListener, listenToBugs, listenToRefusals } from "../../lib/dev-bugs.ts"
import { listenToNotes } from "../../lib/dev-notes.ts"
import { levelFromEnv } from "../../lib/log/log-level.ts"
import { findValidators } from "../../lib/request/prepared.ts"
import { emptyTree, type RouteTree } from "../../lib/tree.ts"
import { projectFault } from "../messages/project.ts"
import { errorData, ownFrame, type Problem } from "../project/problems.ts"
import { watchBlocked } from "./blocked.ts"
import { Bugs, bugAnswer, handlerPlace, isFromPage } from "./bug.ts"
import { CallSites } from "./call-sites.ts"
import { awaitFix, watchFloating } from "./floating.ts"
import { handlerAdvice } from "./handler-advice.ts"
import type { BugPages, CallAnswer, Order, Report } from "./messages.ts"
import { oddURLs } from "./odd-urls.ts"
import { importPackages, type Loaded, loadProgram } from "./program.ts"
import { RanSources, type SourcePlace } from "./ran.ts"
import { explainRefusals } from "./refusal.ts"
import { afterEvents, watchAnswers } from "./sent-answers.ts"
import { waitsAfter } from "./slow-start.ts"
import { removeLastSocket } from "./socket-file.ts"
import { unknownParam } from "./unknown-param.ts"

/** Most answers per second to compare with their types. */
const mostAnswers = 100

let app: App | undefined
let socket = ""
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
  const late = setTimeout(() => tell({ fw: "waits" }), waitsAfter)
  try {
    const loaded = await loadProgram(order.files, order.parts)
    app = appOf(loaded)
    await app.mount(loaded.routes)
    socket = order.socket
    putBehind({ app, socket, addr: order.addr })
    await app.listen()
    tell({ fw: "ready", staticDir: app.config.staticDir })
  } catch (error) {
    tell({ fw: "failed", error: errorData(error) }, fail)
  } finally {
    clearTimeout(late)
  }
}

/** Returns the app. It is recognized by its members, because the project's copy of fw may be another one. */
function appOf({ app }: Loaded): App {
  if (typeof app === "object" && app !== null && "mount" in app && "listen" in app) return app as App
  throw projectFault(app === undefined ? "main" : "main.kind")
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

/** Shows a bug, and returns the answer that explains it. */
const showBug: BugListener = (error, request, culprit, thrower) => {
  const places = {
    culprit: culprit && (bugs.sources.placeOf(culprit) ?? (request && handlerPlace(request, tree))),
    fallback: request && handlerPlace(request, tree),
  }
  const found = bugs.problem(error, places, request)
  const advice = handlerAdvice(culprit ?? thrower)
  const problem = advice ? { ...found, fix: advice } : found
  // Without a request, it was found after the answer, such as in a deferred block.
  tellBug(problem, !request ? "next" : isFromPage(request) ? "open" : "none")
  return request ? bugAnswer(problem, request) : null
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
watchFloating({
  onUnawaited(error, call) {
    tellBug(bugs.unawaited(error, call), "next")
  },
  onCrash(error) {
    for (const listener of process.listeners("uncaughtException"))
      listener(error as Error, "unhandledRejection")
  },
})
process.on("message", (order: Order) => {
  if (order.fw === "warm") ready = warm(order)
  else if (order.fw === "start") void ready.then(() => start(order))
  else if (order.fw === "calls") {
    asked.get(order.id)?.(order.answer)
    asked.delete(order.id)
  } else if (order.fw === "stop") void stop(order.grace)
})
listenToBugs(showBug)
findValidators((call) => calls.find(call))
watchAnswers({
  sources: () => calls.sources,
  pass: (answer) => tell({ fw: "answer", answer }),
  later: afterEvents(mostAnswers),
})
if (process.argv[2]) actAsTerminal(Number(process.argv[2]))
const warnAt = (problem: Problem, place: SourcePlace | undefined) =>
  tell({ fw: "warning", problem: place ? bugs.at(place, problem) : problem })
watchBlocked(process.cwd(), warnAt)
listenToRefusals(explainRefusals(process.cwd(), bugs))
listenToNotes({
  url: oddURLs(process.cwd(), warnAt),
  unknownParam(asked) {
    const file = ownFrame(process.cwd(), new Error("param").stack ?? "")?.file
    return unknownParam(asked, tree, file)
  },
})
