/** Reports problems and warnings of `fw dev` in the terminal and to open pages. */
import { createView, type Io } from "../../cli/terminal.ts"
import { formatProblem, type Problem } from "../../project/problems.ts"
import { PageEvents } from "../page/page-events.ts"
import type { BugPages } from "../server/messages.ts"
import { RecentEvents } from "../tools/recent-events.ts"

/** A source of warnings. `start` and `program` are the program that is starting and the one that runs. */
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

/** The sources that check again after each change. */
const repeatedSources = ["checks", "types"] as const

/**
 * The largest number of problems that the terminal shows at once, because otherwise the first ones would scroll
 * away. Pages show all.
 */
const maxShown = 20

/**
 * Joins the first texts, and says how many more there are.
 *
 * @param kind the noun for one of them.
 * @param where where all of them are listed.
 */
function joinFirst(texts: readonly string[], kind: string, where = ""): string {
  const hiddenCount = texts.length - maxShown
  const lastLine = hiddenCount > 0 ? `${hiddenCount} more ${kind}${hiddenCount > 1 ? "s" : ""}.${where}\n` : ""
  return texts.slice(0, maxShown).join("") + lastLine
}

/** Stores the current problems and shows them in the terminal and in pages. */
export class Reporter {
  /** The event stream to open pages. */
  readonly events = new PageEvents()
  /** The last errors and printed lines. */
  readonly recent = new RecentEvents()
  readonly #io: Io
  readonly #warningsBySource = new Map<
    WarningSource,
    { readonly text: string; readonly warnings: readonly Problem[] }
  >()
  #problems: readonly Problem[] = []
  #browserProblems: readonly Problem[] = []
  /** Sources that have not checked again since the last change. */
  readonly #pending = new Set<WarningSource>()

  constructor(io: Io) {
    this.#io = io
  }

  /** The current problems of the program. */
  get problems(): readonly Problem[] {
    return this.#problems
  }

  /** The current problems of the browser files. The program runs all the same, and its pages show them. */
  get browserProblems(): readonly Problem[] {
    return this.#browserProblems
  }

  /** The current warnings. */
  get warnings(): readonly Problem[] {
    return [...this.#warningsBySource.values()].flatMap(({ warnings }) => warnings)
  }

  showProblems(problems: readonly Problem[]): void {
    this.#problems = problems
    this.#warningsBySource.delete("start")
    this.#reportProblems(problems)
  }

  /** Shows the problems of the browser files. An empty list says that they were solved. */
  showBrowserProblems(problems: readonly Problem[]): void {
    if (problems.length + this.#browserProblems.length === 0) return
    this.#browserProblems = problems
    this.#reportProblems(problems)
  }

  #reportProblems(problems: readonly Problem[]): void {
    const { style } = createView(this.#io.stderr, this.#io.env)
    const texts = problems.map((problem, i) => (i > 0 ? "\n" : "") + formatProblem(problem, style))
    if (texts.length > 0) this.say("stderr", joinFirst(texts, "error"))
    this.events.sendProblems([...this.#problems, ...this.#browserProblems])
  }

  /** Shows a bug that a request found, in the terminal and in pages. */
  showBug(problem: Problem, pages: BugPages): void {
    const { style, width } = createView(this.#io.stderr, this.#io.env)
    this.say("stderr", formatProblem(problem, style, "error", width))
    this.recent.addError(problem)
    if (pages !== "none") this.events.sendBug(problem, pages === "next")
  }

  /** Removes the problems. Pages are told when the new program answers. */
  clearProblems(): void {
    this.#problems = []
    this.recent.markErrorsOld()
    for (const source of ["start", "program"] as const) this.#warningsBySource.delete(source)
    this.#sendWarnings()
  }

  /**
   * Shows warnings, and shows them again only if they change.
   *
   * @param newWarnings the warnings to print in the terminal. Default: all.
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

  /** Adds a warning of the running program. It stays until another program runs. */
  addProgramWarning(warning: Problem): void {
    const { style, width } = createView(this.#io.stderr, this.#io.env)
    this.say("stderr", formatProblem(warning, style, "warning", width))
    this.#warningsBySource.set("program", { text: "", warnings: [...this.getWarnings("program"), warning] })
    this.#sendWarnings()
  }

  /** Called when the project has changed: pages show the warnings as old until it is checked again. */
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

  /** Writes output of the program unchanged. */
  writeOutput(stream: "stdout" | "stderr", text: string): void {
    this.#io[stream].write(text)
    this.recent.addOutput(stream, text)
  }

  /** Prints that a changed program runs. */
  sayRebuilt(ms: number, files: string): void {
    this.say("stdout", `rebuilt in ${Math.round(ms)} ms: ${files}`)
  }

  say(stream: "stdout" | "stderr", text: string): void {
    this.#io[stream].write(text.endsWith("\n") ? text : `${text}\n`)
  }
}
