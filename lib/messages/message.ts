/** The form of a catalogue of messages. */

/** A message: what is wrong and where, then how to fix it, unless the first part already tells it. */
export type Message = readonly [what: string, fix?: string]

/** Functions from facts to a message, by name. */
export type Messages = Readonly<Record<string, (...facts: never[]) => Message>>
