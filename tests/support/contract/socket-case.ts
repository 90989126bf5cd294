/**
 * A contract case for WebSockets: an app, a request for an upgrade, the messages, and the end. It runs
 * against a server's port on any runtime.
 */
import type { SocketHandler } from "../../../lib/index.ts"
import { app, type Case, type Expected } from "./case.ts"

/** Events on a connection, in order. Bytes are a Uint8Array. */
export type SocketStep =
  | { readonly send: string | Uint8Array }
  | { readonly expect: string | Uint8Array }
  /** Sends so many messages, `0` to `n - 1`, in one go. */
  | { readonly flood: number }
  /** Closes from the client's side. */
  | { readonly close: readonly [code: number, reason: string] }
  /** The client disconnects without a close message. */
  | { readonly leave: true }
  /** The server has closed, or answered the client's close. */
  | { readonly closed: readonly [code: number, reason: string] }

/** One claim. */
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
  /** What `GET /notes` answers in the end, when the connection has ended. */
  readonly notes?: RegExp
}

/** Sends back what comes. */
export const echo: SocketHandler = { message: (socket, data) => socket.send(data) }

/** An app whose socket at `/` echoes, but for what is said otherwise. */
export const echoing = (more: SocketHandler = {}) => app((a) => a.socket("/", () => ({ ...echo, ...more })))

/** The server's own origin, where the request's Host is 127.0.0.1. */
export const own = "http://127.0.0.1"

/** The origin of somebody else. */
export const evil = "https://evil.example"
