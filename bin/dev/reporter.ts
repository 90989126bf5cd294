/** Reports problems, warnings and news of `fw dev` in the terminal and to open pages. */
import { type Io, viewOf } from "../cli/terminal.ts"
import { type Problem, problemText } from "../project/problems.ts"
import { Events } from "./events.ts"
import type { BugPages } from "./messages.ts"
import { Recent } from "./recent.ts"

/** Source of warnings: the bundler, the background work, the program that starts, and the one that runs. */
export type WarningSource =
  | "bundle"
  | "checks"
  | "types"
  | "document"
  | "validators"
  | "answers"
  | "start"
  | "program"

/** Sources that look again after each change. */
const repeated = ["checks", "types"] as const

/** Most problems that the terminal shows at once, because the first ones would scroll away. Pages show all. */
const mostShown = 20

/** Returns the first of many texts, and the number of the others. @param kind the name of one. @param where all are listed. */
function firstOf(texts: readonly string[], kind: string, where = ""): string {
  const more = texts.length - mostShown
  const rest = more > 0 ? `${more} more ${kind}${more > 1 ? "s" : ""}.${where}\n` : ""
  return texts.slice(0, mostShown).join("") + rest
}

/** The current problems, and the pages and the terminal that show them. */
export class Reporter {
  /** The event stream to open pages. */
  readonly events = new Events()
  /** The last errors and lines of output. */
  readonly recent = new Recent()
  readonly #io: Io
  readonly #warned = new Map<
    WarningSource,
    { readonly text: string; readonly warnings: readonly Problem[] }
  >()
  #problems: readonly Problem[] = []
  /** Sources that have not looked again since the last change. */
  readonly #pending = new Set<WarningSource>()

  constructor(io: Io) {
    this.#io = io
  }

  /** The current problems. */
  get problems(): readonly Problem[] {
    return this.#problems
  }

  /** The current warnings. */
  get warnings(): readonly Problem[] {
    return [...this.#warned.values()].flatMap(({ warnings }) => warnings)
  }

  /** Shows problems. */
  fail(problems: readonly Problem[]): void {
    this.#problems = problems
    this.#warned.delete("start")
    const { style } = viewOf(this.#io.stderr, this.#io.env)
    const texts = problems.map((problem, i) => (i > 0 ? "\n" : "") + problemText(problem, style))
    this.say("stderr", firstOf(texts, "error"))
    this.events.tell(problems)
  }

  /** Shows a bug that a request found, also over pages. */
  bug(problem: Problem, over: BugPages): void {
    const { style, width } = viewOf(this.#io.stderr, this.#io.env)
    this.say("stderr", problemText(problem, style, "error", width))
    this.recent.addError(problem)
    if (over !== "none") this.events.bug(problem, over === "next")
  }

  /** Removes the problems. Pages get the news when the new program answers. */
  clear(): void {
    this.#problems = []
    this.recent.restart()
    for (const source of ["start", "program"] as const) this.#warned.delete(source)
    this.#tellWarnings()
  }

  /**
   * Shows warnings once, and again only if they change.
   *
   * @param fresh those that the terminal shows. Default: all.
   */
  warn(source: WarningSource, warnings: readonly Problem[], fresh = warnings): void {
    const { style } = viewOf(this.#io.stderr, this.#io.env)
    const texts = fresh.map((warning) => problemText(warning, style, "warning"))
    const isRepeated = (repeated as readonly WarningSource[]).includes(source)
    const text = firstOf(texts, "warning", isRepeated ? " fw validate lists all." : "")
    if (text !== (this.#warned.get(source)?.text ?? "") && text !== "") this.say("stderr", text)
    this.#warned.set(source, { text, warnings })
    this.#pending.delete(source)
    this.#tellWarnings()
  }

  /** Adds a warning of the program that runs, until another program runs. */
  warnOfProgram(warning: Problem): void {
    const { style, width } = viewOf(this.#io.stderr, this.#io.env)
    this.say("stderr", problemText(warning, style, "warning", width))
    this.#warned.set("program", { text: "", warnings: [...this.of("program"), warning] })
    this.#tellWarnings()
  }

  /** Notes that the project has changed: pages show its warnings as old ones until it is checked again. */
  change(): void {
    for (const source of repeated) this.#pending.add(source)
    this.#tellWarnings()
  }

  /** Returns the current warnings of a source. */
  of(source: WarningSource): readonly Problem[] {
    return this.#warned.get(source)?.warnings ?? []
  }

  #tellWarnings(): void {
    const isOld = [...this.#pending].some((source) => this.of(source).length > 0)
    this.events.warn(this.warnings, isOld)
  }

  /** Writes output of the program as it is. */
  output(stream: "stdout" | "stderr", text: string): void {
    this.#io[stream].write(text)
    this.recent.addOutput(stream, text)
  }

  /** Says that a changed program runs. */
  rebuilt(ms: number, files: string): void {
    this.say("stdout", `rebuilt in ${Math.round(ms)} ms: ${files}`)
  }

  /** Writes one or several lines. */
  say(stream: "stdout" | "stderr", text: string): void {
    this.#io[stream].write(text.endsWith("\n") ? text : `${text}\n`)
  }
}
