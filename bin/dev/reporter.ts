/** Says what is wrong with a project, in the terminal and to open pages, and what else a run has to say. Owned by the session. */
import { type Io, viewOf } from "../cli/terminal.ts"
import { type Problem, problemText } from "../project/problems.ts"
import { Events } from "./events.ts"

/** What warnings are about. */
export type WarningSource = "bundle" | "types" | "document"

/** What is wrong now, and who hears of it. */
export class Telling {
  /** The pages that are open. */
  readonly events = new Events()
  readonly #io: Io
  readonly #warned = { bundle: "", types: "", document: "" }
  #problems: readonly Problem[] = []

  constructor(io: Io) {
    this.#io = io
  }

  /** What is wrong now. */
  get problems(): readonly Problem[] {
    return this.#problems
  }

  /** Tells of what is wrong. */
  fail(problems: readonly Problem[]): void {
    this.#problems = problems
    const { style } = viewOf(this.#io.stderr, this.#io.env)
    this.say("stderr", problems.map((problem) => problemText(problem, style)).join("\n"))
    this.events.tell(problems)
  }

  /** Nothing is wrong any more. Pages hear of it when the new program answers. */
  mend(): void {
    this.#problems = []
  }

  /** Tells warnings once, and again only when they are others. */
  warn(source: WarningSource, warnings: readonly Problem[]): void {
    const { style } = viewOf(this.#io.stderr, this.#io.env)
    const text = warnings.map((warning) => problemText(warning, style, "warning")).join("")
    if (text !== this.#warned[source] && text !== "") this.say("stderr", text)
    this.#warned[source] = text
  }

  /** Writes a line, or several. */
  say(stream: "stdout" | "stderr", text: string): void {
    this.#io[stream].write(text.endsWith("\n") ? text : `${text}\n`)
  }
}
