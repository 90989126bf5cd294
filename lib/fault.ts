/** Errors for the developer, by their names in `lib/messages.ts`. Called wherever the core checks what a program does. */
import { FwError } from "./errors.ts"
import { type Messages, messages, type Words } from "./messages.ts"

declare const FW_MESSAGES: boolean

/** What is wrong with what a program registers: the error of a name, with the facts that its words are made of. */
export function fault<Name extends keyof Messages>(
  name: Name,
  ...facts: Parameters<Messages[Name]>
): FwError {
  const [what, fix = "A build with FW_MESSAGES says more."] = wordsOf(name, facts)
  return new FwError(name.split(".")[0] as string, what, fix)
}

/** What is wrong with a call that a program makes while it answers. */
export function misuse<Name extends keyof Messages>(
  name: Name,
  ...facts: Parameters<Messages[Name]>
): TypeError {
  return new TypeError(wordsOf(name, facts)[0])
}

/** In a bundle without the messages, the name and the facts are the message. */
function wordsOf(name: keyof Messages, facts: readonly unknown[]): Words {
  return typeof FW_MESSAGES === "undefined" || FW_MESSAGES
    ? (messages[name] as (...given: readonly unknown[]) => Words)(...facts)
    : [`${name}: ${facts.join(" ")}`]
}
