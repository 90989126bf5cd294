/** Errors for the developer, made from the core's catalogues. */
import { faultsOf, type Message, shortMessage } from "./catalogue.ts"
import { applicationMessages } from "./messages/application.ts"
import { hostMessages } from "./messages/hosts.ts"
import { misuses } from "./messages/misuses.ts"
import { patternMessages } from "./messages/patterns.ts"

declare const FW_MESSAGES: boolean

/** Makes the error for a mistake in what a program registers or configures. */
export const fault = /* @__PURE__ */ faultsOf(
  typeof FW_MESSAGES === "undefined" || FW_MESSAGES
    ? { ...applicationMessages, ...patternMessages, ...hostMessages }
    : undefined,
)

/** Makes the error for a wrong call or result while a program answers a request. */
export function misuse<Name extends keyof typeof misuses>(
  name: Name,
  ...facts: Parameters<(typeof misuses)[Name]>
): TypeError {
  return new TypeError(
    typeof FW_MESSAGES === "undefined" || FW_MESSAGES
      ? (misuses[name] as (...given: readonly unknown[]) => Message)(...facts)[0]
      : shortMessage(name, facts),
  )
}
