/** Compares the answers that a program sends during its tests with their types. */
import { readFileSync } from "node:fs"
import { FwError } from "../../lib/errors.ts"
import { projectFault } from "../messages/project.ts"
import { locateProblem } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import {
  type AnswerFinding,
  type AnswerTypes,
  describeFinding,
  readAnswerTypes,
  type SentAnswer,
} from "../validators/answers/answers.ts"
import { NewParts } from "../validators/answers/new-parts.ts"

/** An answer that does not match its type. */
export interface WrongAnswer extends Pick<AnswerFinding, "kind" | "route" | "status"> {
  readonly message: string
  readonly fix: string
  /** The file of the call that sent it, relative to the project. */
  readonly file: string
  readonly line: number
  readonly column: number
  /** The source lines around the call. */
  readonly frame: string | null
  /** Paths of the parts that differ: `users[].email`. */
  readonly paths: readonly string[]
  /** The first test file in which it was sent. */
  readonly test: string
}

/** The result of comparing. */
export interface ComparedAnswers {
  readonly answers: readonly WrongAnswer[]
  /** Why no answer was compared; null if answers were compared or there were none. */
  readonly uncompared: string | null
}

/** Matches a call whose answers have types. */
const jsonCall = /\.\s*json\s*[(<]/

const typedFile = /\.(?:[cm]?ts|tsx|tpl)$/

/**
 * Starts reading the types of answers, while the tests are running. Returns undefined if no file sends typed
 * answers, so that there is nothing to compare.
 */
export function startAnswerTypes(
  project: Project,
  inputs: ReadonlySet<string>,
): Promise<AnswerTypes | Untyped> | undefined {
  return [...inputs].some(mayAnswer) ? readAnswerTypes(project).catch(findReason) : undefined
}

/**
 * Checks that the types could be read.
 *
 * @throws FwError `answers` otherwise.
 */
export function checkAnswerTypes(types: AnswerTypes | Untyped | undefined, inputs: ReadonlySet<string>): void {
  // Without TypeScript files, there are no types to compare with.
  if (types && "untyped" in types && [...inputs].some((path) => typedFile.test(path) && mayAnswer(path)))
    throw projectFault("answers.untyped", [types.untyped, types.fix])
}

/**
 * Compares the answers that the tests have stored.
 *
 * @param bundles the paths of the bundles, by test file.
 */
export async function compareAnswers(
  root: string,
  types: AnswerTypes | Untyped,
  bundles: ReadonlyMap<string, string>,
): Promise<ComparedAnswers> {
  const answersByTest = [...bundles].map(([test, bundle]) => ({ test, answers: readAnswers(bundle) }))
  if ("untyped" in types) {
    const isPromised = answersByTest.some(({ answers }) => answers.some(({ at }) => typedFile.test(at.file)))
    return { answers: [], uncompared: isPromised ? types.untyped : null }
  }
  const newParts = new NewParts()
  const wrong: WrongAnswer[] = []
  for (const { test, answers } of answersByTest) {
    for (const answer of answers) {
      for (const found of await types.check(answer)) {
        const finding = newParts.keepNew(found)
        if (finding) wrong.push(describeAnswer(root, finding, test))
      }
    }
  }
  return { answers: wrong, uncompared: null }
}

function describeAnswer(root: string, finding: AnswerFinding, test: string): WrongAnswer {
  const { kind, route, status, parts, at } = finding
  const { message, fix } = describeFinding(finding)
  const { frame = null } = locateProblem(root, at.file, at, { message })
  return { kind, route, status, paths: parts.map(({ path }) => path), message, fix, ...at, frame, test }
}

/** Returns the answers of a test file. If its process was killed while it wrote, the last answer is left out. */
function readAnswers(bundle: string): SentAnswer[] {
  return readText(`${bundle}.answers`)
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as SentAnswer)
}

function mayAnswer(path: string): boolean {
  return jsonCall.test(readText(path))
}

/** Returns the text of a file; `""` if the file cannot be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

function findReason(error: unknown): Untyped {
  if (error instanceof FwError) return { untyped: error.message, fix: error.fix }
  return {
    untyped: String(error),
    fix: "Run tsc --noEmit. If that finds no errors, this is a bug in fw: please report it.",
  }
}
