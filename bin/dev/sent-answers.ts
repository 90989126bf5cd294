/** The answers of a program that runs, with the places of the calls that made them. */
import { type JSONAnswer, listenToAnswers } from "../../lib/dev-answers.ts"
import { modulePattern, nodeBundle, typeModules } from "../system/framework-files.ts"
import type { SentAnswer } from "../validators/answers/answers.ts"
import { callerFrame } from "./caller-frame.ts"
import type { RanSources } from "./ran.ts"

/** Longest body to compare with its type, in characters. Lists of a longer one are cut. */
const longest = 250_000
/** The number of items to which lists are cut. */
const mostItems = 100

const context = new RegExp(modulePattern(typeModules.context, nodeBundle))

/**
 * Passes on every answer that a route of the project makes by `c.json()`.
 *
 * @param sources the sources of the program; undefined before it runs.
 */
export function watchAnswers(
  sources: () => RanSources | undefined,
  pass: (answer: SentAnswer) => void,
): void {
  listenToAnswers((answer) => {
    try {
      const sent = answer.pattern === "" ? undefined : sentAnswer(answer, sources())
      if (sent) pass(sent)
    } catch {
      // The answer is sent, whatever happens here.
    }
  })
}

/** Returns an answer as data; undefined for one that code of a package makes. */
function sentAnswer(answer: JSONAnswer, sources: RanSources | undefined): SentAnswer | undefined {
  const { method, pattern, status } = answer
  const frame = callerFrame(context)
  const place = frame && sources?.placeAt(frame)
  if (!place) return undefined
  const at = { file: place.file, line: place.line ?? 1, column: place.column ?? 1 }
  return { method, pattern, status, text: shortText(answer), at }
}

/** Returns the body, or one with shorter lists, which cost less to compare; null if that is too long too. */
function shortText({ text, data }: JSONAnswer): string | null {
  if (text.length <= longest) return text
  const short = JSON.stringify(data, (_, value: unknown) =>
    Array.isArray(value) && value.length > mostItems ? value.slice(0, mostItems) : value,
  )
  return short.length <= longest ? short : null
}
