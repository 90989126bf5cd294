/** What the framework's own modules may do with a context. Programs cannot. */
import type { Context } from "./context.ts"
import type { HttpError } from "./errors.ts"
import type { BodyData } from "./exchange.ts"
import type { ReadingAccess } from "./request/context-request.ts"

/** The one way into a context. `lib/context.ts` sets it: as a file of its own it can be imported by what the context itself imports. */
export let access: ContextAccess

/** Sets {@link access}. Called once, by the class. */
export function setAccess(given: ContextAccess): void {
  access = given
}

/** The app's way into a context. Not exported from the package. */
export interface ContextAccess extends ReadingAccess {
  refused(c: Context): HttpError | undefined
  /** A logger takes the request's bug on itself. */
  bugTaken(c: Context): void
  isBugTaken(c: Context): boolean
  /**
   * Forgets the headers with these names that were set on the context. Where an answer was remade, it has the others,
   * and takes the place of the last.
   */
  forget(c: Context, isForgotten: (name: string) => boolean, remade?: Response): void
  /** Makes an answer as the context's own methods do. `headers` has lower-case names. */
  respond(c: Context, status: number, headers: Record<string, string>, body: BodyData): Response
  /** Puts on an answer what was set on the context since it was last put there. */
  flush(c: Context, response: Response): Response
}
