/** Streams files from a server: silence ends it, a terminal sees it count up, passwords stay out of messages. Used for the CSS compiler and for Node. */
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { downloadFault } from "../messages/download.ts"

/** What a download may take. */
export interface Limits {
  /** Milliseconds without a byte after which a server counts as dead. */
  readonly stall: number
}

/** What is downloaded, in the words of messages. */
export interface Subject {
  /** As progress calls it: "the CSS compiler v4.0.0". */
  readonly what: string
  /** The code of the error when it fails. */
  readonly code: "css_download" | "node_download"
}

/** The part of the command's world that a download needs. */
export type DownloadWorld = Pick<Io, "stderr" | "signal">

/** The bytes of an answer, as they come. */
export type Bytes = AsyncIterable<Uint8Array>

const patience: Limits = { stall: 30_000 }

/** A server with files below an address, which may hold a password. */
export class DownloadServer {
  readonly #base: URL
  readonly #headers: Record<string, string> = { "accept-encoding": "identity" }
  readonly #subject: Subject
  readonly #world: DownloadWorld
  readonly #limits: Limits

  /** @param authorization the header's value, for a server that takes another than a password in its address. */
  constructor(base: URL, subject: Subject, world: DownloadWorld, limits = patience, authorization?: string) {
    const url = new URL(base)
    if (authorization !== undefined) this.#headers.authorization = authorization
    // fetch refuses a password in a URL; as a header it takes it, and drops it where a redirect leads elsewhere.
    else if (url.username || url.password) {
      const pair = `${decoded(url.username)}:${decoded(url.password)}`
      this.#headers.authorization = `Basic ${Buffer.from(pair).toString("base64")}`
    }
    url.username = url.password = ""
    url.pathname = url.pathname.replace(/\/+$/, "")
    url.hash = ""
    this.#base = url
    this.#subject = subject
    this.#world = world
    this.#limits = limits
  }

  /** The address, without what is secret in it. */
  get href(): string {
    return this.#base.href
  }

  /** An address as messages name it: without a password and without the query, which may be one. */
  shown(name: string): string {
    const url = this.#url(name)
    return `${url.origin}${url.pathname}`.replace(/\/$/, "")
  }

  #url(name: string): URL {
    const url = new URL(this.#base)
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${name}`
    return url
  }

  /** A small file's text; `status` tells whether there was one. */
  text(name: string): Promise<{ readonly status: number; readonly text: string }> {
    return this.#get(name, async (response) => ({
      status: response.status,
      text: response.ok ? await response.text() : "",
    }))
  }

  /** Hands over the bytes of a file as they come. That all of them came is checked by fetch, where the length is known. */
  stream<T>(name: string, read: (bytes: Bytes) => Promise<T>): Promise<T> {
    return this.#get(name, async (response, alive) => {
      if (!response.ok || !response.body) {
        throw downloadFault(`${this.#subject.code}.status`, [
          this.shown(name),
          response.status,
          name,
          this.shown(""),
        ])
      }
      const total = Number(response.headers.get("content-length") ?? 0)
      const progress = makeProgress(this.#subject.what, this.#world, total)
      try {
        return await read(
          watched(response.body, (count) => {
            alive()
            progress.add(count)
          }),
        )
      } finally {
        progress.end()
      }
    })
  }

  /** Asks for a file and hands the answer on; silence that lasts too long ends both. */
  async #get<T>(name: string, read: (response: Response, alive: () => void) => Promise<T>): Promise<T> {
    const { signal } = this.#world
    const { stall } = this.#limits
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(), stall)
    let reached = false
    try {
      const both = AbortSignal.any([signal, silence.signal])
      const response = await fetch(this.#url(name), { headers: this.#headers, signal: both })
      reached = true
      timer.refresh()
      return await read(response, () => void timer.refresh())
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      // What the disk refuses is no fault of the network's.
      if (cause instanceof FwError || (cause as NodeJS.ErrnoException).syscall) throw cause
      const silent = `sent nothing for ${stall / 1000} s`
      const why = silence.signal.aborted ? silent : reasonOf(cause as Error)
      throw downloadFault(
        `${this.#subject.code}.${reached ? "broken" : "unreachable"}`,
        [this.shown(name), why],
        { cause },
      )
    } finally {
      clearTimeout(timer)
      // Closes the connection where the answer was not read to its end.
      silence.abort()
    }
  }
}

async function* watched(body: ReadableStream<Uint8Array>, onBytes: (count: number) => void): Bytes {
  for await (const chunk of body as unknown as Bytes) {
    onBytes(chunk.byteLength)
    yield chunk
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** fetch tells what happened in a cause, and of several addresses tried in vain only a code. */
function reasonOf(error: Error): string {
  const cause = error.cause as (Error & { code?: string }) | undefined
  return cause?.message || cause?.code || error.message
}

/** A number of bytes as people read it. */
export function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** One line that counts up on a terminal; a single line elsewhere. */
function makeProgress(subject: string, { stderr }: DownloadWorld, total: number) {
  const what = `Downloading ${subject}`
  const whole = total > 0 ? ` of ${megabytes(total)}` : ""
  let bytes = 0
  let told = 0
  if (!stderr.isTerminal) stderr.write(`${what}${total > 0 ? `, ${megabytes(total)}` : ""}\n`)
  const show = () => stderr.write(`\r\x1b[K${what}: ${megabytes(bytes)}${whole}`)
  if (stderr.isTerminal) show()
  return {
    add(count: number) {
      bytes += count
      if (!stderr.isTerminal || bytes - told < 500_000) return
      told = bytes
      show()
    },
    end() {
      if (stderr.isTerminal) stderr.write("\r\x1b[K")
    },
  }
}
