/** A request that is sent or shown as code. */

/** A request. Its target begins with a slash, and is relative to the path of the server. */
export interface OutgoingRequest {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Blob | null
}
