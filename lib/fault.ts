/** An error for the developer, by its name in `lib/messages.ts`. Called wherever the core checks what a program registers. */
import { platform } from "#platform"
import { FwError } from "./errors.ts"
import type { Messages } from "./messages.ts"

/**
 * The error of a name, with the facts that its words are made of. Where the platform has no words, as in a worker that
 * does not import them, the name and the facts are the message.
 */
export function fault<Name extends keyof Messages>(
  name: Name,
  ...facts: Parameters<Messages[Name]>
): FwError {
  const words = platform.features.messages?.[name] as
    | ((...given: unknown[]) => readonly [string, string])
    | undefined
  const [what, fix] = words?.(...facts) ?? [
    `${name}: ${facts.join(" ")}`,
    'Write import "fw/workers/messages" to be told more.',
  ]
  return new FwError(name.split(".")[0] as string, what, fix)
}
