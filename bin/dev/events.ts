/** The event stream to open pages (WHATWG HTML §9.2). Owned by the session; requests reach it through `dev-front.ts`. */
import type { ServerResponse } from "node:http"
import type { Problem } from "../project/problems.ts"
import { type Part, partsOf } from "./page.ts"

/** Proxies and browsers drop streams that say nothing for too long. */
const heartbeat = 20_000

/** The pages that listen, and what they are told. */
export class Events {
  readonly #pages = new Set<ServerResponse>()
  /** No other run of `fw dev` has it: pages that outlive one reload. */
  readonly #run = `${process.pid}.${Date.now()}`
  #count = 0
  #since = performance.now()
  #problems: readonly (readonly Part[])[] = []
  #timer: NodeJS.Timeout | undefined

  /** A page begins to listen: it is told at once how things are. */
  add(outgoing: ServerResponse): void {
    outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" })
    outgoing.write(`retry: 300\n${this.#state()}`)
    this.#pages.add(outgoing)
    this.#timer ??= setInterval(() => this.#send(": \n\n"), heartbeat).unref()
    outgoing.once("close", () => this.#pages.delete(outgoing))
  }

  /** Another program answers from now on: pages reload. */
  swapped(): void {
    this.#count += 1
    this.#since = performance.now()
    this.#problems = []
    this.#send(this.#state())
  }

  /** What is wrong now; nothing, when it was mended without a new program. */
  tell(problems: readonly Problem[]): void {
    this.#problems = problems.map(partsOf)
    this.#send(this.#state())
  }

  /** A stylesheet changed. `served` is whether it lies in the static directory. */
  styles(file: string, served: boolean): void {
    this.#send(`event: styles\ndata: ${JSON.stringify({ file, served })}\n\n`)
  }

  /** Something else that pages show changed. */
  reload(): void {
    this.#send("event: reload\ndata:\n\n")
  }

  /** Ends every stream. */
  close(): void {
    clearInterval(this.#timer)
    for (const page of this.#pages) page.end()
  }

  #state(): string {
    const version = `${this.#run}.${this.#count}`
    const age = Math.round(performance.now() - this.#since)
    return `event: state\ndata: ${JSON.stringify({ version, age, problems: this.#problems })}\n\n`
  }

  #send(text: string): void {
    for (const page of this.#pages) page.write(text)
  }
}
