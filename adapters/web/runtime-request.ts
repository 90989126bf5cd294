/** The data that the adapters of Bun and Deno have about a request. */
import type { UpgradeHandler } from "./upgrade-handler.ts"

/** An adapter's data about a request. */
export interface RuntimeRequest {
  /** The peer's address. */
  readonly address: string
  /** True if the runtime makes a URL with a host only of a valid Host, so that the host in a known URL needs no check. */
  readonly takesHostFromURL?: boolean
  /** Called for a response that takes time: it is not there at once, is a stream, or may be one. */
  onPending?(): void
  /** Aborts when the server begins to stop. */
  readonly stopSignal?: AbortSignal
  /** Aborts when a caller of `shutdown()` waits no longer, on a runtime that does not end streams then. */
  readonly forceSignal?: AbortSignal
  waitUntil?(promise: Promise<unknown>): void
  /** The signal of the exchange, if that of the Request does not meet its requirements. */
  readonly signal?: AbortSignal
  readonly isAborted?: boolean
  /** False if no body was sent although the Request has one. */
  readonly hasBody?: boolean
  /** True if the server is closing, so that the response ends its connection. */
  readonly isLast?: boolean
  /** Opens connections for upgrades; undefined if there are none. */
  readonly upgradeHandler?: UpgradeHandler | undefined
  /** True if the program listens for the client's disconnecting, which is reported until {@link onSent}. */
  readonly isSignalUsed?: boolean
  /** Called when the response is sent or has failed. */
  onSent?(): void
}
