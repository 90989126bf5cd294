/** Compares answers of a running program with the types of its routes. */
import { env } from "../../../adapters/disk/env.ts"
import { projectMessages } from "../../messages/project.ts"
import { collectEntries } from "../../openapi/document/entries.ts"
import type { AnswerFacts, NamedType, TypeData } from "../../openapi/document/model.ts"
import { describeProject } from "../../openapi/openapi.ts"
import { findMain, type Project } from "../../project/project.ts"
import { readProjectTree } from "../../project/scan-project.ts"
import type { Untyped } from "../../tools/typescript/api.ts"
import { type AnswerIssue, findIssues } from "./find-issues.ts"
import { formatPath } from "./format-path.ts"
import { findUndeclared } from "./undeclared.ts"
import { toWireNamed, toWireType } from "./wire-types.ts"

/** An answer that `c.json()` has sent. */
export interface SentAnswer {
  readonly method: string
  /** The pattern of the route. */
  readonly pattern: string
  readonly status: number
  /** The body; null if it is too large. */
  readonly text: string | null
  /** The position of the call that sent it. */
  readonly at: { readonly file: string; readonly line: number; readonly column: number }
}

/** Differences of one kind between an answer and its declared type. */
export interface AnswerFinding {
  /** `type`: parts have another type. `undeclared`: the answer has properties that its type does not declare. */
  readonly kind: "type" | "undeclared"
  /** The method and the pattern: `GET /users`. */
  readonly route: string
  readonly status: number
  readonly parts: readonly AnswerPart[]
  readonly at: SentAnswer["at"]
}

/** A part of an answer. */
export interface AnswerPart {
  /** The path of the part: `users[].email`; `""` for the whole answer. */
  readonly path: string
  /** How it differs: `expected a string, got null`; undefined for a property that is not declared. */
  readonly issue?: string
  /** The named type that declares the part, and its position: `User (lib/users.ts:3)`. */
  readonly type?: string
}

/** The largest number of parts to report for an answer. */
const maxParts = 8

/** The types of all answers of a project. */
export class AnswerTypes {
  /** The answers by method and pattern. */
  readonly #routes: ReadonlyMap<string, readonly AnswerFacts[]>
  readonly #named: readonly NamedType[]

  /** @param named the named types to which the types of the answers refer. */
  constructor(routes: ReadonlyMap<string, readonly AnswerFacts[]>, named: readonly NamedType[]) {
    this.#routes = routes
    this.#named = named
  }

  /** Returns the differences of an answer; none if its type is not known, or if another program has sent it. */
  async check(answer: SentAnswer): Promise<readonly AnswerFinding[]> {
    const types = this.#findTypes(answer)
    if (types.length === 0 || answer.text === null) return []
    const value: unknown = JSON.parse(answer.text)
    const issues = await findIssues(value, types, this.#named)
    const { method, pattern, status, at } = answer
    const common = { route: `${method} ${pattern}`, status, at }
    const wrongParts = this.#findTypeIssues(issues, types)
    const undeclaredParts = findUndeclared(value, types, this.#named).map((path) => ({ path }))
    return [
      ...(wrongParts.length > 0 ? [{ kind: "type", parts: wrongParts, ...common } as const] : []),
      ...(undeclaredParts.length > 0 ? [{ kind: "undeclared", parts: undeclaredParts, ...common } as const] : []),
    ]
  }

  /**
   * Returns the types that a call may send: those of calls in its line, otherwise those in its file, because the
   * call may have moved. A route with the same pattern in another app, such as that of a test, is in another file,
   * so it has none.
   */
  #findTypes({ method, pattern, status, at }: SentAnswer): TypeData[] {
    const answers = (this.#routes.get(`${method === "HEAD" ? "GET" : method} ${pattern}`) ?? []).filter(
      (answer) => answer.status === status || answer.status === null,
    )
    const inFile = answers.filter((answer) => answer.at?.file === at.file)
    const answersOnLine = inFile.filter((answer) => answer.at?.line === at.line)
    return (answersOnLine.length > 0 ? answersOnLine : inFile).flatMap(({ type }) => (type ? [toWireType(type)] : []))
  }

  #findTypeIssues(issues: readonly AnswerIssue[], types: readonly TypeData[]): AnswerPart[] {
    const found = new Map<string, AnswerPart>()
    for (const issue of issues) {
      const { text, owner } = formatPath(issue.path, types, this.#named)
      const type = owner && { type: `${owner.name} (${owner.file}:${owner.line})` }
      if (!found.has(text)) found.set(text, { path: text, issue: issue.message, ...type })
    }
    return [...found.values()].slice(0, maxParts)
  }
}

/** Returns the message and the fix for a finding. */
export function describeFinding({ kind, route, status, parts }: AnswerFinding): {
  message: string
  fix: string
} {
  const [message, fix = ""] = projectMessages[`answers.${kind}`](route, status, parts)
  return { message, fix }
}

/**
 * Reads the types of a project's answers. Returns the reason if types cannot be read.
 *
 * @throws FwError as `fw routes` does.
 */
export async function readAnswerTypes({ root, appDir }: Project): Promise<AnswerTypes | Untyped> {
  const main = findMain({ root, appDir })
  const tree = await readProjectTree({ root, appDir })
  const described = await describeProject(root, tree, main)
  if ("untyped" in described) return described
  if (described.syntaxProblem) return described.syntaxProblem
  const entries = await collectEntries(tree, described, env.loadURLPattern)
  const routes = entries.map(({ route, facts, middleware }) => {
    const answers = [facts, ...middleware.map((layer) => layer.facts)].flatMap((one) => one?.answers ?? [])
    const sentAnswers = answers.filter(({ methods }) => !methods || methods.includes(route.method))
    return [
      `${route.method} ${route.pattern}`,
      sentAnswers.filter(({ media, error, at }) => media === "application/json" && !error && at),
    ] as const
  })
  return new AnswerTypes(new Map(routes), toWireNamed(described.types))
}
