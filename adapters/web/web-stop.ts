/**
 * A graceful stop for runtimes that own their connections. They close idle ones at once, so the last requests
 * are accepted first.
 */
import { GracefulStop } from "../shared/graceful-stop.ts"

/**
 * Time for which keep-alive connections are still answered while the server stops, in milliseconds. Each
 * response closes its connection.
 */
const idleTimeoutMs = 1000

/** Interval between checks for running requests, in milliseconds. */
const checkIntervalMs = 100

/** The runtime's server. */
export interface StoppableServer {
  /**
   * Accepts no more connections; resolves when all are closed. A client that says nothing, or only a part of a TLS handshake,
   * can keep it waiting.
   */
  stop(): Promise<unknown>
  /** The number of requests that are not answered yet, and of WebSockets. */
  readonly runningCount: number
  /** Closes everything at once. */
  closeNow(): unknown
}

/** The stop of a runtime's server. */
export class WebStop extends GracefulStop {
  #server: StoppableServer | undefined
  /** Time of the latest request. */
  #lastRequestTime = Number.NEGATIVE_INFINITY

  /** Sets the server to stop, which exists only after it listens. */
  setServer(server: StoppableServer): void {
    this.#server = server
  }

  /** Aborts when a caller no longer waits for running requests. */
  get forceSignal(): AbortSignal {
    return this.forceController.signal
  }

  override get running(): number {
    return this.#server?.runningCount ?? 0
  }

  /** Records a request. */
  noteRequest(): void {
    this.#lastRequestTime = performance.now()
  }

  protected override async close(): Promise<void> {
    const server = this.#server as StoppableServer
    const forcedEnd = new Promise<never>((_, reject) => {
      const stop = () => {
        server.closeNow()
        reject(this.forceController.signal.reason)
      }
      if (this.forceController.signal.aborted) stop()
      else this.forceController.signal.addEventListener("abort", stop, { once: true })
    })
    await Promise.race([this.#waitForClients().then(() => this.#stopServer(server)), forcedEnd])
  }

  /** Stops the server, but does not wait longer than a second for connections without a request. */
  async #stopServer(server: StoppableServer): Promise<void> {
    const stopped = server.stop()
    let timer: ReturnType<typeof setInterval> | undefined
    let idleSince = performance.now()
    const idle = new Promise<void>((resolve) => {
      timer = setInterval(() => {
        const now = performance.now()
        if (server.runningCount > 0) idleSince = now
        else if (now - idleSince >= idleTimeoutMs) resolve()
      }, checkIntervalMs)
    })
    const isIdle = await Promise.race([stopped.then(() => false), idle.then(() => true)])
    clearInterval(timer)
    if (isIdle) server.closeNow()
  }

  /**
   * Waits for clients to use their connections: a second, or nothing if there was no request for longer than
   * that.
   */
  async #waitForClients(): Promise<void> {
    if (performance.now() - this.#lastRequestTime > idleTimeoutMs) return
    await new Promise((resolve) => setTimeout(resolve, idleTimeoutMs))
  }
}
