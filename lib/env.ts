/** The process of an app, as the core sees it on every runtime. */
import type { Channel } from "./trace/channel.ts"

/** The process of the app. */
export interface Env {
  /** Returns an environment variable. */
  get(name: string): string | undefined
  /** All variables: `c.env`, if the runtime passes no bindings with a request. */
  readonly vars: object
  /** Standard output, for request lines. Missing if there is only a console. */
  readonly out?: Output
  /** Standard error, for bugs. Missing if there is only a console. */
  readonly err?: Output
  /** Returns a channel of `node:diagnostics_channel`. Missing on runtimes without that module. */
  readonly channel?: ((name: string) => Channel) | undefined
  /** Returns `URLPattern`: the runtime's own or the bundled polyfill. */
  urlPattern(): Promise<URLPatternConstructor>
}

/** A text stream that loses nothing when the process ends. */
export interface Output {
  readonly isTerminal: boolean
  /** Writes in batches; pending text is written when the process exits. */
  write(text: string): void
}

/** The part of WHATWG URLPattern that proxy matchers use. */
export type URLPatternConstructor = new (init: { pathname: string }) => { test(input: { pathname: string }): boolean }
