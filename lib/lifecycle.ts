/** The server of an app: started once at a time, and stopped gracefully. */
import type { App } from "./app.ts"
import { fault } from "./fault.ts"
import { listenOptions } from "./listen.ts"
import type { Listening, ListenOptions, ListenTarget, Platform, Server } from "./platform.ts"

/** A platform with a server. */
export interface Serving extends Pick<Platform, "env"> {
  /** Starts a server for the app; resolves when it is bound. */
  serve(app: App, options: ListenOptions): Promise<Server>
}

/** Starts and stops the server. */
export class Lifecycle implements Listening {
  readonly #platform: Serving
  #server: Server | undefined
  #binding = false

  constructor(platform: Serving) {
    this.#platform = platform
  }

  /** `host:port`; `""` while it is not listening. */
  get addr(): string {
    return this.#server?.addr ?? ""
  }

  /**
   * Starts the server.
   *
   * @param ready resolves when the app can answer, and rejects with the reason if it cannot.
   * @throws FwError for an invalid address, a port in use, an app that is already listening.
   */
  async listen(app: App, target: ListenTarget | undefined, ready: () => Promise<void>): Promise<void> {
    if (this.#server || this.#binding) {
      throw fault("listen", [this.addr])
    }
    const options = listenOptions(target, this.#platform.env.get("PORT"))
    this.#binding = true
    try {
      await ready()
      this.#server = await this.#platform.serve(app, options)
    } finally {
      this.#binding = false
    }
  }

  /** Stops the server. @throws the signal's reason if it aborts before everything is closed. */
  async shutdown(signal: AbortSignal | undefined): Promise<void> {
    if (signal !== undefined && !(signal instanceof AbortSignal)) throw fault("shutdown", [signal])
    const server = this.#server
    if (!server) return
    try {
      await server.shutdown(signal)
    } finally {
      if (this.#server === server) this.#server = undefined
    }
  }
}
