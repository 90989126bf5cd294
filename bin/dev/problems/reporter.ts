/** Reports problems, warnings and news of `fw dev` in the terminal and to open pages. */
import { createView, type Io } from "../../cli/terminal.ts"
import { formatProblem, type Problem } from "../../project/problems.ts"
import { PageEvents } from "../page/page-events.ts"
import type { BugPages } from "../server/messages.ts"
import { RecentEvents } from "../tools/recent-events.ts"

/** A source of warnings: the bundler, the background work, the program that is starting, or the one that runs. */
export type WarningSource =
  | "bundle"
  | "browser"
  | "database"
  | "checks"
  | "types"
  | "document"
  | "validators"
  | "answers"
  | "start"
  | "program"

/** Sources that look again after each change. */
const repeatedSources = ["checks", "types"] as const

/** Most problems that the terminal shows at once, because the first ones would scroll away. Pages show all. */
const maxShown = 20

/**
 * Returns the first texts of many, and how many more there are.
 *
 * @param kind the noun for one of them.
 * @param where the place that lists all.
 */
function joinFirst(texts: readonly string[], kind: string, where = ""): string {
  const more = texts.length - maxShown
  const rest = more > 0 ? `${more} more ${kind}${more > 1 ? "s" : ""}.${where}\n` : ""
  return texts.slice(0, maxShown).join("") + rest
}

/** The current problems, and the pages and the terminal that show them. */
export class Reporter {
  /** The event stream to open pages. */
  readonly events = new PageEvents()
  /** The last errors and lines of output. */
  readonly recent = new RecentEvents()
  readonly #io: Io
  readonly #warningsBySource = new Map<
    WarningSource,
    { readonly text: string; readonly warnings: readonly Problem[] }
  >()
  #problems: readonly Problem[] = []
  #browserProblems: readonly Problem[] = []
  /** Sources that have not looked again since the last change. */
  readonly #pending = new Set<WarningSource>()

  constructor(io: Io) {
    this.#io = io
  }

  /** The current problems of the program. */
  get problems(): readonly Problem[] {
    return this.#problems
  }

  /** The current problems of the files for the browser. The program runs, and its pages show them. */
  get browserProblems(): readonly Problem[] {
    return this.#browserProblems
  }

  /** The current warnings. */
  get warnings(): readonly Problem[] {
    return [...this.#warningsBySource.values()].flatMap(({ warnings }) => warnings)
  }

  /** Shows problems. */
  showProblems(problems: readonly Problem[]): void {
    this.#problems = problems
    this.#warningsBySource.delete("start")
    this.#sayProblems(problems)
  }

  /** Shows the problems of the files for the browser; none if they were solved. */
  showBrowserProblems(problems: readonly Problem[]): void {
    if (problems.length + this.#browserProblems.length === 0) return
    this.#browserProblems = problems
    this.#sayProblems(problems)
  }

  #sayProblems(problems: readonly Problem[]): void {
    const { style } = createView(this.#io.stderr, this.#io.env)
    const texts = problems.map((problem, i) => (i > 0 ? "\n" : "") + formatProblem(problem, style))
    if (texts.length > 0) this.say("stderr", joinFirst(texts, "error"))
    this.events.sendProblems([...this.#problems, ...this.#browserProblems])
  }

  /** Shows a bug that a request found, in the terminal and over pages. */
  showBug(problem: Problem, over: BugPages): void {
    const { style, width } = createView(this.#io.stderr, this.#io.env)
    this.say("stderr", formatProblem(problem, style, "error", width))
    this.recent.addError(problem)
    if (over !== "none") this.events.sendBug(problem, over === "next")
  }

  /** Removes the problems. Pages are told when the new program answers. */
  clearProblems(): void {
    this.#problems = []
    this.recent.markErrorsOld()
    for (const source of ["start", "program"] as const) this.#warningsBySource.delete(source)
    this.#sendWarnings()
  }

  /**
   * Shows warnings once, and again only if they change.
   *
   * @param newWarnings those that the terminal shows. Default: all.
   */
  showWarnings(source: WarningSource, warnings: readonly Problem[], newWarnings = warnings): void {
    const { style } = createView(this.#io.stderr, this.#io.env)
    const texts = newWarnings.map((warning) => formatProblem(warning, style, "warning"))
    const isRepeated = (repeatedSources as readonly WarningSource[]).includes(source)
    const text = joinFirst(texts, "warning", isRepeated ? " fw validate lists all." : "")
    if (text !== (this.#warningsBySource.get(source)?.text ?? "") && text !== "") this.say("stderr", text)
    this.#warningsBySource.set(source, { text, warnings })
    this.#pending.delete(source)
    this.#sendWarnings()
  }

  /** Adds a warning of the program that runs, until another program runs. */
  addProgramWarning(warning: Problem): void {
    const { style, width } = createView(this.#io.stderr, this.#io.env)
    this.say("stderr", formatProblem(warning, style, "warning", width))
    this.#warningsBySource.set("program", { text: "", warnings: [...this.getWarnings("program"), warning] })
    this.#sendWarnings()
  }

  /** Notes that the project has changed: pages show its warnings as old ones until it is checked again. */
  markWarningsOld(): void {
    for (const source of repeatedSources) this.#pending.add(source)
    this.#sendWarnings()
  }

  /** Returns the current warnings of a source. */
  getWarnings(source: WarningSource): readonly Problem[] {
    return this.#warningsBySource.get(source)?.warnings ?? []
  }

  #sendWarnings(): void {
    const isOld = [...this.#pending].some((source) => this.getWarnings(source).length > 0)
    this.events.sendWarnings(this.warnings, isOld)
  }

  /** Writes output of the program as it is. */
  writeOutput(stream: "stdout" | "stderr", text: string): void {
    this.#io[stream].write(text)
    this.recent.addOutput(stream, text)
  }

  /** Says that a changed program runs. */
  sayRebuilt(ms: number, files: string): void {
    this.say("stdout", `rebuilt in ${Math.round(ms)} ms: ${files}`)
  }

  /** Writes one or several lines. */
  say(stream: "stdout" | "stderr", text: string): void {
    this.#io[stream].write(text.endsWith("\n") ? text : `${text}\n`)
  }
}
