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

/** Interval between checks for running requests, in milliseconds. */
const interval = 100

/** The runtime's server. */
export interface Stoppable {
  /**
   * Accepts no more connections; resolves when all are closed. A client that says nothing, or only a part of a TLS handshake,
   * can keep it waiting.
   */
  stop(): Promise<unknown>
  /** The number of requests that are not answered yet, and of WebSockets. */
  readonly running: number
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

  /** Aborts when a caller no longer waits for running requests. */
  get cutting(): AbortSignal {
    return this.cut.signal
  }

  override get running(): number {
    return this.#server?.running ?? 0
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
    await Promise.race([this.#leave().then(() => this.#end(server)), cut])
  }

  /** Stops the server, but does not wait longer than a second for connections without a request. */
  async #end(server: Stoppable): Promise<void> {
    const stopped = server.stop()
    let timer: ReturnType<typeof setInterval> | undefined
    let idleSince = performance.now()
    const idle = new Promise<void>((resolve) => {
      timer = setInterval(() => {
        const now = performance.now()
        if (server.running > 0) idleSince = now
        else if (now - idleSince >= idleTime) resolve()
      }, interval)
    })
    const isIdle = await Promise.race([stopped.then(() => false), idle.then(() => true)])
    clearInterval(timer)
    if (isIdle) server.cut()
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
