/** The types of a catalogue of messages. */

/**
 * A message: what is wrong and where, then how to fix it. The second part is missing if the first one says it already.
 */
export type Message = readonly [problem: string, fix?: string]

/** The functions of a catalogue, by name. Each returns a message that contains its arguments. */
export type Messages = Readonly<Record<string, (...facts: never[]) => Message>>
