/** The answers that a program sends during its tests, compared with their types. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { FwError } from "../../lib/errors.ts"
import { projectFault } from "../messages/project.ts"
import { problemAt } from "../project/problems.ts"
import type { Project } from "../project/project.ts"
import type { OwnDirectory } from "../system/own-directory.ts"
import { programPath } from "../system/package.ts"
import type { Untyped } from "../tools/typescript/api.ts"
import {
  type AnswerFinding,
  type AnswerTypes,
  answerMessage,
  readAnswerTypes,
  type SentAnswer,
} from "../validators/answers/answers.ts"
import { NewParts } from "../validators/answers/new-parts.ts"

/** An answer as a test process writes it, with the absolute path of its bundle. */
export type RecordedAnswer = SentAnswer & { readonly bundle: string }

/** An answer that does not fit its type. */
export interface WrongAnswer extends Pick<AnswerFinding, "kind" | "route" | "status"> {
  readonly message: string
  readonly fix: string
  /** The call that made it, relative to the project. */
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

/** The result of the comparison. */
export interface ComparedAnswers {
  readonly wrong: readonly WrongAnswer[]
  /** The reason why no answer was compared; null if they were, or if there is none. */
  readonly uncompared: string | null
}

/** The result for tests in which no call answers. */
export const nothingCompared: ComparedAnswers = { wrong: [], uncompared: null }

const recorder = pathToFileURL(programPath("bin/testing/answers-recorder"))
/** The call of which the types are needed. */
const answering = /\.\s*json\s*[(<]/

const typed = /\.(?:[cm]?ts|tsx|tpl)$/

/** The answers of one run. */
export class TestAnswers {
  readonly #project: Project
  readonly #directory: string
  readonly #types: Promise<AnswerTypes | Untyped>

  private constructor(project: Project, directory: string, types: Promise<AnswerTypes | Untyped>) {
    this.#project = project
    this.#directory = directory
    this.#types = types
  }

  /**
   * Begins to read the types, which takes place while the tests run. Without a call that answers in the files, there is nothing
   * to compare, and the result is undefined.
   *
   * @param isStrict true to wait for the types. @throws FwError `answers` if they cannot be read.
   */
  static async begin(
    project: Project,
    own: OwnDirectory,
    { inputs, isStrict }: { readonly inputs: ReadonlySet<string>; readonly isStrict: boolean },
  ): Promise<TestAnswers | undefined> {
    if (![...inputs].some(mayAnswer)) return undefined
    const types = readAnswerTypes(project).catch(untypedOf)
    const read = isStrict ? await types : undefined
    // JavaScript promises nothing that could not be compared.
    if (read && "untyped" in read && [...inputs].some((path) => typed.test(path) && mayAnswer(path)))
      throw projectFault("answers.untyped", [read.untyped, read.fix])
    return new TestAnswers(project, await own.directory("answers"), types)
  }

  /** The module that writes the answers, as a URL for `--import`. */
  get recorder(): string {
    const url = new URL(recorder)
    url.searchParams.set("directory", this.#directory)
    return url.href
  }

  /** Compares the answers that were written. @param tests test files by the paths of their bundles. */
  async compare(tests: ReadonlyMap<string, string>): Promise<ComparedAnswers> {
    const types = await this.#types
    const answers = this.#written()
    if ("untyped" in types) {
      const isPromised = answers.some(({ at }) => typed.test(at.file))
      return { wrong: [], uncompared: isPromised ? types.untyped : null }
    }
    const fresh = new NewParts()
    const wrong: WrongAnswer[] = []
    for (const { bundle, ...answer } of answers) {
      for (const found of await types.check(answer)) {
        const finding = fresh.of(found)
        if (finding) wrong.push(this.#wrong(finding, tests.get(bundle) ?? ""))
      }
    }
    return { wrong, uncompared: null }
  }

  #wrong(finding: AnswerFinding, test: string): WrongAnswer {
    const { kind, route, status, parts, at } = finding
    const { message, fix } = answerMessage(finding)
    const { frame = null } = problemAt(this.#project.root, at.file, at, { message })
    const paths = parts.map(({ path }) => path)
    return { kind, route, status, paths, message, fix, ...at, frame, test }
  }

  #written(): RecordedAnswer[] {
    const files = readdirSync(this.#directory).sort()
    return files.flatMap((file) => {
      const lines = readFileSync(join(this.#directory, file), "utf8").split("\n")
      return lines.flatMap((line) => parsed(line) ?? [])
    })
  }
}

function mayAnswer(path: string): boolean {
  try {
    return answering.test(readFileSync(path, "utf8"))
  } catch {
    return false
  }
}

/** Returns the answer of a line; undefined for the last one of a process that was killed while it wrote. */
function parsed(line: string): RecordedAnswer | undefined {
  try {
    return JSON.parse(line) as RecordedAnswer
  } catch {
    return undefined
  }
}

function untypedOf(error: unknown): Untyped {
  if (error instanceof FwError) return { untyped: error.message, fix: error.fix }
  return {
    untyped: String(error),
    fix: "Run tsc --noEmit. If that finds no errors, this is a bug in fw: please report it.",
  }
}
