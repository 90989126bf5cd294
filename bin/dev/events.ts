/** The event stream to open pages (WHATWG HTML §9.2). */
import type { ServerResponse } from "node:http"
import { basename, sep } from "node:path"
import type { Problem } from "../project/problems.ts"
import type { Kind } from "../project/project.ts"
import { type Part, partsOf } from "./page.ts"

/** Interval of comments, in milliseconds, because proxies and browsers close silent streams. */
const heartbeat = 20_000

/** Longest time, in milliseconds, from the answer to a navigation until the page listens for events. */
const loadTime = 5000

function noteEvent(path: string, problem: Problem): string {
  return `event: note\ndata: ${JSON.stringify({ path, parts: partsOf(problem) })}\n\n`
}

/** The parts of warnings as JSON. The same ones are sent after every change. */
const partTexts = new WeakMap<Problem, string>()

function partsText(problem: Problem): string {
  const text = partTexts.get(problem) ?? JSON.stringify(partsOf(problem))
  partTexts.set(problem, text)
  return text
}

function warningsEvent(warnings: readonly Problem[], isOld: boolean): string {
  return `event: warnings\ndata: {"warnings":[${warnings.map(partsText).join()}],"isOld":${isOld}}\n\n`
}

/** The open pages, and their events. */
export class Events {
  readonly #pages = new Set<ServerResponse>()
  /** Identifies this run of `fw dev`: pages of another run reload. */
  readonly #run = `${process.pid}.${Date.now()}`
  #count = 0
  #since = performance.now()
  #problems: readonly (readonly Part[])[] = []
  /** The event with the current warnings. */
  #warnings = warningsEvent([], false)
  #hasWarnings = false
  /** The last bug that also concerns pages that are still loading. */
  #late: { readonly text: string; readonly at: number; until: number } | undefined
  #timer: NodeJS.Timeout | undefined

  /** Adds a page, and sends it the current state. */
  add(outgoing: ServerResponse): void {
    outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
    outgoing.write(`retry: 300\n${this.#state()}`)
    if (this.#hasWarnings) outgoing.write(this.#warnings)
    if (this.#late && performance.now() < this.#late.until) outgoing.write(this.#late.text)
    this.#pages.add(outgoing)
    this.#timer ??= setInterval(() => this.#send(": \n\n"), heartbeat).unref()
    outgoing.once("close", () => this.#pages.delete(outgoing))
  }

  /** Reloads pages after another program has started. */
  swapped(): void {
    this.#count += 1
    this.#since = performance.now()
    this.#problems = []
    this.#late = undefined
    this.#send(this.#state())
  }

  /** Sends the current problems; none if they were fixed without a new program. */
  tell(problems: readonly Problem[]): void {
    this.#problems = problems.map(partsOf)
    this.#send(this.#state())
  }

  /**
   * Shows a bug over the open pages, until they are reloaded.
   *
   * @param also true for the pages that open in the next seconds, too.
   */
  bug(problem: Problem, also: boolean): void {
    const text = `event: bug\ndata: ${JSON.stringify(partsOf(problem))}\n\n`
    this.#send(text)
    const at = performance.now()
    if (also) this.#late = { text, at, until: at + loadTime }
  }

  /** Notes that a page was sent whole. Bugs that were found meanwhile are shown when it loads, however long it took. */
  sent(began: number): void {
    if (this.#late && this.#late.at >= began) this.#late.until = performance.now() + loadTime
  }

  /**
   * Shows warnings next to the pages, which work.
   *
   * @param isOld true while the project is checked again after a change.
   */
  warn(warnings: readonly Problem[], isOld: boolean): void {
    const before = this.#warnings
    this.#hasWarnings = warnings.length > 0
    this.#warnings = warningsEvent(warnings, isOld && this.#hasWarnings)
    if (this.#warnings !== before) this.#send(this.#warnings)
  }

  /** Shows a warning about a request of a page. @param path of the page; empty for every open page. */
  tellOf(path: string, problem: Problem): void {
    this.#send(noteEvent(path, problem))
  }

  /** Reports a changed stylesheet. `served` is true if it is in the static directory. */
  styles(file: string, served: boolean): void {
    this.#send(`event: styles\ndata: ${JSON.stringify({ file, served })}\n\n`)
  }

  /** Reports the stylesheets among changed files. Those in the static directory are served. */
  stylesheets(kinds: ReadonlyMap<string, Kind>, staticDir: string): void {
    for (const [path, kind] of kinds) {
      if (kind === "stylesheet") this.styles(basename(path), path.startsWith(staticDir + sep))
    }
  }

  /** Reloads pages after another change that they show. */
  reload(): void {
    this.#send("event: reload\ndata:\n\n")
  }

  /** Ends every stream. */
  close(): void {
    clearInterval(this.#timer)
    for (const page of this.#pages) page.end()
  }

  #state(): string {
    const version = `${this.#run}.${this.#count}`
    const age = Math.round(performance.now() - this.#since)
    return `event: state\ndata: ${JSON.stringify({ version, age, problems: this.#problems })}\n\n`
  }

  #send(text: string): void {
    for (const page of this.#pages) page.write(text)
  }
}
