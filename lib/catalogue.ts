/** The one way to make an error for the developer: from a catalogue of messages, by name, with the facts of the case. */
import type { FwErrorCode } from "./error-codes.ts"
import { FwError, type FwErrorOptions } from "./errors.ts"

/** A message: what is wrong and where, then how to fix it, where the first part does not say it. */
export type Message = readonly [what: string, fix?: string]

/** Functions from facts to a message, by name. */
export type Messages = Readonly<Record<string, (...facts: never[]) => Message>>

/** The code in a message's name, which is all of it or what comes before a dot: `pattern.slash` has the code `pattern`. */
export type CodeOf<Name> = Name extends `${infer Code}.${string}` ? Code : Name

/** A catalogue: functions from facts to a message, by names that begin with a code of {@link FwErrorCode}. */
export type Catalogue<M> = {
  readonly [Name in keyof M]: CodeOf<Name> extends FwErrorCode ? (...facts: never[]) => Message : never
}

type FactsOf<F> = F extends (...facts: infer Facts) => unknown ? Facts : never

/** Everything that an error has besides its message. */
export interface FaultOptions extends FwErrorOptions {
  /** Another code than the message's name has, where several kinds of work share a message. */
  readonly code?: FwErrorCode
}

type Given<Facts> = [] extends Facts
  ? [facts?: Facts, options?: FaultOptions]
  : [facts: Facts, options?: FaultOptions]

/** Makes the error of a name in a catalogue. */
export type Fault<M, E extends FwError = FwError> = <Name extends keyof M & string>(
  name: Name,
  ...given: Given<FactsOf<M[Name]>>
) => E

type Sentence = (...facts: readonly unknown[]) => Message

/** Returns the function that makes the errors of a catalogue. */
export function faultsOf<M extends Catalogue<M>, E extends FwError = FwError>(
  messages: M,
  Kind: new (...parts: ConstructorParameters<typeof FwError>) => E = FwError as never,
): Fault<M, E> {
  return (name, ...given) => {
    const [facts = [], options = {}] = given as [facts?: readonly unknown[], options?: FaultOptions]
    const [what, fix = ""] = (messages[name] as Sentence)(...facts)
    return new Kind(options.code ?? (name.split(".")[0] as FwErrorCode), what, fix, options)
  }
}
