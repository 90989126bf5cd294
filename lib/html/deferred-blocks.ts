/** Deferred blocks of compiled templates: parts of a page that are rendered while the rest of the page is sent. */

import type { Html } from "./text.ts"

/** A deferred block. */
export interface DeferredBlock {
  /** The text that is printed where the block will be. Nobody can guess it, so users cannot write it. */
  readonly mark: string
  /** Renders the markup of the block. */
  readonly render: () => Promise<Html>
  /** Markup that is shown until the block is rendered. */
  readonly placeholder: Html
  /** Renders the markup that is shown if the block fails; undefined for none. */
  readonly renderFailure: ((error: unknown) => Promise<Html>) | undefined
}

/** The beginning of every mark. */
export const markStart = "<!--fw-defer:"

/** Finds the marks in a text. */
export const markPattern = /<!--fw-defer:[\da-f-]{36}-->/g

/** The blocks, by their marks, that were printed into text from which no `Html` was made yet. */
const printedBlocks = new Map<string, DeferredBlock>()

/**
 * Stores blocks until an `Html` is made of the text that contains their marks. A template without `await` makes its
 * `Html` before any other code runs, so all such templates share one map. Other templates pass their own map.
 */
export function keepBlocks(blocks: readonly DeferredBlock[], into?: Map<string, DeferredBlock>): void {
  // If a template throws, its blocks stay in the map.
  if (!into && printedBlocks.size === 0) queueMicrotask(() => printedBlocks.clear())
  for (const block of blocks) (into ?? printedBlocks).set(block.mark, block)
}

/** Returns the blocks whose marks are in a text; undefined if there are none. */
export function findBlocks(
  text: string,
  from: ReadonlyMap<string, DeferredBlock> = printedBlocks,
): DeferredBlock[] | undefined {
  if (from.size === 0) return undefined
  const blocks = [...from.values()].filter(({ mark }) => text.includes(mark))
  return blocks.length > 0 ? blocks : undefined
}

/** Returns a new map for the blocks that one function of a template prints. */
export function $fwCollect(): Map<string, DeferredBlock> {
  return new Map()
}

/** Prints the mark of a deferred block in a compiled template. The block does not run yet. */
export function $fwDefer(
  render: () => Promise<Html>,
  placeholder: Html,
  renderFailure: ((error: unknown) => Promise<Html>) | undefined,
  into?: Map<string, DeferredBlock>,
): string {
  const block = {
    mark: `${markStart}${crypto.randomUUID()}-->`,
    render,
    placeholder,
    renderFailure,
  }
  keepBlocks([block], into)
  return block.mark
}
