/** Sends events to open pages (WHATWG HTML §9.2). */
import type { ServerResponse } from "node:http"
import { basename, sep } from "node:path"
import type { Problem } from "../../project/problems.ts"
import type { ChangeKind } from "../../project/project.ts"
import { type ProblemPart, toParts } from "./problem-page.ts"

/** Time between two heartbeats, in milliseconds. Proxies and browsers close streams without data. */
const heartbeatMs = 20_000

/** The longest time between the answer to a navigation and the page's request for events, in milliseconds. */
const maxLoadMs = 5000

function toNoteEvent(path: string, problem: Problem): string {
  return `event: note\ndata: ${JSON.stringify({ path, parts: toParts(problem) })}\n\n`
}

/** The parts of warnings as JSON. They are cached, because the same warnings are sent after every change. */
const partTexts = new WeakMap<Problem, string>()

function toPartsText(problem: Problem): string {
  const text = partTexts.get(problem) ?? JSON.stringify(toParts(problem))
  partTexts.set(problem, text)
  return text
}

function toWarningsEvent(warnings: readonly Problem[], isOld: boolean): string {
  return `event: warnings\ndata: {"warnings":[${warnings.map(toPartsText).join()}],"isOld":${isOld}}\n\n`
}

/** The open pages and the events that they get. */
export class PageEvents {
  readonly #pages = new Set<ServerResponse>()
  /** Identifies this run of `fw dev`. Pages of another run reload. */
  readonly #runID = `${process.pid}.${Date.now()}`
  #programCount = 0
  #startedAt = performance.now()
  #problems: readonly (readonly ProblemPart[])[] = []
  /** The event with the current warnings. */
  #warnings = toWarningsEvent([], false)
  #hasWarnings = false
  /** The last bug that pages must also show if they are still loading. */
  #lateBug: { readonly text: string; readonly at: number; until: number } | undefined
  #timer: NodeJS.Timeout | undefined

  /** Adds a page and sends it the current state. */
  add(outgoing: ServerResponse): void {
    outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
    outgoing.write(`retry: 300\n${this.#toStateEvent()}`)
    if (this.#hasWarnings) outgoing.write(this.#warnings)
    if (this.#lateBug && performance.now() < this.#lateBug.until) outgoing.write(this.#lateBug.text)
    this.#pages.add(outgoing)
    this.#timer ??= setInterval(() => this.#send(": \n\n"), heartbeatMs).unref()
    outgoing.once("close", () => this.#pages.delete(outgoing))
  }

  /**
   * Tells pages that another program has started.
   *
   * @param problems the problems of the browser files.
   */
  reloadForProgram(problems: readonly Problem[]): void {
    this.#programCount += 1
    this.#startedAt = performance.now()
    this.#problems = problems.map(toParts)
    this.#lateBug = undefined
    this.#send(this.#toStateEvent())
  }

  /** Sends the current problems. The list is empty if they were fixed without a new program. */
  sendProblems(problems: readonly Problem[]): void {
    this.#problems = problems.map(toParts)
    this.#send(this.#toStateEvent())
  }

  /**
   * Shows a bug in open pages until they are reloaded.
   *
   * @param isForLoading true to show it also in pages that are opened in the next seconds.
   */
  sendBug(problem: Problem, isForLoading: boolean): void {
    const text = `event: bug\ndata: ${JSON.stringify(toParts(problem))}\n\n`
    this.#send(text)
    const at = performance.now()
    if (isForLoading) this.#lateBug = { text, at, until: at + maxLoadMs }
  }

  /**
   * Called when a page was sent completely. A bug that was found while it was sent is shown when it has loaded,
   * however long that takes.
   */
  notePageSent(startedAt: number): void {
    if (this.#lateBug && this.#lateBug.at >= startedAt) this.#lateBug.until = performance.now() + maxLoadMs
  }

  /**
   * Shows warnings without covering the pages, because the pages work.
   *
   * @param isOld true while the project is checked again after a change.
   */
  sendWarnings(warnings: readonly Problem[], isOld: boolean): void {
    const before = this.#warnings
    this.#hasWarnings = warnings.length > 0
    this.#warnings = toWarningsEvent(warnings, isOld && this.#hasWarnings)
    if (this.#warnings !== before) this.#send(this.#warnings)
  }

  /**
   * Shows a warning about a request of a page.
   *
   * @param path the path of the page; empty for all open pages.
   */
  sendNote(path: string, problem: Problem): void {
    this.#send(toNoteEvent(path, problem))
  }

  /**
   * Tells pages that a stylesheet has changed.
   *
   * @param isStatic true if it is in the static directory.
   */
  sendStyles(file: string, isStatic: boolean): void {
    this.#send(`event: styles\ndata: ${JSON.stringify({ file, served: isStatic })}\n\n`)
  }

  /** Tells pages which stylesheets are among the changed files. */
  sendStylesheets(kinds: ReadonlyMap<string, ChangeKind>, staticDir: string): void {
    for (const [path, kind] of kinds) {
      if (kind === "stylesheet") this.sendStyles(basename(path), path.startsWith(staticDir + sep))
    }
  }

  /** Makes all open pages load again, because a script or a static file other than a stylesheet has changed. */
  reload(): void {
    this.#send("event: reload\ndata:\n\n")
  }

  /** Ends all event streams. */
  close(): void {
    clearInterval(this.#timer)
    for (const page of this.#pages) page.end()
  }

  #toStateEvent(): string {
    const version = `${this.#runID}.${this.#programCount}`
    const age = Math.round(performance.now() - this.#startedAt)
    return `event: state\ndata: ${JSON.stringify({ version, age, problems: this.#problems })}\n\n`
  }

  #send(text: string): void {
    for (const page of this.#pages) page.write(text)
  }
}
