/** The body of a page with deferred blocks: the page at once and each block when it is ready, or all in order. */
import { platform } from "#platform"
import { callAfterMiddleware } from "../answer/seal-response.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import type { Exchange } from "../exchange.ts"
import { type DeferredBlock, markPattern } from "../html/deferred-blocks.ts"
import { addElementScripts, shellEndPattern } from "../html/element-scripts.ts"
import { escapeHtml } from "../html/escape.ts"
import { getDeferredBlocks, type Html, raw } from "../html/text.ts"
import { hasElement } from "../request/header-grammar.ts"
import { deferScriptPath, headStartPattern } from "./defer-script.ts"
import { inOrderRequests } from "./test-request.ts"

/** Query parameter that asks for the page in order. The page itself redirects browsers without JavaScript to it. */
const orderParameter = "fw-defer"

/** Default time in seconds after which a block has failed. */
const defaultTimeoutSeconds = 30

/** Settings of one page. */
export interface DeferOptions {
  /** True for markup without its layout. */
  readonly isFragment: boolean
  /** Seconds until a block has failed; undefined for the default. */
  readonly timeoutSeconds: number | undefined
}

/** Returns the response with a page that has deferred blocks. */
export function answerDeferred(
  c: Context,
  status: number,
  page: Html,
  { isFragment, timeoutSeconds = defaultTimeoutSeconds }: DeferOptions,
): Response {
  c.appendHeader("Vary", "Save-Data")
  const pieces = cutMarkup(page, addElementScripts(c, page.value))
  const head = isFragment || asksForOrder(c) || isInert(pieces) ? null : headStartPattern.exec(page.value)
  const run = new BlockRun(timeoutSeconds, (block) => cutMarkup(block, addElementScripts(c, block.value, false)))
  const parts = head
    ? renderStreamed(run, pieces, page.value.slice(0, head.index + head[0].length), getOrderTarget(c))
    : renderInOrder(run, pieces)
  const headers = { "content-type": "text/html; charset=utf-8", ...(head && { "x-accel-buffering": "no" }) }
  const begins = new Promise<void>((resolve) => callAfterMiddleware(c, resolve))
  return access.respond(c, status, headers, createBody(parts, begins, run))
}

/** Returns true for requests whose client cannot or should not put the blocks into their places. */
function asksForOrder(c: Context): boolean {
  // The page would ask again with GET, which is another request than that of a form.
  if (c.method !== "GET" && c.method !== "HEAD") return true
  const exchange: Exchange & { readonly request?: Request } = access.getExchange(c)
  if (exchange.request && inOrderRequests.has(exchange.request)) return true
  if (hasElement(exchange.header("save-data"), "on")) return true
  // The query may have an empty value before the one of the page. If that one counted, a browser would be sent there
  // again and again.
  return new URLSearchParams(exchange.search).getAll(orderParameter).some((value) => value !== "")
}

/** The URL of the page in order, relative to the page, so that it is right below any prefix. */
function getOrderTarget(c: Context): string {
  const { search } = access.getExchange(c)
  return `${search === "" ? "?" : `${search}&`}${orderParameter}=off`
}

