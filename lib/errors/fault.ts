/** Makes errors for the developer from the messages of the core. */
import { coreMessages, misuses } from "#parts/messages"
import type { Message } from "../messages/message.ts"
import { createFaults } from "./catalogue.ts"

/** Makes the error for a mistake in the registration or the configuration of a program. */
export const fault = /* @__PURE__ */ createFaults(coreMessages)

/** Makes the error for a wrong call, or a wrong result, while a program answers a request. */
export function misuse<Name extends keyof typeof misuses>(
  name: Name,
  ...facts: Parameters<(typeof misuses)[Name]>
): TypeError {
  const writeMessage = misuses[name] as (...args: readonly unknown[]) => Message
  return new TypeError(writeMessage(...facts)[0])
}
