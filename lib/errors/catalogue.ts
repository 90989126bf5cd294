/** Makes errors for the developer from a catalogue of messages, by the name of a message and the values in it. */
import { FwError, type FwErrorOptions } from "../errors.ts"
import type { Message, Messages } from "../messages/message.ts"

export type { Messages }

/** Everything about an error except its message. */
export interface FaultOptions extends FwErrorOptions {
  /** A code in place of the one in the message's name, for a message that several codes share. */
  readonly code?: FwError["code"]
}

type FaultArguments<Facts> = [] extends Facts
  ? [facts?: Facts, options?: FaultOptions]
  : [facts: Facts, options?: FaultOptions]

/** Makes an error from a catalogue, by the name of its message. */
export type CreateFault<M extends Messages, E extends FwError = FwError> = <Name extends keyof M & string>(
  name: Name,
  ...args: FaultArguments<Parameters<M[Name]>>
) => E

type WriteMessage = (...facts: readonly unknown[]) => Message

/** Returns the function that makes errors from a catalogue. */
export function createFaults<M extends Messages, E extends FwError = FwError>(
  messages: M,
  ErrorClass: new (...parts: ConstructorParameters<typeof FwError>) => E = FwError as never,
): CreateFault<M, E> {
  return (name, ...args) => {
    const [facts = [], options = {}] = args as [facts?: readonly unknown[], options?: FaultOptions]
    const [sentence, fix = ""] = (messages[name] as WriteMessage)(...facts)
    return new ErrorClass(options.code ?? (name.split(".")[0] as string), sentence, fix, options)
  }
}