/** Returns the body. Nothing runs until the body is read and every middleware has returned. */
function createBody(parts: AsyncGenerator<string>, begins: Promise<void>, run: BlockRun): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await begins
        if (run.isStopped) return
        const { done, value } = await parts.next()
        if (run.isStopped) return
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      // The generator returns only between two blocks, and a block may take long.
      cancel() {
        run.stop()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Markup cut at its blocks: a text, and the block before each further text. */
interface CutMarkup {
  readonly first: string
  readonly rest: readonly { readonly block: DeferredBlock; readonly text: string }[]
}

/** Cuts markup. @param text its text, to which scripts may be added. */
function cutMarkup(html: Html, text: string): CutMarkup {
  const blocks = new Map(getDeferredBlocks(html)?.map((block) => [block.mark, block]))
  const rest: { block: DeferredBlock; text: string }[] = []
  let first: string | undefined
  let from = 0
  let block: DeferredBlock | undefined
  const add = (end: number) => {
    const piece = text.slice(from, end)
    if (block) rest.push({ block, text: piece })
    else first = piece
  }
  for (const { 0: mark, index } of text.matchAll(markPattern)) {
    const next = blocks.get(mark)
    if (!next) continue
    add(index)
    from = index + mark.length
    block = next
  }
  add(text.length)
  return { first: first ?? "", rest }
}

const templateTag = /<(\/?)template(?=[\s/>])/gi

/** Returns true if a block is in a `<template>`, such as one of a component around it, which the compiler does not see. */
function isInert({ first, rest }: CutMarkup): boolean {
  let depth = 0
  for (const text of [first, ...rest.slice(0, -1).map(({ text }) => text)]) {
    for (const [, slash] of text.matchAll(templateTag)) depth += slash ? -1 : 1
    if (depth > 0 && rest.length > 0) return true
  }
  return false
}

/** The blocks of one response, while they run. */
class BlockRun {
  /** True once the client has left. */
  isStopped = false
  /** Cuts the markup of a block. */
  readonly cut: (block: Html) => CutMarkup
  readonly #seconds: number
  /** Ends the wait for each block that runs. */
  readonly #ends = new Set<() => void>()

  constructor(seconds: number, cut: (block: Html) => CutMarkup) {
    this.#seconds = seconds
    this.cut = cut
  }

  /** Stops waiting for blocks. */
  stop(): void {
    this.isStopped = true
    for (const end of this.#ends) end()
  }

  /** Runs a block. Never rejects: if the block fails, the result is its markup for that case. */
  async start({ render: run, renderFailure }: DeferredBlock): Promise<Html> {
    try {
      return await this.#runLimited(run)
    } catch (error) {
      this.#report(error)
      try {
        if (renderFailure && !this.isStopped) return await this.#runLimited(() => renderFailure(error))
      } catch (failureError) {
        this.#report(failureError)
      }
      return raw("")
    }
  }

  /** Errors after the client has left come from aborted work. */
  #report(error: unknown): void {
    if (!this.isStopped) platform.report(error)
  }

  async #runLimited(run: () => Promise<Html>): Promise<Html> {
    const message = `a deferred block took more than ${this.#seconds} s`
    let end = () => {}
    const timeoutPromise = new Promise<never>((_, reject) => {
      end = () => reject(new DOMException(message, "TimeoutError"))
    })
    const timer = setTimeout(end, this.#seconds * 1000)
    this.#ends.add(end)
    try {
      return await Promise.race([run(), timeoutPromise])
    } finally {
      clearTimeout(timer)
      this.#ends.delete(end)
    }
  }
}

/** Makes the parts of a page with its blocks in their places. */
async function* renderInOrder(run: BlockRun, { first, rest }: CutMarkup): AsyncGenerator<string> {
  const contentPromises = rest.map(({ block }) => run.start(block))
  yield first
  for (const [index, { text }] of rest.entries()) {
    const content = await contentPromises[index]
    if (run.isStopped) return
    if (content) yield* renderInOrder(run, run.cut(content))
    yield text
  }
}

/** Makes markup with its blocks in their places. */
async function renderWhole(run: BlockRun, pieces: CutMarkup): Promise<string> {
  let text = ""
  for await (const part of renderInOrder(run, pieces)) text += part
  return text
}

/**
 * Makes the parts of a page that is completed by the script: all but its blocks, then each when it is there.
 *
 * @param begin the text of the page up to the place of the script.
 */
async function* renderStreamed(run: BlockRun, page: CutMarkup, begin: string, alone: string): AsyncGenerator<string> {
  const blocks = new PlacedBlocks(run)
  const text = blocks.place(page)
  const end = shellEndPattern.exec(text)?.index ?? text.length
  const refresh = `<meta http-equiv="refresh" content="0; url=${escapeHtml(alone)}">`
  const added = `<script async src="${deferScriptPath}"></script><noscript>${refresh}</noscript>`
  yield `${begin}${added}${text.slice(begin.length, end)}<template data-fw-shell></template>`
  for (let next = await blocks.next(); next && !run.isStopped; next = await blocks.next()) {
    const [id, made] = next
    const content = blocks.place(made)
    yield `<template data-fw-block="${id}">${content}</template><template data-fw-done="${id}"></template>`
  }
  if (!run.isStopped) yield text.slice(end)
}

/** Blocks that have a place in the page, and run. */
class PlacedBlocks {
  readonly #run: BlockRun
  readonly #runningBlocks = new Map<number, Promise<[number, CutMarkup]>>()
  #count = 0

  constructor(run: BlockRun) {
    this.#run = run
  }

  /** Starts the blocks of markup, and returns its text with a place for each. */
  place({ first, rest }: CutMarkup): string {
    return rest.reduce((text, { block, text: after }) => {
      const id = ++this.#count
      this.#runningBlocks.set(
        id,
        this.#make(block).then((made) => [id, made]),
      )
      const end = `<template data-fw-to="${id}"></template>`
      return `${text}<template data-fw-from="${id}"></template>${renderPending(this.#run, block.placeholder)}${end}${after}`
    }, first)
  }

  /**
   * Makes a block. A block that contains another one in a `<template>` is made whole, because the script would not find
   * that place.
   */
  async #make(block: DeferredBlock): Promise<CutMarkup> {
    const cutBlock = this.#run.cut(await this.#run.start(block))
    return isInert(cutBlock) ? { first: await renderWhole(this.#run, cutBlock), rest: [] } : cutBlock
  }

  /** Returns the next block that is ready; undefined after the last. */
  async next(): Promise<[number, CutMarkup] | undefined> {
    if (this.#runningBlocks.size === 0) return undefined
    const made = await Promise.race(this.#runningBlocks.values())
    this.#runningBlocks.delete(made[0])
    return made
  }
}

/** Returns what is shown for a block. Blocks in it are never shown themselves. */
function renderPending(run: BlockRun, html: Html): string {
  const { first, rest } = run.cut(html)
  return rest.reduce((text, { block, text: after }) => text + renderPending(run, block.placeholder) + after, first)
}
