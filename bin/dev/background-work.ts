/**
 * The work that `fw dev` does in the background while the program runs: it checks sources and types, and generates
 * the OpenAPI document.
 */

import { basename } from "node:path"
import { findRole } from "../../lib/scan/file-names.ts"
import type { Problem } from "../project/problems.ts"
import { type ChangeKind, isCode, type Project } from "../project/project.ts"
import type { SentAnswer } from "../validators/answers/answers.ts"
import { checkSources, checkTypes } from "./checks.ts"
import { DelayedCheck } from "./delayed-check.ts"
import type { Reporter } from "./problems/reporter.ts"
import type { CallAnswer } from "./server/messages.ts"
import { AnswerChecker } from "./types/answer-checker.ts"
import { DevValidators } from "./types/dev-validators.ts"
import { FactsProcess } from "./types/facts-process.ts"
import { OpenAPIFile } from "./types/openapi-file.ts"

/** Starts the background work again after every change. */
export class BackgroundWork {
  readonly #checks: DelayedCheck
  readonly #types: DelayedCheck
  readonly #facts: FactsProcess
  readonly #document: OpenAPIFile
  readonly #validators: DevValidators
  readonly #preparation: DelayedCheck
  readonly #answers: AnswerChecker
  readonly #reporter: Pick<Reporter, "markWarningsOld" | "showWarnings">

  /**
   * Creates the background work. Nothing runs yet.
   *
   * @param reporter receives the problems of every check, also an empty list.
   */
  constructor(project: Project, reporter: Pick<Reporter, "markWarningsOld" | "showWarnings" | "problems">) {
    this.#reporter = reporter
    this.#checks = new DelayedCheck(
      "the project was",
      (signal) => checkSources(project, signal),
      (problems) => reporter.showWarnings("checks", problems),
    )
    this.#types = new DelayedCheck(
      "the types were",
      (signal) => checkTypes(project, signal),
      (problems) => reporter.showWarnings("types", problems),
    )
    this.#facts = new FactsProcess(project)
    this.#document = new OpenAPIFile(project, this.#facts, (problems) => reporter.showWarnings("document", problems))
    const validators = new DevValidators({
      root: project.root,
      facts: this.#facts,
      report: (problems) => reporter.showWarnings("validators", problems),
      isOld: () => reporter.problems.length > 0,
    })
    this.#validators = validators
    this.#preparation = new DelayedCheck(
      "the validators were",
      (signal) => validators.prepare(signal),
      () => {},
    )
    this.#answers = new AnswerChecker(project.root, this.#facts, (problems, newProblems) =>
      reporter.showWarnings("answers", problems, newProblems),
    )
  }

  /** Called when a file begins to change. If the file is code, the known types are out of date from now on. */
  markTypesOld(path: string): void {
    if (!isCode(path)) return
    this.#validators.handleChange()
    this.#answers.handleChange()
  }

  /**
   * Returns the validators for the calls in a file.
   *
   * @param known the version that the server process has already.
   */
  readCalls(file: string, known: number): Promise<CallAnswer> {
    return this.#validators.answer(file, known)
  }

  /**
   * Compares an answer with its type. An answer of an older program is not compared, because the types may have
   * changed since.
   */
  async checkAnswer(answer: SentAnswer, isCurrent: boolean): Promise<readonly Problem[] | null> {
    return isCurrent ? this.#answers.check(answer) : null
  }

  /**
   * Handles a change. A running type check is stopped: its result would be out of date, and the rebuild needs the
   * processor. The document needs only the sources, so its generation does not wait for the rebuild.
   */
  handleChange(): void {
    this.#checks.stop()
    this.#types.stop()
    this.#preparation.stop()
    this.#answers.handleChange()
    this.#reporter.markWarningsOld()
    void this.#document.update()
  }

  /**
   * Called when a program has started.
   *
   * @param isFirst true for the first program of the session, because no change has requested a document yet.
   */
  handleProgram(isFirst: boolean): void {
    this.#checks.schedule()
    this.#types.schedule()
    this.#answers.handleProgram()
    if (isFirst) void this.#document.update()
    this.#preparation.schedule()
  }

  /** Handles changes that need no new program: checks static files, misplaced files and types. */
  handleOtherChanges(kinds: ReadonlyMap<string, ChangeKind>): void {
    const needsCheck = ([path, kind]: [string, ChangeKind]) => kind === "asset" || findRole(basename(path)) !== null
    if ([...kinds].some(needsCheck)) this.#checks.schedule()
    if (![...kinds.keys()].some(isCode)) return
    this.#types.schedule()
    this.#answers.handleProgram()
    this.#preparation.schedule()
  }

  /** Resolves when the OpenAPI document is ready; null if it is not being generated. */
  waitForDocument(): Promise<void> | null {
    return this.#document.isRunning ? this.#document.waitUntilDone() : null
  }

  /** Stops running work. Resolves when its processes have ended. */
  async close(): Promise<void> {
    await Promise.all([this.#checks.close(), this.#types.close(), this.#preparation.close(), this.#facts.close()])
  }
}
