/**
 * Downloads files from a server, with a time limit for silence, with progress on a terminal, and without passwords
 * in messages.
 */
import { FwError } from "../../lib/errors.ts"
import type { Io } from "../cli/terminal.ts"
import { type DownloadCode, downloadFault } from "../messages/download.ts"

/** Limits of a download. */
export interface DownloadLimits {
  /** The time without data after which a download fails, in milliseconds. */
  readonly stall: number
}

/** What is downloaded, for messages. */
export interface DownloadSubject {
  /** The name in progress messages: "the CSS compiler v4.0.0". */
  readonly what: string
  /** The code of the error. */
  readonly code: DownloadCode
}

/** The members of `Io` that a download needs. */
export type ProgressIo = Pick<Io, "stderr" | "signal">

/** The bytes of a response while they arrive. */
export type Bytes = AsyncIterable<Uint8Array>

const defaultLimits: DownloadLimits = { stall: 30_000 }

/** A server with files below a URL. The URL may contain a password. */
export class DownloadServer {
  readonly #base: URL
  readonly #headers: Record<string, string> = { "accept-encoding": "identity" }
  readonly #subject: DownloadSubject
  readonly #io: ProgressIo
  readonly #limits: DownloadLimits

  /**
   * Creates a client for the server.
   *
   * @param authorization the value of the header `Authorization`, if it is not the password in the URL.
   */
  constructor(base: URL, subject: DownloadSubject, io: ProgressIo, limits = defaultLimits, authorization?: string) {
    const url = new URL(base)
    if (authorization !== undefined) this.#headers.authorization = authorization
    // fetch refuses a URL with a password. It accepts a header, and does not send it to another host after a
    // redirect.
    else if (url.username || url.password) {
      const credentials = `${decode(url.username)}:${decode(url.password)}`
      this.#headers.authorization = `Basic ${Buffer.from(credentials).toString("base64")}`
    }
    url.username = url.password = ""
    url.pathname = url.pathname.replace(/\/+$/, "")
    url.hash = ""
    this.#base = url
    this.#subject = subject
    this.#io = io
    this.#limits = limits
  }

  /** The URL of the server without a password. Its query may still contain a secret. */
  get href(): string {
    return this.#base.href
  }

  /** Returns the URL of a file for messages: without password and query, which may be a secret too. */
  formatURL(name: string): string {
    const url = this.#url(name)
    return `${url.origin}${url.pathname}`.replace(/\/$/, "")
  }

  #url(name: string): URL {
    const url = new URL(this.#base)
    url.pathname = `${url.pathname.replace(/\/$/, "")}/${name}`
    return url
  }

  /** Returns the text of a small file. `status` tells whether the file exists. */
  fetchText(name: string): Promise<{ readonly status: number; readonly text: string }> {
    return this.#fetch(name, async (response) => ({
      status: response.status,
      text: response.ok ? await response.text() : "",
    }))
  }

  /**
   * Passes on the bytes of a file while they arrive. If the length is known, fetch checks that all bytes have
   * arrived.
   */
  stream<T>(name: string, read: (bytes: Bytes) => Promise<T>): Promise<T> {
    const { code } = this.#subject
    return this.#fetch(name, async (response, noteActivity) => {
      if (!response.ok || !response.body) {
        const facts = [this.formatURL(name), response.status, name, this.formatURL("")] as const
        throw downloadFault("css_download.status", [code, ...facts], { code })
      }
      const total = Number(response.headers.get("content-length") ?? 0)
      const progress = createProgress(this.#subject.what, this.#io, total)
      try {
        return await read(
          countBytes(response.body, (count) => {
            noteActivity()
            progress.add(count)
          }),
        )
      } finally {
        progress.end()
      }
    })
  }

  /** Requests a file and passes the response on. A long silence ends both. */
  async #fetch<T>(name: string, read: (response: Response, noteActivity: () => void) => Promise<T>): Promise<T> {
    const { code } = this.#subject
    const { signal } = this.#io
    const { stall } = this.#limits
    const silence = new AbortController()
    const timer = setTimeout(() => silence.abort(), stall)
    let isReached = false
    try {
      const anySignal = AbortSignal.any([signal, silence.signal])
      const response = await fetch(this.#url(name), { headers: this.#headers, signal: anySignal })
      isReached = true
      timer.refresh()
      return await read(response, () => void timer.refresh())
    } catch (cause) {
      if (signal.aborted) throw signal.reason
      // Errors of the disk are not errors of the download.
      if (cause instanceof FwError || (cause as NodeJS.ErrnoException).syscall) throw cause
      const silenceReason = `sent nothing for ${stall / 1000} s`
      const reason = silence.signal.aborted ? silenceReason : describeCause(cause as Error)
      throw downloadFault(
        `css_download.${isReached ? "broken" : "unreachable"}`,
        [code, this.formatURL(name), reason],
        {
          code,
          cause,
        },
      )
    } finally {
      clearTimeout(timer)
      // Closes the connection if the response was not read to its end.
      silence.abort()
    }
  }
}

async function* countBytes(body: ReadableStream<Uint8Array>, onBytes: (count: number) => void): Bytes {
  for await (const chunk of body as unknown as Bytes) {
    onBytes(chunk.byteLength)
    yield chunk
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Returns the reason of a failed fetch, which is in the error's cause. If fetch tried several addresses, the cause has
 * only a code and no message.
 */
function describeCause(error: Error): string {
  const cause = error.cause as (Error & { code?: string }) | undefined
  return cause?.message || cause?.code || error.message
}

/** Formats a number of bytes as megabytes. */
export function formatMegabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}

/** Returns functions for a progress line. On a terminal it counts up; elsewhere it is printed once. */
function createProgress(subject: string, { stderr }: ProgressIo, total: number) {
  const label = `Downloading ${subject}`
  const totalText = total > 0 ? ` of ${formatMegabytes(total)}` : ""
  let bytes = 0
  let reportedBytes = 0
  if (!stderr.isTerminal) stderr.write(`${label}${total > 0 ? `, ${formatMegabytes(total)}` : ""}\n`)
  const show = () => stderr.write(`\r\x1b[K${label}: ${formatMegabytes(bytes)}${totalText}`)
  if (stderr.isTerminal) show()
  return {
    add(count: number) {
      bytes += count
      if (!stderr.isTerminal || bytes - reportedBytes < 500_000) return
      reportedBytes = bytes
      show()
    },
    end() {
      if (stderr.isTerminal) stderr.write("\r\x1b[K")
    },
  }
}
