/** Remembers which parts of answers were reported, so that each is reported once. */
import type { AnswerFinding, AnswerPart } from "./answers.ts"

/** Remembers parts by route, status and file. */
export class NewParts {
  readonly #reportedKeys = new Set<string>()

  /** Returns a finding with only the parts that are new; undefined if there are none. */
  keepNew(finding: AnswerFinding): AnswerFinding | undefined {
    const parts = finding.parts.filter((part) => {
      const key = toKey(finding, part)
      const isNew = !this.#reportedKeys.has(key)
      this.#reportedKeys.add(key)
      return isNew
    })
    return parts.length > 0 ? { ...finding, parts } : undefined
  }

  /** Forgets the parts of the answers of a route with a status. */
  forget(route: string, status: number): void {
    const start = toPrefix(route, status)
    for (const key of this.#reportedKeys) if (key.startsWith(start)) this.#reportedKeys.delete(key)
  }

  /** Forgets all parts. */
  clear(): void {
    this.#reportedKeys.clear()
  }
}

function toPrefix(route: string, status: number): string {
  return `${route} ${status}\n`
}

function toKey({ kind, route, status, at }: AnswerFinding, { path, issue }: AnswerPart): string {
  return toPrefix(route, status) + JSON.stringify([at.file, kind, path, issue])
}
