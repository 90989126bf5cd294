/** Compares answers under `fw dev` with their types, after they were sent. */
import { createHash } from "node:crypto"
import { locateProblem, type Problem } from "../../project/problems.ts"
import { type AnswerFinding, describeFinding, type SentAnswer } from "../../validators/answers/answers.ts"
import { NewParts } from "../../validators/answers/new-parts.ts"
import type { FactsProcess } from "./facts-process.ts"

/** The largest number of answers that may wait. Under load, further answers are not compared. */
const maxWaiting = 50
/** The number of compared answers to remember. */
const maxComparedAnswers = 2000

/** Receives all problems since the last change, and the new ones among them. */
type ReportProblems = (problems: readonly Problem[], newProblems: readonly Problem[]) => void

/** Checks the answers of the running program, if it was built from the current files. */
export class AnswerChecker {
  readonly #root: string
  readonly #facts: FactsProcess
  readonly #report: ReportProblems
  /** Increases with every change of the files. */
  #version = 0
  #isCurrent = false
  #waitingCount = 0
  /** Answers that were compared with the current types. */
  readonly #comparedAnswers = new Map<string, Promise<readonly Problem[] | null>>()
  /** The problems that were found with the current types, and the parts of answers that they are about. */
  #problems: Problem[] = []
  readonly #foundParts = new NewParts()
  /** The parts that the terminal already shows. */
  readonly #shownParts = new NewParts()

  /**
   * Creates a checker.
   *
   * @param report receives the problems, also if there are none any more.
   */
  constructor(root: string, facts: FactsProcess, report: ReportProblems) {
    this.#root = root
    this.#facts = facts
    this.#report = report
  }

  /** Called when code has changed. From now on, the running program may have older types. */
  handleChange(): void {
    this.#version += 1
    this.#isCurrent = false
  }

  /** Called when a program runs that was built from the current files. */
  handleProgram(): void {
    this.#isCurrent = true
    this.#comparedAnswers.clear()
    if (this.#problems.length === 0) return
    this.#problems = []
    this.#foundParts.clear()
    this.#report([], [])
  }

  /**
   * Compares an answer with its type. The same answer is compared only once.
   *
   * @returns the differences; null if the answer was not compared.
   */
  check(answer: SentAnswer): Promise<readonly Problem[] | null> {
    const hash = createHash("sha256").update(JSON.stringify(answer)).digest("base64")
    const earlierResult = this.#comparedAnswers.get(hash)
    if (earlierResult || !this.#isCurrent || this.#waitingCount >= maxWaiting)
      return earlierResult ?? Promise.resolve(null)
    const result = this.#compare(answer)
    if (this.#comparedAnswers.size >= maxComparedAnswers) this.#comparedAnswers.clear()
    this.#comparedAnswers.set(hash, result)
    return result
  }

  async #compare(answer: SentAnswer): Promise<readonly Problem[] | null> {
    const version = this.#version
    this.#waitingCount += 1
    try {
      const findings = await this.#facts.ask("answer", { answer })
      if (version !== this.#version) return null
      this.#addFindings(answer, findings)
      return findings.map((finding) => this.#locate(finding))
    } catch {
      // The process that reads types has ended. The next answer is compared again.
      return null
    } finally {
      this.#waitingCount -= 1
    }
  }

  #locate(finding: AnswerFinding): Problem {
    return locateProblem(this.#root, finding.at.file, finding.at, describeFinding(finding))
  }

  #addFindings({ method, pattern, status }: SentAnswer, findings: readonly AnswerFinding[]): void {
    // If a fixed problem comes back, it is shown again.
    if (findings.length === 0) this.#shownParts.forget(`${method} ${pattern}`, status)
    const newProblems: Problem[] = []
    for (const found of findings) {
      const finding = this.#foundParts.keepNew(found)
      if (!finding) continue
      const problem = this.#locate(finding)
      if (this.#shownParts.keepNew(finding)) newProblems.push(problem)
      this.#problems.push(problem)
    }
    if (findings.length > 0) this.#report([...this.#problems], newProblems)
  }
}
