/** Deferred blocks of compiled templates: parts of a page that are made while the rest of it is sent. */

import type { Html } from "./text.ts"

/** A deferred block. */
export interface Block {
  /** Its place in the text of the markup around it. Nobody can guess it, so no other text contains it. */
  readonly mark: string
  /** Makes its markup. */
  readonly run: () => Promise<Html>
  /** Markup that is shown until then. */
  readonly pending: Html
  /** Makes the markup that is shown if it fails; undefined for none. */
  readonly failed: ((error: unknown) => Promise<Html>) | undefined
}

/** The beginning of every mark. */
export const markStart = "<!--fw-defer:"

/** Finds the marks in a text. */
export const marks = /<!--fw-defer:[\da-f-]{36}-->/g

/** Blocks that were printed, and whose markup around them is not made yet, by their marks. */
const printed = new Map<string, Block>()

/**
 * Keeps blocks until the markup that they are printed into is made. Templates that do not await make it before any other
 * code runs, so they need no list of their own.
 */
export function keepBlocks(blocks: readonly Block[], into?: Map<string, Block>): void {
  // What remains belongs to a template that threw an error.
  if (!into && printed.size === 0) queueMicrotask(() => printed.clear())
  for (const block of blocks) (into ?? printed).set(block.mark, block)
}

/** Returns the blocks that a text contains; undefined for none. */
export function blocksIn(text: string, from: ReadonlyMap<string, Block> = printed): Block[] | undefined {
  if (from.size === 0) return undefined
  const found = [...from.values()].filter(({ mark }) => text.includes(mark))
  return found.length > 0 ? found : undefined
}

/** Returns what collects the blocks that are printed in one function of a template. */
export function $fwCollect(): Map<string, Block> {
  return new Map()
}

/** Prints a deferred block in a compiled template. It does not run yet. */
export function $fwDefer(
  run: () => Promise<Html>,
  pending: Html,
  failed: ((error: unknown) => Promise<Html>) | undefined,
  into?: Map<string, Block>,
): string {
  const block = { mark: `${markStart}${crypto.randomUUID()}-->`, run, pending, failed }
  keepBlocks([block], into)
  return block.mark
}
