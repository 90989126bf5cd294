/** Deferred blocks of compiled templates: parts of a page that are made while the rest of it is sent. */

import type { Html } from "./text.ts"

/** A deferred block. */
export interface DeferredBlock {
  /** Its place in the text of the markup around it. Nobody can guess it, so no other text contains it. */
  readonly mark: string
  /** Makes its markup. */
  readonly render: () => Promise<Html>
  /** Markup that is shown until then. */
  readonly placeholder: Html
  /** Makes the markup that is shown if it fails; undefined for none. */
  readonly renderFailure: ((error: unknown) => Promise<Html>) | undefined
}

/** The beginning of every mark. */
export const markStart = "<!--fw-defer:"

/** Finds the marks in a text. */
export const markPattern = /<!--fw-defer:[\da-f-]{36}-->/g

/** Blocks that were printed before the markup around them is made, by their marks. */
const printedBlocks = new Map<string, DeferredBlock>()

/**
 * Keeps blocks until the markup that they are printed into is made. Templates that do not await make it before any other
 * code runs, so they need no list of their own.
 */
export function keepBlocks(blocks: readonly DeferredBlock[], into?: Map<string, DeferredBlock>): void {
  // What remains belongs to a template that threw an error.
  if (!into && printedBlocks.size === 0) queueMicrotask(() => printedBlocks.clear())
  for (const block of blocks) (into ?? printedBlocks).set(block.mark, block)
}

/** Returns the blocks that a text contains; undefined for none. */
export function findBlocks(
  text: string,
  from: ReadonlyMap<string, DeferredBlock> = printedBlocks,
): DeferredBlock[] | undefined {
  if (from.size === 0) return undefined
  const found = [...from.values()].filter(({ mark }) => text.includes(mark))
  return found.length > 0 ? found : undefined
}

/** Returns the map that collects the blocks that are printed in one function of a template. */
export function $fwCollect(): Map<string, DeferredBlock> {
  return new Map()
}

/** Prints a deferred block in a compiled template. It does not run yet. */
export function $fwDefer(
  run: () => Promise<Html>,
  pending: Html,
  renderFailure: ((error: unknown) => Promise<Html>) | undefined,
  into?: Map<string, DeferredBlock>,
): string {
  const block = {
    mark: `${markStart}${crypto.randomUUID()}-->`,
    render: run,
    placeholder: pending,
    renderFailure,
  }
  keepBlocks([block], into)
  return block.mark
}
