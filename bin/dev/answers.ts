/** Answers under `fw dev`: each is compared with its type, after it was sent. */
import { createHash } from "node:crypto"
import { type Problem, problemAt } from "../project/problems.ts"
import {
  type AnswerFinding,
  type AnswerPart,
  answerMessage,
  type SentAnswer,
} from "../validators/answers/answers.ts"
import type { FactsProcess } from "./facts.ts"

/** Most answers that wait. Under load, others are not compared. */
const mostWaiting = 50
/** Most answers to remember. */
const mostSeen = 2000

/** Receives what was found since the last change, and the part of it that is new. */
type Report = (problems: readonly Problem[], fresh: readonly Problem[]) => void

/** The answers of the program that runs, if it is that of the current files. */
export class DevAnswers {
  readonly #root: string
  readonly #facts: FactsProcess
  readonly #report: Report
  /** Another one after every change. */
  #version = 0
  #isCurrent = false
  #waiting = 0
  /** Answers that were compared with the current types. */
  readonly #seen = new Set<string>()
  /** The problems that were found for the current types, and the parts in them. */
  #problems: Problem[] = []
  readonly #found = new Set<string>()
  /** The parts that the terminal shows already. */
  readonly #shown = new Set<string>()

  /** Creates it. @param report receives what was found, also if there is nothing left. */
  constructor(root: string, facts: FactsProcess, report: Report) {
    this.#root = root
    this.#facts = facts
    this.#report = report
  }

  /** Handles a change of the code: the program that runs may be that of older types. */
  change(): void {
    this.#version += 1
    this.#isCurrent = false
  }

  /** Handles a program of the current files. */
  run(): void {
    this.#isCurrent = true
    this.#seen.clear()
    if (this.#problems.length === 0) return
    this.#problems = []
    this.#found.clear()
    this.#report([], [])
  }

  /** Compares an answer with its type. The same answer is compared once. */
  async check(answer: SentAnswer): Promise<void> {
    const version = this.#version
    if (!this.#isCurrent || this.#waiting >= mostWaiting || this.#isKnown(answer)) return
    this.#waiting += 1
    try {
      const findings = await this.#facts.ask("answer", { answer })
      if (version === this.#version) this.#take(answer, findings)
    } catch {
      // The process that reads types ended. Another answer is compared.
    } finally {
      this.#waiting -= 1
    }
  }

  #isKnown(answer: SentAnswer): boolean {
    const hash = createHash("sha256").update(JSON.stringify(answer)).digest("base64")
    const isKnown = this.#seen.has(hash)
    if (this.#seen.size >= mostSeen) this.#seen.clear()
    this.#seen.add(hash)
    return isKnown
  }

  #take({ method, pattern, status }: SentAnswer, findings: readonly AnswerFinding[]): void {
    const route = `${method} ${pattern} ${status}`
    // What was corrected is shown again if it comes back.
    if (findings.length === 0)
      for (const key of this.#shown) if (key.startsWith(`${route}\n`)) this.#shown.delete(key)
    const fresh: Problem[] = []
    for (const finding of findings) {
      const { kind, at } = finding
      const keyOf = ({ path, issue }: AnswerPart) => [route, at.file, kind, path, issue].join("\n")
      const parts = finding.parts.filter((part) => !this.#found.has(keyOf(part)))
      if (parts.length === 0) continue
      const problem = problemAt(this.#root, at.file, at, answerMessage({ ...finding, parts }))
      if (parts.some((part) => !this.#shown.has(keyOf(part)))) fresh.push(problem)
      for (const part of parts) {
        this.#found.add(keyOf(part))
        this.#shown.add(keyOf(part))
      }
      this.#problems.push(problem)
    }
    if (findings.length > 0) this.#report([...this.#problems], fresh)
  }
}
