/** What the framework's own modules may do with a context. Programs cannot. */
import type { Context } from "./context.ts"
import type { ContextSettings, ReadingAccess } from "./context-request.ts"
import type { HttpError } from "./errors.ts"
import type { BodyData, Exchange } from "./exchange.ts"

/** The app's way into a context. Not exported from the package. */
export interface ContextAccess extends ReadingAccess {
  /** @param refused why the request's path has no canonical form. */
  make(exchange: Exchange, path: string, settings: ContextSettings, refused?: HttpError): Context
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
