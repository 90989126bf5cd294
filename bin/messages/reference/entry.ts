/** Entries of the error reference: what a code means, and its real messages, made from example facts. */
import type { Catalogue, CodeOf, Message } from "../../../lib/catalogue.ts"
import type { FwErrorCode } from "../../../lib/error-codes.ts"

/** The entry of one code. */
export interface Entry {
  readonly code: FwErrorCode
  /** When the error occurs and what to do, beyond the messages; empty in a second catalogue with the code. */
  readonly about: string
  /** Every message of the code, with example facts. */
  readonly examples: readonly Message[]
}

type FactsOf<F> = F extends (...facts: infer Facts) => unknown ? Facts : never

/** A text for each code of a catalogue, and example facts for each of its messages. */
export type Described<M> = {
  readonly [Code in CodeOf<keyof M>]: readonly [
    about: string,
    examples: { readonly [Name in keyof M as CodeOf<Name> extends Code ? Name : never]: FactsOf<M[Name]> },
  ]
}

type AnyMessage = (...facts: readonly unknown[]) => Message

/** Returns the entries of a catalogue. The type requires a text for each code and facts for each message. */
export function entriesOf<M extends Catalogue<M>>(messages: M, described: Described<M>): Entry[] {
  const codes = Object.entries(described) as [FwErrorCode, readonly [string, Record<string, unknown[]>]][]
  return codes.map(([code, [about, examples]]) => ({
    code,
    about,
    examples: Object.entries(examples).map(([name, facts]) =>
      (messages[name as keyof M] as AnyMessage)(...facts),
    ),
  }))
}
