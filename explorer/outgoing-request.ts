/** A request that is sent or shown as code. */

/** A request. The target begins with a slash and is relative to the server's own path. */
export interface OutgoingRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Blob | null
}
