/** Reports problems, warnings and news of `fw dev` in the terminal and to open pages. */
import { type Io, viewOf } from "../cli/terminal.ts"
import { type Problem, problemText } from "../project/problems.ts"
import { Events } from "./events.ts"

/** Source of warnings. */
export type WarningSource = "bundle" | "types" | "document"

/** The current problems, and the pages and the terminal that show them. */
export class Reporter {
  /** The event stream to open pages. */
  readonly events = new Events()
  readonly #io: Io
  readonly #warned = { bundle: "", types: "", document: "" }
  #problems: readonly Problem[] = []

  constructor(io: Io) {
    this.#io = io
  }

  /** The current problems. */
  get problems(): readonly Problem[] {
    return this.#problems
  }

  /** Shows problems. */
  fail(problems: readonly Problem[]): void {
    this.#problems = problems
    const { style } = viewOf(this.#io.stderr, this.#io.env)
    this.say("stderr", problems.map((problem) => problemText(problem, style)).join("\n"))
    this.events.tell(problems)
  }

  /** Shows a bug that a request found; also over the open pages if one of them made the request. */
  bug(problem: Problem, isFromPage: boolean): void {
    const { style, width } = viewOf(this.#io.stderr, this.#io.env)
    this.say("stderr", problemText(problem, style, "error", width))
    if (isFromPage) this.events.bug(problem)
  }

  /** Removes the problems. Pages get the news when the new program answers. */
  clear(): void {
    this.#problems = []
  }

  /** Shows warnings once, and again only if they change. */
  warn(source: WarningSource, warnings: readonly Problem[]): void {
    const { style } = viewOf(this.#io.stderr, this.#io.env)
    const text = warnings.map((warning) => problemText(warning, style, "warning")).join("")
    if (text !== this.#warned[source] && text !== "") this.say("stderr", text)
    this.#warned[source] = text
  }

  /** Writes one or several lines. */
  say(stream: "stdout" | "stderr", text: string): void {
    this.#io[stream].write(text.endsWith("\n") ? text : `${text}\n`)
  }
}
