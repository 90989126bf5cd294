/**
 * The body of a page with deferred blocks. Either the page is sent at once and each block when it is ready, or
 * everything is sent in order.
 */
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

/** Query parameter that asks for everything in order. The page sends browsers without JavaScript there. */
const orderParameter = "fw-defer"

/** Seconds after which a block has failed, unless the page sets another time. */
const defaultTimeoutSeconds = 30

/** Options for the answer with one page. */
export interface DeferOptions {
  /** True if the page is a fragment, without its layout. */
  readonly isFragment: boolean
  /** Seconds after which a block has failed; undefined for the default. */
  readonly timeoutSeconds: number | undefined
}

/** Returns HTML with the scripts of its custom elements. They get the nonce of `secureHeaders()`, if there is one. */
export function addScripts(c: Context, html: string): string {
  // While a page is built in advance, reading the nonce throws. Asking whether there is one does not.
  return addElementScripts(html, access.hasValue(c, "csp_nonce") ? c.getString("csp_nonce") : "")
}

/** Returns the response for a page that has deferred blocks. */
export function answerDeferred(
  c: Context,
  status: number,
  page: Html,
  { isFragment, timeoutSeconds = defaultTimeoutSeconds }: DeferOptions,
): Response {
  c.appendHeader("Vary", "Save-Data")
  const pieces = cutMarkup(page, addScripts(c, page.value))
  const head = isFragment || asksForOrder(c) || hasInertBlock(pieces) ? null : headStartPattern.exec(page.value)
  const run = new BlockRun(timeoutSeconds, (block) => cutMarkup(block, addScripts(c, block.value)))
  const parts = head
    ? renderStreamed(run, pieces, page.value.slice(0, head.index + head[0].length), getOrderTarget(c))
    : renderInOrder(run, pieces)
  const headers = { "content-type": "text/html; charset=utf-8", ...(head && { "x-accel-buffering": "no" }) }
  const startPromise = new Promise<void>((resolve) => callAfterMiddleware(c, resolve))
  return access.respond(c, status, headers, createBody(parts, startPromise, run))
}

/** Returns true if the client needs everything in order. */
function asksForOrder(c: Context): boolean {
  // A browser without JavaScript would ask for the ordered page with GET, which is not what a form has sent.
  if (c.method !== "GET" && c.method !== "HEAD") return true
  const exchange: Exchange & { readonly request?: Request } = access.getExchange(c)
  if (exchange.request && inOrderRequests.has(exchange.request)) return true
  if (hasElement(exchange.header("save-data"), "on")) return true
  // The query may also contain the parameter with an empty value, and it may come first. Only a value counts, because
  // otherwise the page would send the browser to the same address again and again.
  return new URLSearchParams(exchange.search).getAll(orderParameter).some((value) => value !== "")
}

/** Returns the URL of the page in order. It is relative, so that it is valid below any prefix. */
function getOrderTarget(c: Context): string {
  const { search } = access.getExchange(c)
  return `${search === "" ? "?" : `${search}&`}${orderParameter}=off`
}

/** Returns the body. It begins after all middleware has returned and somebody reads it. */
function createBody(
  parts: AsyncGenerator<string>,
  startPromise: Promise<void>,
  run: BlockRun,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await startPromise
        if (run.isStopped) return
        const { done, value } = await parts.next()
        if (run.isStopped) return
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      // Without `stop()`, the generator would run until the block that it is waiting for is ready.
      cancel() {
        run.stop()
      },
    },
    { highWaterMark: 0 },
  )
}

/** Markup that is split at its deferred blocks: a text, then each block with the text after it. */
interface CutMarkup {
  readonly firstText: string
  readonly rest: readonly { readonly block: DeferredBlock; readonly text: string }[]
}

/** Splits markup at its blocks. @param text the text of the markup, to which scripts may have been added. */
function cutMarkup(html: Html, text: string): CutMarkup {
  const blocks = new Map(getDeferredBlocks(html)?.map((block) => [block.mark, block]))
  const rest: { block: DeferredBlock; text: string }[] = []
  let firstText: string | undefined
  let from = 0
  let block: DeferredBlock | undefined
  const add = (end: number) => {
    const piece = text.slice(from, end)
    if (block) rest.push({ block, text: piece })
    else firstText = piece
  }
  for (const { 0: mark, index } of text.matchAll(markPattern)) {
    const nextBlock = blocks.get(mark)
    if (!nextBlock) continue
    add(index)
    from = index + mark.length
    block = nextBlock
  }
  add(text.length)
  return { firstText: firstText ?? "", rest }
}

const templateTag = /<(\/?)template(?=[\s/>])/gi

/**
 * Returns true if a block is inside a `<template>`. The compiler refuses that, but cannot see a `<template>` of another
 * component.
 */
function hasInertBlock({ firstText, rest }: CutMarkup): boolean {
  let depth = 0
  for (const text of [firstText, ...rest.slice(0, -1).map(({ text }) => text)]) {
    for (const [, slash] of text.matchAll(templateTag)) depth += slash ? -1 : 1
    if (depth > 0 && rest.length > 0) return true
  }
  return false
}

