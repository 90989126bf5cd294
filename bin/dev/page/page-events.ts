/** The event stream to open pages (WHATWG HTML §9.2). */
import type { ServerResponse } from "node:http"
import { basename, sep } from "node:path"
import type { Problem } from "../../project/problems.ts"
import type { ChangeKind } from "../../project/project.ts"
import { type ProblemPart, toParts } from "./problem-page.ts"

/** Interval of comments, in milliseconds, because proxies and browsers close silent streams. */
const heartbeatMs = 20_000

/** Longest time, in milliseconds, from the answer to a navigation until the page listens for events. */
const maxLoadMs = 5000

function toNoteEvent(path: string, problem: Problem): string {
  return `event: note\ndata: ${JSON.stringify({ path, parts: toParts(problem) })}\n\n`
}

/** The parts of warnings as JSON, kept because the same warnings are sent after every change. */
const partTexts = new WeakMap<Problem, string>()

function toPartsText(problem: Problem): string {
  const text = partTexts.get(problem) ?? JSON.stringify(toParts(problem))
  partTexts.set(problem, text)
  return text
}

function toWarningsEvent(warnings: readonly Problem[], isOld: boolean): string {
  return `event: warnings\ndata: {"warnings":[${warnings.map(toPartsText).join()}],"isOld":${isOld}}\n\n`
}

/** The open pages, and their events. */
export class PageEvents {
  readonly #pages = new Set<ServerResponse>()
  /** Identifies this run of `fw dev`: pages of another run reload. */
  readonly #runID = `${process.pid}.${Date.now()}`
  #programCount = 0
  #startedAt = performance.now()
  #problems: readonly (readonly ProblemPart[])[] = []
  /** The event with the current warnings. */
  #warnings = toWarningsEvent([], false)
  #hasWarnings = false
  /** The last bug that also concerns pages that are still loading. */
  #lateBug: { readonly text: string; readonly at: number; until: number } | undefined
  #timer: NodeJS.Timeout | undefined

  /** Adds a page, and sends it the current state. */
  add(outgoing: ServerResponse): void {
    outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
    outgoing.write(`retry: 300\n${this.#toStateEvent()}`)
    if (this.#hasWarnings) outgoing.write(this.#warnings)
    if (this.#lateBug && performance.now() < this.#lateBug.until) outgoing.write(this.#lateBug.text)
    this.#pages.add(outgoing)
    this.#timer ??= setInterval(() => this.#send(": \n\n"), heartbeatMs).unref()
    outgoing.once("close", () => this.#pages.delete(outgoing))
  }

  /** Reloads pages after another program has started. @param problems those of the files for the browser. */
  reloadForProgram(problems: readonly Problem[]): void {
    this.#programCount += 1
    this.#startedAt = performance.now()
    this.#problems = problems.map(toParts)
    this.#lateBug = undefined
    this.#send(this.#toStateEvent())
  }

  /** Sends the current problems; none if they were fixed without a new program. */
  sendProblems(problems: readonly Problem[]): void {
    this.#problems = problems.map(toParts)
    this.#send(this.#toStateEvent())
  }

  /**
   * Shows a bug over the open pages, until they are reloaded.
   *
   * @param isForLoading true for the pages that open in the next seconds, too.
   */
  sendBug(problem: Problem, isForLoading: boolean): void {
    const text = `event: bug\ndata: ${JSON.stringify(toParts(problem))}\n\n`
    this.#send(text)
    const at = performance.now()
    if (isForLoading) this.#lateBug = { text, at, until: at + maxLoadMs }
  }

  /**
   * Notes that a page was sent completely. Bugs that were found in the meantime are shown when it loads, however long
   * that took.
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

  /** Shows a warning about a request of a page. @param path of the page; empty for every open page. */
  sendNote(path: string, problem: Problem): void {
    this.#send(toNoteEvent(path, problem))
  }

  /** Reports a changed stylesheet. `served` is true if it is in the static directory. */
  sendStyles(file: string, isStatic: boolean): void {
    this.#send(`event: styles\ndata: ${JSON.stringify({ file, served: isStatic })}\n\n`)
  }

  /** Reports the stylesheets among changed files. Those in the static directory are served. */
  sendStylesheets(kinds: ReadonlyMap<string, ChangeKind>, staticDir: string): void {
    for (const [path, kind] of kinds) {
      if (kind === "stylesheet") this.sendStyles(basename(path), path.startsWith(staticDir + sep))
    }
  }

  /** Reloads pages after a change of anything else that they show. */
  reload(): void {
    this.#send("event: reload\ndata:\n\n")
  }

  /** Ends every stream. */
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
