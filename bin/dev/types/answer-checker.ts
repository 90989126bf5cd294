/** Compares each answer under `fw dev` with its type, after it was sent. */
import { createHash } from "node:crypto"
import { locateProblem, type Problem } from "../../project/problems.ts"
import { type AnswerFinding, describeFinding, type SentAnswer } from "../../validators/answers/answers.ts"
import { NewParts } from "../../validators/answers/new-parts.ts"
import type { FactsProcess } from "./facts-process.ts"

/** The most answers that may wait. Under load, the others are not compared. */
const maxWaiting = 50
/** Most answers to remember. */
const maxSeen = 2000

/** Receives the problems that were found since the last change, and those of them that are new. */
type ReportProblems = (problems: readonly Problem[], fresh: readonly Problem[]) => void

/** Checks the answers of the running program, if that program was made from the current files. */
export class AnswerChecker {
  readonly #root: string
  readonly #facts: FactsProcess
  readonly #report: ReportProblems
  /** Changes with every change of the files. */
  #version = 0
  #isCurrent = false
  #waitingCount = 0
  /** Answers that were compared with the current types. */
  readonly #seen = new Map<string, Promise<readonly Problem[] | null>>()
  /** The problems that were found for the current types, and the parts in them. */
  #problems: Problem[] = []
  readonly #foundParts = new NewParts()
  /** The parts that the terminal already shows. */
  readonly #shownParts = new NewParts()

  /** Creates it. @param report receives what was found, also if no problem is left. */
  constructor(root: string, facts: FactsProcess, report: ReportProblems) {
    this.#root = root
    this.#facts = facts
    this.#report = report
  }

  /** Handles a change of the code: from now on, the running program may have older types. */
  handleChange(): void {
    this.#version += 1
    this.#isCurrent = false
  }

  /** Handles a program that was made from the current files. */
  handleProgram(): void {
    this.#isCurrent = true
    this.#seen.clear()
    if (this.#problems.length === 0) return
    this.#problems = []
    this.#foundParts.clear()
    this.#report([], [])
  }

  /**
   * Compares an answer with its type. The same answer is compared once.
   *
   * @returns what differs; null if the answer was not compared.
   */
  check(answer: SentAnswer): Promise<readonly Problem[] | null> {
    const hash = createHash("sha256").update(JSON.stringify(answer)).digest("base64")
    const known = this.#seen.get(hash)
    if (known || !this.#isCurrent || this.#waitingCount >= maxWaiting) return known ?? Promise.resolve(null)
    const found = this.#compare(answer)
    if (this.#seen.size >= maxSeen) this.#seen.clear()
    this.#seen.set(hash, found)
    return found
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
    // A problem that was fixed is shown again if it comes back.
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
