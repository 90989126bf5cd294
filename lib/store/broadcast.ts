/** `broadcaster()`: sends messages from any request to the clients of all processes. */
import { platform } from "#platform"
import { checkKeys } from "../checks.ts"
import { checkCapability, checkCount } from "./checks.ts"
import type { Store, Subscriber } from "./types.ts"

/**
 * A client that gets messages: the stream of `c.sse()`, or the socket of a WebSocket route.
 *
 * @example
 * const seen: string[] = []
 * const recipient: Recipient<string> = { signal: AbortSignal.abort(), send: async (text) => void seen.push(text) }
 * await broadcaster(memoryStore()).subscribe("news", recipient)
 */
export interface Recipient<Sent> {
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal
  /** Sends a message. Resolves when the client can take more. */
  send(sent: Sent): Promise<void>
}

/**
 * Options of `subscribe()` of a `broadcaster()`.
 *
 * @example
 * const options: DeliveryOptions<string> = { message: (data) => `news: ${data}`, queue: 20 }
 * app.socket("/news", () => ({ open: (socket) => live.subscribe("news", socket, options) }))
 * const live = broadcaster(memoryStore())
 */
export interface DeliveryOptions<Sent> {
  /**
   * Returns what to send for a message, or a promise of it; undefined to send nothing. If it throws, the error is
   * reported, and the client gets a gap. Default: the data, and for a socket the data as JSON.
   */
  readonly message?: (data: unknown) => Sent | undefined | Promise<Sent | undefined>
  /**
   * Returns what to send, or a promise of it, if the client may have missed messages because the store lost its
   * connection or the client is too slow. If it throws, the error is reported. Default: an event `gap`, and for a
   * socket `{"gap":true}`.
   */
  readonly gap?: () => Sent | undefined | Promise<Sent | undefined>
  /** Called when the subscription is active, before the first message is sent. It can send data that exists already. */
  readonly start?: () => unknown
  /**
   * Maximum number of messages that wait for a slow client. If there are more, they are dropped, and the client gets a
   * gap. Default: 100.
   */
  readonly queue?: number
}

/**
 * Sends messages to the clients of all processes.
 *
 * @example
 * const live: Broadcaster = broadcaster(memoryStore())
 * app.get("/news", (c) => c.sse((events) => live.subscribe("news", events)))
 * app.post("/news", async (c) => {
 *   await live.publish("news", await c.text())
 *   return c.noContent()
 * })
 */
export interface Broadcaster {
  /** Sends plain data to all clients that have subscribed to a topic, in every process. */
  publish(topic: string, data: unknown): Promise<void>
  /**
   * Sends a client everything that is published on a topic, in the same order. Resolves after the client has
   * disconnected and the subscription has ended.
   *
   * @throws the FwError of the store if it cannot be reached.
   */
  subscribe<Sent>(topic: string, client: Recipient<Sent>, options?: DeliveryOptions<Sent>): Promise<void>
}

/** Takes the place of missing messages in the queue. */
const missingMessages = Symbol("messages are missing")

/** Sends one client its messages, and queues them while the client is busy. */
class ClientDelivery<Sent> implements Subscriber {
  readonly #client: Recipient<Sent>
  readonly #options: DeliveryOptions<Sent>
  readonly #maxQueueLength: number
  #queue: unknown[] = []
  #wake: () => void = () => {}

  constructor(client: Recipient<Sent>, options: DeliveryOptions<Sent>, maxQueueLength: number) {
    this.#client = client
    this.#options = options
    this.#maxQueueLength = maxQueueLength
  }

  message(data: unknown): void {
    if (this.#queue.length >= this.#maxQueueLength) this.#queue = [missingMessages]
    else this.#queue.push(data)
    this.#wake()
  }

  gap(): void {
    if (this.#queue.length >= this.#maxQueueLength) this.#queue = []
    if (this.#queue.at(-1) !== missingMessages) this.#queue.push(missingMessages)
    this.#wake()
  }

  /** Sends messages until the client has disconnected. */
  async run(): Promise<void> {
    const { signal } = this.#client
    const wake = () => this.#wake()
    signal.addEventListener("abort", wake)
    try {
      await this.#options.start?.()
      while (!signal.aborted) {
        if (this.#queue.length > 0) await this.#send(this.#queue.shift())
        else
          await new Promise<void>((resolve) => {
            this.#wake = resolve
          })
      }
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      signal.removeEventListener("abort", wake)
    }
  }

  async #send(data: unknown): Promise<void> {
    const { message = this.#toUsualMessage, gap = this.#toUsualGap } = this.#options
    let payload: Sent | undefined
    try {
      payload = await (data === missingMessages ? gap() : message(data))
    } catch (error) {
      // Only this message could not be sent. The client gets a gap, so it knows that something is missing.
      platform.report(error)
      if (data !== missingMessages) this.gap()
      return
    }
    if (payload !== undefined && !this.#client.signal.aborted) await this.#client.send(payload)
  }

  readonly #toUsualMessage = (data: unknown) => (this.#isEvents ? { data } : JSON.stringify(data)) as Sent

  readonly #toUsualGap = () => (this.#isEvents ? { event: "gap", data: "" } : JSON.stringify({ gap: true })) as Sent

  /** True for a stream of events, false for a WebSocket. */
  get #isEvents(): boolean {
    return "lastEventId" in this.#client
  }
}

/**
 * Creates an object that sends messages to the clients of all processes, through the topics of a store.
 *
 * @throws FwError `store` for a store without `topic`, such as `sqliteStore()`.
 * @example
 * const live = broadcaster(memoryStore())
 * app.get("/news", (c) => c.sse((events) => live.subscribe("news", events)))
 * app.socket("/chat", () => ({
 *   open: (socket) => live.subscribe("chat", socket),
 *   message: (_, text) => live.publish("chat", text),
 * }))
 */
export function broadcaster(store: Store<"topic">): Broadcaster {
  checkCapability(store, "topic", "broadcaster()")
  return {
    publish: (topic, data) => store.topic.publish(topic, data),
    async subscribe(topic, client, options = {}) {
      const call = "broadcaster.subscribe()"
      checkKeys(options, ["message", "gap", "start", "queue"], "store", call)
      const { queue = 100 } = options
      checkCount(call, "queue", queue)
      if (client.signal.aborted) return
      const delivery = new ClientDelivery(client, options, queue)
      const unsubscribe = await store.topic.subscribe(topic, delivery)
      try {
        await delivery.run()
      } finally {
        await unsubscribe()
      }
    },
  }
}
