/** A graceful stop for runtimes that own their connections: they close the idle ones at once, so that the last requests are let in first. Used by the adapters of Bun and Deno. */
import { Stop } from "../shared/stop.ts"

/** How long keep-alive connections are still answered once the server stops, in milliseconds: each answer tells its client to leave. */
const idleTime = 1000

/** The runtime's server. */
export interface Stoppable {
  /** Takes no more connections; resolves when running requests are answered. */
  stop(): Promise<unknown>
  /** Closes everything now. */
  cut(): unknown
}

/** The end of a runtime's server. */
export class WebStop extends Stop {
  #server: Stoppable | undefined
  /** When the latest request came. */
  #latest = Number.NEGATIVE_INFINITY

  /** Sets what is to be stopped: it exists only once it listens. */
  own(server: Stoppable): void {
    this.#server = server
  }

  /** Notes a request. */
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

  /** Waits for clients to have used their connections: a second, and none where nobody has come for longer than that. */
  async #leave(): Promise<void> {
    if (performance.now() - this.#latest > idleTime) return
    await new Promise((resolve) => setTimeout(resolve, idleTime))
  }
}
