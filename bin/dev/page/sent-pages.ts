/** Stores the HTML of pages that were sent. After a save, an open page compares its HTML with the new one. */
import { createHash } from "node:crypto"
import type { IncomingMessage } from "node:http"

/** A page as the program sent it. */
export interface SentPage {
  readonly text: string
  /** The Content-Security-Policy of the page, which a browser applies only when it loads the page. */
  readonly policy: string
}

/**
 * The largest page to store and the largest size of all stored pages, in bytes. The oldest pages are removed first.
 * A page that is not stored is reloaded after a save.
 */
const maxPageBytes = 1_000_000
const maxTotalBytes = 8_000_000

/** The key of a page that is not stored. All keys have this length. */
export const noKey = "0".repeat(24)

/**
 * Stores the last pages. The key of a page is the hash of its content, so the same page always has the same script
 * tag, also in a cache.
 */
export class SentPages {
  readonly #pages = new Map<string, { readonly bytes: Buffer; readonly policy: string }>()
  #size = 0

  /**
   * Stores a page while it is sent.
   *
   * @returns a function to call at the end, which returns the page's key.
   */
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

  /** Returns a page; undefined if it is no longer stored. */
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
