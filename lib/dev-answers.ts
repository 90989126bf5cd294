/**
 * Answers of `c.json()` under `fw dev` and `fw test`, which compare them with their types. There a listener is set; in other
 * programs there is none, and bundles of `fw build` leave this file out.
 */

/** An answer. */
export interface JSONAnswer {
  readonly method: string
  /** Pattern of the route; `""` if none was matched. */
  readonly pattern: string
  readonly status: number
  /** The body. */
  readonly text: string
  /** The value of which the body was made. */
  readonly data: unknown
}

/** Receives an answer while the call that makes it runs, so that the stack has the call. It throws only for an answer that is a bug. */
export type AnswerListener = (answer: JSONAnswer) => void

/** Shared by every copy of fw in the process, because the command's copy may differ from the project's. */
const key: unique symbol = Symbol.for("fw.answers")

type Holder = { [key]?: AnswerListener }

/** Sets the listener; undefined removes it. */
export function listenToAnswers(listener: AnswerListener | undefined): void {
  const scope = globalThis as Holder
  if (listener) scope[key] = listener
  else delete scope[key]
}

/** Passes an answer to the listener, if there is one. */
export function noteAnswer(
  { method, pattern }: Pick<JSONAnswer, "method" | "pattern">,
  status: number,
  text: string,
  data: unknown,
): void {
  ;(globalThis as Holder)[key]?.({ method, pattern, status, text, data })
}
