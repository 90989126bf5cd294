/**
 * A graceful stop for runtimes that manage connections themselves. When they stop, they close idle connections at once.
 * So the server first answers requests on them for up to a second.
 */
import { GracefulStop } from "../shared/graceful-stop.ts"

/**
 * Milliseconds for which connections are still answered while the server stops. Each response closes its connection.
 */
const idleTimeoutMs = 1000

/** Milliseconds between two checks for running requests. */
const checkIntervalMs = 100

/** The server of the runtime. */
export interface StoppableServer {
  /**
   * Accepts no further connections. Resolves when all connections are closed. A client that sends nothing, or only a
   * part of a TLS handshake, can delay that.
   */
  stop(): Promise<unknown>
  /** The number of unanswered requests and open WebSockets. */
  readonly runningCount: number
  /** Closes all connections at once. */
  closeNow(): unknown
}

/** Stops the server of a runtime gracefully. */
export class WebStop extends GracefulStop {
  #server: StoppableServer | undefined
  /** The time of the last request. */
  #lastRequestTime = Number.NEGATIVE_INFINITY

  /** Sets the server, which exists only after it has begun to listen. */
  setServer(server: StoppableServer): void {
    this.#server = server
  }

  /** Aborts when a caller of `shutdown()` does not want to wait any longer. */
  get forceSignal(): AbortSignal {
    return this.forceController.signal
  }

  override get runningCount(): number {
    return this.#server?.runningCount ?? 0
  }

  /** Records the time of a request. */
  noteRequest(): void {
    this.#lastRequestTime = Date.now()
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

  /** Stops the server. Waits at most a second for connections that have no request. */
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
   * Gives clients a second to use their open connections. If there was no request for longer than that, does not wait.
   */
  async #waitForClients(): Promise<void> {
    if (Date.now() - this.#lastRequestTime > idleTimeoutMs) return
    await new Promise((resolve) => setTimeout(resolve, idleTimeoutMs))
  }
}
