/** Starts and gracefully stops the server of an app. */
import type { App } from "../app.ts"
import { checkKeys } from "../checks.ts"
import { fault } from "../errors/fault.ts"
import type {
  Env,
  ListenOptions,
  ListenTarget,
  Platform,
  Server,
  ServerLifecycle,
  ShutdownOptions,
} from "../platform.ts"
import { checkSecrets, secretsVariable } from "../request/secrets.ts"
import { parseListenOptions } from "./listen-options.ts"
import { isDelay } from "./seconds.ts"
import { getShutdownFunctions, waitUntilAborted } from "./shutdown-functions.ts"

/** A platform with a server. */
export interface ServingPlatform extends Pick<Platform, "env"> {
  /** Starts a server for the app. Resolves when the server listens. */
  serve(app: App, options: ListenOptions): Promise<Server>
}

/** Starts and stops the server of one app. */
export class Lifecycle implements ServerLifecycle {
  readonly #app: App
  readonly #platform: ServingPlatform
  #server: Server | undefined
  #isBinding = false
  /** Set from the call of shutdown() until the server has stopped. It aborts when the delay before the stop is over. */
  #drainController: AbortController | undefined
  /** `FW_DRAIN`, in seconds. */
  #environmentDrain: number | undefined
  drainSeconds = 0

  constructor(app: App, platform: ServingPlatform) {
    this.#app = app
    this.#platform = platform
  }

  /** The address of the server, `host:port` or `unix:` and a path; `""` while the server is not listening. */
  get addr(): string {
    return this.#server?.addr ?? ""
  }

  get isStopping(): boolean {
    return this.#drainController !== undefined
  }

  /**
   * Starts the server.
   *
   * @param prepare is called before the server starts. Its promise resolves when the app can answer, and rejects if it cannot.
   * @throws FwError for an invalid address, for a port that is in use, and if the app is already listening.
   */
  async listen(target: ListenTarget | undefined, prepare: () => Promise<void>): Promise<void> {
    if (this.#server || this.#isBinding) {
      throw fault("listen", [this.addr])
    }
    const { options, drain } = readListenSettings(target, this.#platform.env)
    this.#environmentDrain = drain
    this.#isBinding = true
    try {
      await prepare()
      this.#server = await this.#platform.serve(this.#app, options)
    } finally {
      this.#isBinding = false
    }
  }

  /**
   * Stops the server. If several callers wait, the delay ends for all of them when it ends for one.
   *
   * @throws the signal's reason if it aborts before everything is closed, and a TimeoutError after `timeout`.
   */
  async shutdown(signal: AbortSignal | undefined, options: ShutdownOptions = {}): Promise<void> {
    if (signal !== undefined && !(signal instanceof AbortSignal)) throw fault("shutdown", [signal])
    checkKeys(options, ["drain", "timeout"], "shutdown", "the second argument of app.shutdown()")
    for (const [name, value] of Object.entries(options))
      if (value !== undefined && !isDelay(value)) throw fault("shutdown.seconds", [name, value])
    const server = this.#server
    const { drain = this.#environmentDrain ?? this.drainSeconds, timeout } = options
    if (!server)
      return waitUntilAborted(getShutdownFunctions(this.#app).runUnlessServing(), limitSignal(signal, timeout))
    this.#drainController ??= new AbortController()
    const { signal: drainSignal } = this.#drainController
    if (drain === 0) this.#drainController.abort()
    if (!drainSignal.aborted) await waitForDelay(this.#drainController, drain, signal)
    try {
      await server.shutdown(limitSignal(signal, timeout))
    } finally {
      if (this.#server === server) {
        this.#server = undefined
        this.#drainController = undefined
      }
    }
  }

  onShutdown(close: () => unknown): void {
    getShutdownFunctions(this.#app).add(close)
  }
}

/**
 * Returns where a server will listen, and the seconds in `FW_DRAIN`, and checks all other settings that a server needs.
 *
 * @throws FwError as `app.listen()` does, before anything has been started.
 */
export function readListenSettings(target: ListenTarget | undefined, { get }: Pick<Env, "get">) {
  checkSecrets(get(secretsVariable))
  return { options: parseListenOptions(target, get("PORT")), drain: parseDrain(get("FW_DRAIN")) }
}

/** Returns the seconds in `FW_DRAIN`. @throws FwError `shutdown` for other text. */
function parseDrain(text: string | undefined): number | undefined {
  if (!text) return undefined
  const seconds = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
  if (!isDelay(seconds)) throw fault("shutdown.variable", [text])
  return seconds
}

/** Resolves when the delay is over, when another caller ends it, or when the signal aborts. */
async function waitForDelay(delay: AbortController, seconds: number, signal: AbortSignal | undefined) {
  const end = () => delay.abort()
  const timer = setTimeout(end, seconds * 1000)
  signal?.addEventListener("abort", end)
  if (signal?.aborted) end()
  else await new Promise((resolve) => delay.signal.addEventListener("abort", resolve, { once: true }))
  clearTimeout(timer)
  signal?.removeEventListener("abort", end)
}

/** Returns a signal that aborts when the given signal does, and also after some seconds. */
function limitSignal(signal: AbortSignal | undefined, seconds: number | undefined): AbortSignal | undefined {
  if (seconds === undefined) return signal
  const limit = AbortSignal.timeout(seconds * 1000)
  return signal ? AbortSignal.any([signal, limit]) : limit
}
