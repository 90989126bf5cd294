/**
 * A graceful stop for runtimes that own their connections. They close idle ones at once, so the last requests
 * are accepted first.
 */
import { Stop } from "../shared/stop.ts"

/**
 * Time for which keep-alive connections are still answered while the server stops, in milliseconds. Each
 * response closes its connection.
 */
const idleTime = 1000

/** The runtime's server. */
export interface Stoppable {
  /** Accepts no more connections; resolves when running requests are answered. */
  stop(): Promise<unknown>
  /** Closes everything at once. */
  cut(): unknown
}

/** The stop of a runtime's server. */
export class WebStop extends Stop {
  #server: Stoppable | undefined
  /** Time of the latest request. */
  #latest = Number.NEGATIVE_INFINITY

  /** Sets the server to stop, which exists only after it listens. */
  own(server: Stoppable): void {
    this.#server = server
  }

  /** Records a request. */
  note(): void {
    this.#latest = performance.now()
  }

  protected override async close(): Promise<void> {
    const server = this.#server as Stoppable
    const cut = new Promise<never>((_, reject) => {
      const stop = () => {
        server.cut()
        reject(this.cut.signal.reason)
      }
      if (this.cut.signal.aborted) stop()
      else this.cut.signal.addEventListener("abort", stop, { once: true })
    })
    await Promise.race([this.#leave().then(() => server.stop()), cut])
  }

  /**
   * Waits for clients to use their connections: a second, or nothing if there was no request for longer than
   * that.
   */
  async #leave(): Promise<void> {
    if (performance.now() - this.#latest > idleTime) return
    await new Promise((resolve) => setTimeout(resolve, idleTime))
  }
}
