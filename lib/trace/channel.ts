/** The members of a channel of `node:diagnostics_channel` that fw uses to publish. */
export interface Channel {
  readonly hasSubscribers: boolean
  publish(message: unknown): void
  /**
   * Publishes a message, and runs a function. During the run, the AsyncLocalStorage that is bound to the channel has
   * the message as its store.
   */
  runStores<Result>(message: unknown, run: () => Result): Result
}
