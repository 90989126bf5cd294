/** A request that is about to be sent, or written as code. */

/** What will be sent. The target begins with a slash and is below the server's own path. */
export interface Outgoing {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Blob | null
}
