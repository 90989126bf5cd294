/** The data that the adapters of Bun and Deno have about a request. */
import type { Upgrades } from "./upgrade.ts"

/** An adapter's data about a request. */
export interface Arrival {
  /** The peer's address. */
  readonly address: string
  /** Aborts when the server begins to stop. */
  readonly closing?: AbortSignal
  /** Aborts when a caller of `shutdown()` waits no longer, on a runtime that does not end streams then. */
  readonly cutting?: AbortSignal
  waitUntil?(promise: Promise<unknown>): void
  /** The signal of the exchange, if that of the Request does not meet its requirements. */
  readonly signal?: AbortSignal
  readonly aborted?: boolean
  /** False if no body was sent although the Request has one. */
  readonly hasBody?: boolean
  /** True if the server is closing, so that the response ends its connection. */
  readonly last?: boolean
  /** Opens connections for upgrades; undefined if there are none. */
  readonly upgrading?: Upgrades | undefined
  /** True if the program listens for the client's disconnecting, which is reported until {@link sent}. */
  readonly heard?: boolean
  /** Called when the response is sent or has failed. */
  sent?(): void
}
