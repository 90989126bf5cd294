/** The answers of a program that runs, with the places of the calls that made them. */
import type { DevHooks, JSONAnswer } from "../../lib/dev/hooks.ts"
import { type Lossy, lossyIn } from "../../lib/lossy.ts"
import type { SentAnswer } from "../validators/answers/answers.ts"
import { callerFrame } from "./caller-frame.ts"
import type { RanSources, SourcePlace } from "./ran.ts"

/** Longest body to compare with its type, in characters. Lists of a longer one are cut. */
const longest = 250_000
/** The number of items to which lists are cut. */
const mostItems = 100

/** Receives answers. */
export interface AnswerWatch {
  /** The sources of the program; undefined before it runs. */
  readonly sources: () => RanSources | undefined
  readonly pass: (answer: SentAnswer) => void
  /** Runs work that no answer waits for. Under load it may drop some. */
  readonly later: (work: () => void) => void
}

/**
 * Returns the hook that passes on the answers that routes of the project make by `c.json()`. They are sent, whatever happens here,
 * unless JSON loses a part.
 */
export function watchAnswers({ sources, pass, later }: AnswerWatch): NonNullable<DevHooks["onAnswer"]> {
  return (answer) => {
    refuseLost(answer)
    if (answer.pattern === "") return
    quietly(() => {
      const frame = callerFrame()
      const text = shortText(answer)
      if (frame) later(() => quietly(() => passOn(answer, text, sources()?.placeAt(frame))))
    })
  }

  function passOn({ method, pattern, status }: JSONAnswer, text: string | null, place?: SourcePlace): void {
    // Code of a package has no place.
    if (!place) return
    const at = { file: place.file, line: place.line ?? 1, column: place.column ?? 1 }
    pass({ method, pattern, status, text, at })
  }
}

/** Throws for an answer with a promise, a Map or a Set: its JSON has `{}` for it, so the client would get nothing of it. */
function refuseLost({ data, text }: JSONAnswer): void {
  let lost: Lossy | undefined
  quietly(() => {
    lost = lossyIn(data, text, ["{}"])
  })
  if (!lost) return
  const { what, at, becomes, instead } = lost
  throw Object.assign(new TypeError(`c.json() got ${what}${at}, which is ${becomes} in JSON`), {
    fix:
      what === "a promise"
        ? "Is an await missing? Write await before the call that returns it, and await Promise.all(list) for a list."
        : `Send ${instead}.`,
  })
}

function quietly(work: () => void): void {
  try {
    work()
  } catch {
    // A toJSON() of the program may throw, or a source map may be gone.
  }
}

/** Returns a function that runs work after the current events, at most so often per second. */
export function afterEvents(mostPerSecond: number): AnswerWatch["later"] {
  let second = 0
  let count = 0
  return (work) => {
    const now = Math.floor(performance.now() / 1000)
    count = now === second ? count + 1 : 1
    second = now
    if (count <= mostPerSecond) setImmediate(work)
  }
}

/** Returns the body, or one with shorter lists, which cost less to compare; null if that is too long too. */
function shortText({ text, data }: JSONAnswer): string | null {
  if (text.length <= longest) return text
  const short = JSON.stringify(data, (_, value: unknown) =>
    Array.isArray(value) && value.length > mostItems ? value.slice(0, mostItems) : value,
  )
  return short.length <= longest ? short : null
}
