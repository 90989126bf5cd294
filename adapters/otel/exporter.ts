/**
 * Sends telemetry to a collector in batches. The queue is limited, and a batch is sent again if the collector does not
 * answer.
 */
import { log } from "../../lib/log/log.ts"

/** Maximum number of spans or lines that wait. Further ones are lost. */
const maxQueueItems = 2048
/** Number of items that are sent at once. */
const batchSize = 512
/** Milliseconds after which a smaller batch is sent too. */
const maxBatchDelayMs = 5000
/** How often a batch is sent again, and the milliseconds before the first repetition. The pause doubles each time. */
const maxRetries = 4
const firstRetryMs = 1000
/** Maximum pause in milliseconds, even if the collector asks for a longer one. */
const maxWaitMs = 30_000

/** Where telemetry is sent, and how. */
export interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Milliseconds that an answer may take. Default: ten seconds. */
  readonly timeoutMs?: number
  /** Runs a function without tracing it. Otherwise the requests to the collector would be traced. */
  readonly runUntraced: <Result>(run: () => Result) => Result
}

/** Options of {@link Exporter}. */
export interface ExporterOptions<Item> {
  /** The name of its items in the log: `spans`. */
  readonly itemName: string
  readonly target: Target
  readonly encode: (items: readonly Item[]) => object
  /** True if there is no timer, and {@link Exporter.sendOnce} sends everything. */
  readonly isPerRequest: boolean
}

/** Collects items of one kind, and sends them. */
export class Exporter<Item> {
  readonly #options: ExporterOptions<Item>
  #queue: Item[] = []
  #lostCount = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #sendPromise: Promise<void> | undefined
  /** Ends the pause before the next attempt. */
  #endPause = () => {}
  #isEnding = false

  constructor(options: ExporterOptions<Item>) {
    this.#options = options
  }

  /** Adds an item to the queue. Never waits and never throws. */
  add(item: Item): void {
    if (this.#queue.length >= maxQueueItems) this.#lose(1, "the collector is too slow")
    else this.#queue.push(item)
    if (this.#options.isPerRequest) return
    if (this.#queue.length >= batchSize) void this.#startSending()
    else this.#timer ??= startTimer(() => this.#startSending(), maxBatchDelayMs)
  }

  /**
   * Sends everything that waits. Resolves when it is sent or lost.
   *
   * @param isLast true to make no further attempts after one that has failed.
   */
  async flush(isLast = false): Promise<void> {
    this.#isEnding ||= isLast
    if (isLast) this.#endPause()
    while (this.#queue.length > 0 || this.#sendPromise) await (this.#sendPromise ?? this.#startSending())
  }

  /** Sends everything that waits, with one attempt. It is for workers, which cannot continue after a request. */
  async sendOnce(): Promise<void> {
    const items = this.#queue.splice(0)
    if (items.length > 0) await this.#sendBatch(items, 0)
  }

  #startSending(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sendPromise ??= this.#sendAll().finally(() => {
      this.#sendPromise = undefined
    })
    return this.#sendPromise
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, batchSize)
      await this.#sendBatch(batch, maxRetries)
      this.#queue = this.#queue.slice(batch.length)
    }
  }

  /** Sends a batch, and again while the collector does not accept it. */
  async #sendBatch(batch: readonly Item[], retries: number): Promise<void> {
    const body = JSON.stringify(this.#options.encode(batch))
    for (let attempt = 0; ; attempt++) {
      const { problem, retryAfterMs } = await send(this.#options.target, body)
      if (problem === undefined) return this.#recover()
      if (retryAfterMs === undefined || attempt === retries || this.#isEnding) return this.#lose(batch.length, problem)
      // The random part prevents many programs from trying again at the same time.
      const pause = retryAfterMs || firstRetryMs * 2 ** attempt * (0.5 + Math.random())
      await new Promise<void>((resolve) => {
        this.#endPause = resolve
        startTimer(resolve, Math.min(pause, maxWaitMs))
      })
    }
  }

  #lose(count: number, problem: string): void {
    const isFirst = this.#lostCount === 0
    this.#lostCount += count
    if (!isFirst) return
    log.warn(`telemetry: ${this.#options.itemName} are lost, because ${problem}. A later line says how many`, {
      url: this.#options.target.url,
    })
  }

  #recover(): void {
    if (this.#lostCount === 0) return
    log.warn(`telemetry: ${this.#options.itemName} arrive again`, {
      lost: this.#lostCount,
      url: this.#options.target.url,
    })
    this.#lostCount = 0
  }
}

/**
 * Sends a body once. In the result, `retryAfterMs` is undefined if another attempt would not help; otherwise it is the
 * number of milliseconds that the collector asks to wait, or 0.
 */
export async function send(target: Target, body: string): Promise<{ problem?: string; retryAfterMs?: number }> {
  const { url, headers, timeoutMs = 10_000, runUntraced } = target
  try {
    const answer = await runUntraced(() =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        // Not "error", which workers refuse. A redirect is an answer that is not ok.
        redirect: "manual",
        signal: AbortSignal.timeout(timeoutMs),
      }),
    )
    // The connection can be used again only after the body was read.
    await answer.arrayBuffer()
    if (answer.ok) return {}
    const problem = `the collector answered ${answer.status}`
    const seconds = Number(answer.headers.get("retry-after"))
    // With these statuses, another attempt may work (OTLP/HTTP, "Failures").
    return [429, 502, 503, 504].includes(answer.status)
      ? { problem, retryAfterMs: seconds > 0 ? seconds * 1000 : 0 }
      : { problem }
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } }
    const reason = name === "TimeoutError" ? `did not answer in ${timeoutMs / 1000} s` : (cause?.code ?? message)
    return { problem: `the collector could not be reached (${reason})`, retryAfterMs: 0 }
  }
}

/** Starts a timer that does not keep the process alive. */
export function startTimer(run: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(run, ms)
  const { unref } = timer as { unref?: () => void }
  unref?.call(timer)
  return timer
}
