/** What the adapters of Bun and Deno know about a request. */
import type { UpgradeHandler } from "./upgrade-handler.ts"

/** What an adapter knows about a request. */
export interface RuntimeRequest {
  /** The address of the other end of the connection. */
  readonly address: string
  /** True if the runtime uses Host for the URL only if it is valid. A known host in the URL then needs no check. */
  readonly takesHostFromURL?: boolean
  /** Called if the response is not ready at once, or if it is or may be a stream. */
  onPending?(): void
  /** Aborts when the server begins to stop. */
  readonly stopSignal?: AbortSignal
  /**
   * Aborts when a caller of `shutdown()` does not want to wait any longer, on a runtime that does not end streams
   * itself then.
   */
  readonly forceSignal?: AbortSignal
  waitUntil?(promise: Promise<unknown>): void
  /** The signal for the exchange, if that of the Request does not behave as it should. */
  readonly signal?: AbortSignal
  readonly isAborted?: boolean
  /** False if the client has sent no body although the Request has one. */
  readonly hasBody?: boolean
  /** True if the server is stopping, so that this response must close its connection. */
  readonly isLast?: boolean
  /** Opens connections for upgrades; undefined if the runtime cannot. */
  readonly upgradeHandler?: UpgradeHandler | undefined
  /** True if the program has asked for the signal. It must abort if the client disconnects before {@link onSent}. */
  readonly isSignalUsed?: boolean
  /** Called when the response is sent or has failed. */
  onSent?(): void
}
