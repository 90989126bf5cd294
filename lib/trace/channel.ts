/** The part of a channel of `node:diagnostics_channel` that publishes. */
export interface Channel {
  readonly hasSubscribers: boolean
  publish(message: unknown): void
  /** Publishes a message, and runs a function with the stores that are bound to the channel. */
  runStores<Result>(message: unknown, run: () => Result): Result
}
