/**
 * Takes the place of the part `messages` in a bundle that leaves it out. An error then shows its name and its facts
 * instead of a sentence.
 */
import type { Message } from "../messages/message.ts"
import type * as part from "./messages.ts"

const fixHint = "Its sentence is in the part messages: build without the condition fw-without-messages to read it."

/** Returns a catalogue that has a short message for any name. */
function createShortMessages<M extends object>(): M {
  return new Proxy({} as M, {
    get:
      (_, name) =>
      (...facts: readonly unknown[]): Message => [formatShortMessage(String(name), facts), fixHint],
  })
}

/** Returns the name of an error with its facts. Objects are left out, because they may contain secrets. */
function formatShortMessage(name: string, facts: readonly unknown[]): string {
  return `${name}: ${facts.filter((fact) => Object(fact) !== fact).join(" ")}`
}

export const coreMessages = /* @__PURE__ */ createShortMessages<typeof part.coreMessages>()
export const middlewareMessages = /* @__PURE__ */ createShortMessages<typeof part.middlewareMessages>()
export const misuses = /* @__PURE__ */ createShortMessages<typeof part.misuses>()
