/** Errors for the developer, by their names in `lib/messages.ts`. Called wherever the core checks what a program does. */
import { platform } from "#platform"
import { FwError } from "./errors.ts"
import type { Messages, Words } from "./messages.ts"

/** What is wrong with what a program registers: the error of a name, with the facts that its words are made of. */
export function fault<Name extends keyof Messages>(
  name: Name,
  ...facts: Parameters<Messages[Name]>
): FwError {
  const [what, fix = 'import "fw/workers/messages" says more.'] = wordsOf(name, facts)
  return new FwError(name.split(".")[0] as string, what, fix)
}

/** What is wrong with a call that a program makes while it answers. */
export function misuse<Name extends keyof Messages>(
  name: Name,
  ...facts: Parameters<Messages[Name]>
): TypeError {
  return new TypeError(wordsOf(name, facts)[0])
}

/** Where the platform has no words, as in a worker that does not import them, the name and the facts are the message. */
function wordsOf(name: keyof Messages, facts: readonly unknown[]): Words {
  const messages = platform.features.messages as Record<string, (...given: unknown[]) => Words> | undefined
  return messages?.[name]?.(...facts) ?? [`${name}: ${facts.join(" ")}`]
}
