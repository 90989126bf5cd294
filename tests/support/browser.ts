/**
 * Starts one headless Chromium for each file of slow tests. Its pages reach only this machine, and unexpected
 * errors fail the test.
 */

import { existsSync } from "node:fs"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"

/** The path of Chromium. */
export const chromiumProgram = process.env.CHROMIUM ?? "/usr/bin/chromium"

/** Flags that stop the browser's own requests, because any request to another machine fails the test. */
const quiet = [
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // With site isolation, frames of other hosts get processes of their own, which come and go too fast for
  // Playwright (1.65).
  "--disable-site-isolation-trials",
]

/**
 * Features of the browser that are turned off. The first two are lists below the address bar, for which an
 * invisible window would start a process and load two pages. Playwright (1.65) turns the others off: they are
 * repeated because only the last flag counts.
 */
const unused = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
]

/** Events that a page may cause without failing the test. */
export interface PageOptions {
  /** Errors that the test expects, both those in the console and uncaught ones. */
  readonly expected?: RegExp
  /** Turns JavaScript off. */
  readonly noScript?: boolean
  readonly viewport?: { readonly width: number; readonly height: number }
  /** The path of a script that runs in every frame before the scripts of the page. */
  readonly init?: string
  /** Gets the URLs of requests to other hosts, which then do not fail the test. */
  readonly foreign?: (url: string) => void
}

/** A page whose errors are watched. */
export interface GuardedPage {
  readonly page: Page
  readonly context: BrowserContext
  /** Opens another tab in the same browser window, which is watched too. */
  open(): Promise<Page>
  /** Closes the page. @throws if an unexpected error or request occurred. */
  close(): Promise<void>
}

/** A running Chromium. */
export interface TestBrowser {
  page(options?: PageOptions): Promise<GuardedPage>
  /** Ends the browser and all of its pages. */
  stop(): Promise<void>
}

/**
 * Starts Chromium. Without Chromium the tests fail, because skipped tests would prove nothing.
 *
 * @param foreign the local port that stands for all other hosts; without it, other hosts do not exist.
 */
export async function startBrowser(foreign?: number): Promise<TestBrowser> {
  if (!existsSync(chromiumProgram)) {
    throw new Error(
      `These tests need Chromium at ${chromiumProgram}: apt-get install chromium, or name one in CHROMIUM.`,
    )
  }
  const browser = await chromium.launch({
    executablePath: chromiumProgram,
    headless: true,
    args: [
      ...quiet,
      `--disable-features=${unused.join()}`,
      `--host-resolver-rules=MAP * ${foreign ? `127.0.0.1:${foreign}` : "~NOTFOUND"}, EXCLUDE localhost, EXCLUDE 127.0.0.1`,
    ],
    chromiumSandbox: false,
    timeout: 60_000,
  })
  return { page: (options) => guardedPage(browser, options), stop: () => browser.close() }
}

/** Returns true if a URL stays on this machine, or makes no request. */
function isLocal(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  if (!/^(?:https?|wss?|ftp):$/.test(protocol)) return true
  return /^(?:localhost|.*\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname)
}

async function guardedPage(browser: Browser, options: PageOptions = {}): Promise<GuardedPage> {
  const { viewport = { width: 1280, height: 800 }, foreign, init, noScript = false } = options
  const context = await browser.newContext({ viewport, javaScriptEnabled: !noScript })
  const failures: string[] = []
  context.setDefaultTimeout(60_000)
  if (init) await context.addInitScript({ path: init })
  context.on("request", (request) => {
    if (isLocal(request.url())) return
    if (foreign) foreign(request.url())
    else failures.push(`a request was meant to leave this machine: ${request.url()}`)
  })
  const open = async (): Promise<Page> => watch(await context.newPage(), options, failures)
  const page = await open()
  const close = async (): Promise<void> => {
    await context.close()
    if (failures.length > 0) throw new Error(failures.join("\n"))
  }
  return { page, context, open, close }
}

function watch(page: Page, { expected }: PageOptions, failures: string[]): Page {
  const fail = (text: string): void => {
    if (!expected?.test(text)) failures.push(text)
  }
  page.on("console", (message) => {
    if (message.type() === "error") fail(`console: ${message.text()} (${message.location().url})`)
  })
  page.on("pageerror", (error) => fail(`uncaught: ${error.stack ?? error.message}`))
  page.on("crash", () => failures.push("the page crashed"))
  page.on("dialog", (dialog) => {
    failures.push(`a dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return page
}

/**
 * Waits for a condition in a page. The policy of a page may forbid `eval`, which `waitForFunction()` needs from its
 * second check on.
 */
export function waitForCondition(page: Page, condition: string): Promise<unknown> {
  return page.evaluate(
    `new Promise((resolve) => { const look = () => (${condition}) ? resolve() : requestAnimationFrame(look); look() })`,
  )
}
