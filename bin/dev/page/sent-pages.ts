/** The HTML of the pages that were sent. After a save, a page compares the HTML that it was sent with the new one. */
import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** A page as the program sent it. */
export interface SentPage {
  readonly text: string
  /** Its Content-Security-Policy. A browser applies it only when it loads the page. */
  readonly policy: string
}

/**
 * Longest page to keep, in bytes; next to it, the most bytes of all pages together. The oldest are removed. A page
 * that is not kept reloads.
 */
const maxPageBytes = 1_000_000
const maxTotalBytes = 8_000_000

/** The key of a page that is not kept. Every key has this length. */
export const noKey = "0".repeat(24)

/**
 * The last pages. Their keys are made from their content, so the same page has the same script tag, also in a cache.
 */
export class SentPages {
  readonly #pages = new Map<string, { readonly bytes: Buffer; readonly policy: string }>()
  #size = 0

  /** Keeps a page while it is sent. @returns a function that returns its key, to be called at its end. */
  record(answer: IncomingMessage): () => string {
    const chunks: Buffer[] = []
    let size = 0
    answer.on("data", (chunk: Buffer) => {
      size += chunk.length
      if (size <= maxPageBytes) chunks.push(chunk)
    })
    const policy = String(answer.headers["content-security-policy"] ?? "")
    return () => (size <= maxPageBytes ? this.#add(Buffer.concat(chunks), policy) : noKey)
  }

  /** Returns a page; undefined if it is not kept any more. */
  find(key: string): SentPage | undefined {
    const found = this.#pages.get(key)
    return found && { text: found.bytes.toString("utf8"), policy: found.policy }
  }

  #add(bytes: Buffer, policy: string): string {
    const hash = createHash("sha256").update(policy).update("\n").update(bytes)
    const key = hash.digest("hex").slice(0, noKey.length)
    this.#remove(key)
    this.#pages.set(key, { bytes, policy })
    this.#size += bytes.length
    for (const [oldest] of this.#pages) if (this.#size > maxTotalBytes) this.#remove(oldest)
    return key
  }

  #remove(key: string): void {
    this.#size -= this.#pages.get(key)?.bytes.length ?? 0
    this.#pages.delete(key)
  }
}
