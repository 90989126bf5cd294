/**
 * A contract case for WebSockets: an app, a request for an upgrade, the messages, and the end. It runs against a
 * server's port on any runtime.
 */
import type { SocketHandler } from "../../../lib/index.ts"
import { app, type Case, type Expected } from "./case.ts"

/** Events on a connection, in order. Bytes are a Uint8Array. */
export type SocketStep =
  | { readonly send: string | Uint8Array }
  | { readonly expect: string | Uint8Array }
  /** Sends n messages, `0` to `n - 1`, at once. */
  | { readonly flood: number }
  /** Closes the connection from the client's side. */
  | { readonly close: readonly [code: number, reason: string] }
  /** The client disconnects without a close message. */
  | { readonly leave: true }
  /** The server has closed the connection, or answered the client's close. */
  | { readonly closed: readonly [code: number, reason: string] }

/** One claim about a connection. */
export interface SocketCase {
  readonly name: string
  readonly app: Case["app"]
  /** Default: `/`. */
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly protocols?: readonly string[]
  /** The answer that refuses the upgrade. Without it, the upgrade is accepted. */
  readonly refused?: Expected
  /** The expected 101. */
  readonly accepted?: { readonly protocol?: string; readonly headers?: Readonly<Record<string, string>> }
  readonly steps?: readonly SocketStep[]
  /** The answer of `GET /notes` after the connection has ended. */
  readonly notes?: RegExp
}

/** Sends every message back. */
export const echo: SocketHandler = { message: (socket, data) => socket.send(data) }

/** Returns an app whose socket at `/` sends every message back, unless `more` replaces a function. */
export const echoing = (more: SocketHandler = {}) => app((a) => a.socket("/", () => ({ ...echo, ...more })))

/** The server's own origin, if the request's Host is 127.0.0.1. */
export const own = "http://127.0.0.1"

/** The origin of another site. */
export const evil = "https://evil.example"
