/** Sends telemetry to a collector: in batches, bounded, and again if the collector is away for a moment. */
import { log } from "../../lib/log/log.ts"

/** Most spans or lines that wait. What comes on top is lost. */
const maxQueued = 2048
/** The number that is sent at once. */
const batchSize = 512
/** Milliseconds after which fewer are sent, too. */
const delayMs = 5000
/** How often a batch is sent again, and the milliseconds before the first time. Each further one waits twice as long. */
const maxRetries = 4
const retryMs = 1000
/** The most milliseconds to wait, whatever the collector asks for. */
const maxWaitMs = 30_000

/** Where telemetry goes. */
export interface Target {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Runs what must not be traced. */
  readonly hide: <Result>(run: () => Result) => Result
}

/** The parts of an exporter. */
export interface ExporterOptions<Item> {
  /** What it sends, for the log: `spans`. */
  readonly what: string
  readonly target: Target
  readonly encode: (items: readonly Item[]) => object
  /** True if {@link Exporter.sendOnce} sends all of it, and no timer. */
  readonly isPerRequest: boolean
}

/** The queue of one kind of telemetry. */
export class Exporter<Item> {
  readonly #options: ExporterOptions<Item>
  #queue: Item[] = []
  #lost = 0
  #isFailing = false
  #timer: ReturnType<typeof setTimeout> | undefined
  #sending: Promise<void> | undefined
  /** Ends the pause before the next try. */
  #endPause = () => {}
  #isEnding = false

  constructor(options: ExporterOptions<Item>) {
    this.#options = options
  }

  /** Adds an item, which is sent later. Never waits and never throws. */
  add(item: Item): void {
    if (this.#queue.length >= maxQueued) this.#lose(1, "the collector is too slow")
    else this.#queue.push(item)
    if (this.#options.isPerRequest) return
    if (this.#queue.length >= batchSize) void this.#begin()
    else this.#timer ??= startTimer(() => this.#begin(), delayMs)
  }

  /** Sends all that waits; resolves when it is sent or lost. @param isLast true if nothing waits for another try. */
  async flush(isLast = false): Promise<void> {
    this.#isEnding ||= isLast
    if (isLast) this.#endPause()
    while (this.#queue.length > 0 || this.#sending) await (this.#sending ?? this.#begin())
  }

  /** Sends all that waits, once: on a worker nothing goes on after a request. */
  async sendOnce(): Promise<void> {
    const items = this.#queue.splice(0)
    if (items.length === 0) return
    const { problem } = await send(this.#options.target, JSON.stringify(this.#options.encode(items)))
    if (problem) this.#lose(items.length, problem)
    else this.#recover()
  }

  #begin(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined
    })
    return this.#sending
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, batchSize)
      const problem = await this.#sendBatch(batch)
      this.#queue = this.#queue.slice(batch.length)
      if (problem) this.#lose(batch.length, problem)
      else this.#recover()
    }
  }

  /** Returns what went wrong in the end; undefined if the batch was taken. */
  async #sendBatch(batch: readonly Item[]): Promise<string | undefined> {
    const body = JSON.stringify(this.#options.encode(batch))
    for (let attempt = 0; ; attempt++) {
      const { problem, again } = await send(this.#options.target, body)
      if (problem === undefined || again === undefined || attempt === maxRetries || this.#isEnding) return problem
      // A random part, so that many programs do not come back at once.
      const pause = again || retryMs * 2 ** attempt * (0.5 + Math.random())
      await new Promise<void>((resolve) => {
        this.#endPause = resolve
        startTimer(resolve, Math.min(pause, maxWaitMs))
      })
    }
  }

  #lose(count: number, problem: string): void {
    this.#lost += count
    if (this.#isFailing) return
    this.#isFailing = true
    log.warn(`telemetry: ${this.#options.what} are lost, because ${problem}. The next line about it says how many`, {
      url: this.#options.target.url,
    })
  }

  #recover(): void {
    if (!this.#isFailing) return
    this.#isFailing = false
    log.warn(`telemetry: ${this.#options.what} arrive again`, { lost: this.#lost, url: this.#options.target.url })
    this.#lost = 0
  }
}

/** Sends a body once. `again` is undefined if that would not help, and otherwise the milliseconds that the collector asks to wait, or 0. */
export async function send(target: Target, body: string): Promise<{ problem?: string; again?: number }> {
  const { url, headers, timeoutMs, hide } = target
  try {
    const answer = await hide(() =>
      fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body,
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      }),
    )
    // The connection is free when the body has been read.
    await answer.arrayBuffer()
    if (answer.ok) return {}
    const problem = `the collector answered ${answer.status}`
    const seconds = Number(answer.headers.get("retry-after"))
    // OTLP/HTTP, "Failures": these may pass.
    return [429, 502, 503, 504].includes(answer.status)
      ? { problem, again: seconds > 0 ? seconds * 1000 : 0 }
      : { problem }
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } }
    const reason = name === "TimeoutError" ? `did not answer in ${timeoutMs / 1000} s` : (cause?.code ?? message)
    return { problem: `the collector could not be reached (${reason})`, again: 0 }
  }
}

/** Starts a timer for which the process does not stay. */
export function startTimer(run: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(run, ms)
  const { unref } = timer as { unref?: () => void }
  unref?.call(timer)
  return timer
}
