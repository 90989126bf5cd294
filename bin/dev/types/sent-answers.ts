/** Collects the answers of a running program, with the positions of the calls that made them. */
import type { DevHooks, JSONResponse } from "../../../lib/dev/hooks.ts"
import { findLossyPart, type LossyPart } from "../../../lib/lossy-part.ts"
import type { SentAnswer } from "../../validators/answers/answers.ts"
import type { ProgramSources, SourcePlace } from "../bundle/program-sources.ts"
import { findCallerFrame } from "../problems/caller-frame.ts"

/** The longest body to compare with its type, in characters. In a longer body, lists are shortened. */
const maxBodyLength = 250_000
/** The number of items that a shortened list keeps. */
const maxItems = 100

/** Functions that handle answers. */
export interface AnswerWatchOptions {
  /** Returns the sources of the program; undefined before it runs. */
  readonly sources: () => ProgramSources | undefined
  readonly report: (answer: SentAnswer) => void
  /** Runs work after the answer was sent. Under load, some of the work is dropped. */
  readonly runLater: (work: () => void) => void
}

/**
 * Returns the hook for the answers that routes of the project send with `c.json()`. Errors in the hook do not
 * affect the answer, unless JSON would lose a part of it.
 */
export function watchAnswers({ sources, report, runLater }: AnswerWatchOptions): NonNullable<DevHooks["onAnswer"]> {
  return (answer) => {
    refuseLossy(answer)
    if (answer.pattern === "") return
    ignoreErrors(() => {
      const frame = findCallerFrame()
      const text = toShortText(answer)
      if (frame) runLater(() => ignoreErrors(() => passOn(answer, text, sources()?.findPlace(frame))))
    })
  }

  function passOn({ method, pattern, status }: JSONResponse, text: string | null, place?: SourcePlace): void {
    // The call is in a package, whose positions are not known.
    if (!place) return
    const at = { file: place.file, line: place.line ?? 1, column: place.column ?? 1 }
    report({ method, pattern, status, text, at })
  }
}

/**
 * Throws for an answer with a promise, a Map or a Set. In JSON they become `{}`, so the client would not get their
 * content.
 */
function refuseLossy({ data, text }: JSONResponse): void {
  let lossyPart: LossyPart | undefined
  ignoreErrors(() => {
    lossyPart = findLossyPart(data, text, ["{}"])
  })
  if (!lossyPart) return
  const { description, position, json, replacement } = lossyPart
  throw Object.assign(new TypeError(`c.json() got ${description}${position}, which is ${json} in JSON`), {
    fix:
      description === "a promise"
        ? "Is an await missing? Write await before the call that returns it, and await Promise.all(list) for a list."
        : `Send ${replacement}.`,
  })
}

function ignoreErrors(work: () => void): void {
  try {
    work()
  } catch {
    // A toJSON() of the program may throw, or a source map may be missing.
  }
}

/** Returns a function that runs work after the current events, at most `maxPerSecond` times per second. */
export function limitPerSecond(maxPerSecond: number): AnswerWatchOptions["runLater"] {
  let second = 0
  let count = 0
  return (work) => {
    const now = Math.floor(performance.now() / 1000)
    count = now === second ? count + 1 : 1
    second = now
    if (count <= maxPerSecond) setImmediate(work)
  }
}

/**
 * Returns the body, or a copy with shorter lists, because long ones take too long to compare. Returns null if the
 * copy is too long too.
 */
function toShortText({ text, data }: JSONResponse): string | null {
  if (text.length <= maxBodyLength) return text
  const short = JSON.stringify(data, (_, value: unknown) =>
    Array.isArray(value) && value.length > maxItems ? value.slice(0, maxItems) : value,
  )
  return short.length <= maxBodyLength ? short : null
}
