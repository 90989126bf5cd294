/** The environment, the outputs and a few modules of the runtime, as the core uses them. */
import type { Channel } from "./trace/channel.ts"

/** The part of the runtime that belongs to the process. */
export interface Env {
  /** Returns an environment variable. */
  get(name: string): string | undefined
  /** All variables. They are `c.env`, unless the runtime passes bindings with a request. */
  readonly vars: object
  /** Standard output, for the lines about requests. Missing on runtimes that have only a console. */
  readonly out?: Output
  /** Standard error, for bugs. Missing on runtimes that have only a console. */
  readonly err?: Output
  /** Returns a channel of `node:diagnostics_channel`. Missing on runtimes without that module. */
  readonly getChannel?: ((name: string) => Channel) | undefined
  /** Returns `URLPattern`: the runtime's own or the bundled polyfill. */
  loadURLPattern(): Promise<URLPatternConstructor>
}

/** An output for text, which writes everything before the process ends. */
export interface Output {
  readonly isTerminal: boolean
  /** Writes text in batches. What is still waiting is written when the process exits. */
  write(text: string): void
}

/** The part of WHATWG URLPattern that proxy matchers use. */
export type URLPatternConstructor = new (init: { pathname: string }) => { test(input: { pathname: string }): boolean }