/** Runs the deferred blocks of one response. */
class BlockRun {
  /** True after the client has disconnected. */
  isStopped = false
  /** Splits the markup of a block, which may contain further blocks. */
  readonly cutMarkup: (block: Html) => CutMarkup
  readonly #seconds: number
  /** Functions that end the waiting for the running blocks. */
  readonly #timeoutCalls = new Set<() => void>()

  constructor(seconds: number, cut: (block: Html) => CutMarkup) {
    this.#seconds = seconds
    this.cutMarkup = cut
  }

  /** Stops waiting for blocks. */
  stop(): void {
    this.isStopped = true
    for (const end of this.#timeoutCalls) end()
  }

  /** Runs a block. Never rejects: if the block fails, the result is the markup that the template has for a failure. */
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

  /** Reports an error. After the client has disconnected, errors are only from work that was aborted. */
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
    this.#timeoutCalls.add(end)
    try {
      return await Promise.race([run(), timeoutPromise])
    } finally {
      clearTimeout(timer)
      this.#timeoutCalls.delete(end)
    }
  }
}

/** Renders a page in order, with each block at its place. */
async function* renderInOrder(run: BlockRun, { firstText, rest }: CutMarkup): AsyncGenerator<string> {
  const contentPromises = rest.map(({ block }) => run.start(block))
  yield firstText
  for (const [index, { text }] of rest.entries()) {
    const content = await contentPromises[index]
    if (run.isStopped) return
    if (content) yield* renderInOrder(run, run.cutMarkup(content))
    yield text
  }
}

/** Renders markup as one text, with each block at its place. */
async function renderWhole(run: BlockRun, pieces: CutMarkup): Promise<string> {
  let text = ""
  for await (const part of renderInOrder(run, pieces)) text += part
  return text
}

/**
 * Renders a page that a script completes: first everything except the blocks, then each block when it is ready.
 *
 * @param headText the text of the page up to the place where the script is added.
 */
async function* renderStreamed(
  run: BlockRun,
  page: CutMarkup,
  headText: string,
  fallbackURL: string,
): AsyncGenerator<string> {
  const blocks = new PlacedBlocks(run)
  const text = blocks.place(page)
  const end = shellEndPattern.exec(text)?.index ?? text.length
  const refresh = `<meta http-equiv="refresh" content="0; url=${escapeHtml(fallbackURL)}">`
  const headAddition = `<script async src="${deferScriptPath}"></script><noscript>${refresh}</noscript>`
  yield `${headText}${headAddition}${text.slice(headText.length, end)}<template data-fw-shell></template>`
  for (let next = await blocks.next(); next && !run.isStopped; next = await blocks.next()) {
    const [id, markup] = next
    const content = blocks.place(markup)
    yield `<template data-fw-block="${id}">${content}</template><template data-fw-done="${id}"></template>`
  }
  if (!run.isStopped) yield text.slice(end)
}

/** Blocks that are running, and that have a placeholder in the page. */
class PlacedBlocks {
  readonly #run: BlockRun
  readonly #runningBlocks = new Map<number, Promise<[number, CutMarkup]>>()
  #count = 0

  constructor(run: BlockRun) {
    this.#run = run
  }

  /** Starts the blocks of markup. Returns its text with a placeholder for each block. */
  place({ firstText, rest }: CutMarkup): string {
    return rest.reduce((text, { block, text: after }) => {
      const id = ++this.#count
      this.#runningBlocks.set(
        id,
        this.#renderBlock(block).then((markup) => [id, markup]),
      )
      const end = `<template data-fw-to="${id}"></template>`
      return `${text}<template data-fw-from="${id}"></template>${renderPending(this.#run, block.placeholder)}${end}${after}`
    }, firstText)
  }

  /**
   * Renders a block. If it contains another block inside a `<template>`, both are rendered together, because the script
   * would not find a placeholder there.
   */
  async #renderBlock(block: DeferredBlock): Promise<CutMarkup> {
    const cutBlock = this.#run.cutMarkup(await this.#run.start(block))
    return hasInertBlock(cutBlock) ? { firstText: await renderWhole(this.#run, cutBlock), rest: [] } : cutBlock
  }

  /** Returns the next block that is ready; undefined if there are no more. */
  async next(): Promise<[number, CutMarkup] | undefined> {
    if (this.#runningBlocks.size === 0) return undefined
    const entry = await Promise.race(this.#runningBlocks.values())
    this.#runningBlocks.delete(entry[0])
    return entry
  }
}

/** Returns the placeholder of a block. If the placeholder contains blocks itself, only their placeholders are shown. */
function renderPending(run: BlockRun, html: Html): string {
  const { firstText, rest } = run.cutMarkup(html)
  return rest.reduce((text, { block, text: after }) => text + renderPending(run, block.placeholder) + after, firstText)
}
