/**
 * The types of WebSockets: what a program writes, and how an adapter takes over an accepted upgrade. The code is in
 * `lib/answer/socket.ts`.
 */
import type { Context } from "../context.ts"
import { HttpError } from "../errors.ts"
import type { Exchange } from "../exchange.ts"
import { hasElement } from "../request/header-grammar.ts"
import type { Origins } from "../request/origin.ts"
import { shortenText } from "../text.ts"

/**
 * The program's functions for a connection. The function of a socket route returns them for each upgrade.
 *
 * @example
 * const chat: SocketHandler = {
 *   maxPayload: 64 * 1024,
 *   open: (socket) => socket.send("welcome"),
 *   message: (socket, data) => socket.send(data),
 *   close: (socket, code) => console.log(`closed with ${code}`),
 * }
 * app.socket("/chat", () => chat)
 */
export interface SocketHandler {
  /** Subprotocols that the program speaks, best first. A client that offers only others is refused with 400. */
  readonly protocols?: readonly string[]
  /** Further origins whose pages may connect, or a function that decides. Default: only the program's own origin. */
  readonly origins?: Origins
  /** Largest message in bytes; a larger one closes the connection with 1009. Default: 1 MiB. */
  readonly maxPayload?: number
  /** Seconds between pings. A client that leaves one unanswered is disconnected. 0 sends none. Default: 30. */
  readonly heartbeat?: number
  /** Called when the connection is open. */
  open?(socket: ServerSocket): unknown
  /** Called with a message: text, or bytes. The next message does not wait for its promise. */
  message?(socket: ServerSocket, data: string | Uint8Array): unknown
  /**
   * Called when the connection has ended. Code 1005 means that there was no code, 1006 that there was no close frame
   * (RFC 6455 §7.4.1).
   */
  close?(socket: ServerSocket, code: number, reason: string): unknown
}

/**
 * A connection, passed to the functions of a {@link SocketHandler}.
 *
 * @example
 * const sockets = new Set<ServerSocket>()
 * app.socket("/news", () => ({
 *   open: (socket) => sockets.add(socket),
 *   close: (socket) => sockets.delete(socket),
 * }))
 * app.post("/news", async (c) => {
 *   const text = await c.text()
 *   for (const socket of sockets) socket.send(text).catch(() => {})
 *   return c.noContent()
 * })
 */
export interface ServerSocket {
  /** The negotiated subprotocol; `""` for none. */
  readonly protocol: string
  /** Aborts when the connection begins to close. */
  readonly signal: AbortSignal
  /** Resolves when the connection has closed. */
  readonly closed: Promise<void>
  /**
   * Sends text or bytes. Resolves when they are on their way. A client that is more than 1 MiB behind is closed with
   * 1013; this happens only if the program does not await its calls.
   *
   * @throws the signal's reason after the connection has begun to close; TypeError for a value that is neither text nor
   * bytes.
   */
  send(data: string | Uint8Array | ArrayBuffer): Promise<void>
  /**
   * Closes the connection. Further calls do nothing.
   *
   * @param code default: 1000. @param reason at most 123 bytes.
   * @throws RangeError for a code that a server may not send, and for a reason that is too long.
   */
  close(code?: number, reason?: string): void
}

/**
 * Answers an upgrade: returns the functions for the connection, or a response that refuses it. `Params` are
 * the names of its pattern's parameters.
 *
 * @example
 * const room: SocketFunc<"name"> = (c) => ({ open: (socket) => socket.send(`this is ${c.param("name")}`) })
 * app.socket("/rooms/{name}", room)
 */
export type SocketFunc<Params extends string = string> = (
  c: Context<Params>,
) => SocketHandler | Response | HttpError | Promise<SocketHandler | Response | HttpError>

/** An adapter's connection to the client. */
export interface SocketTransport {
  /** Sends a message. Resolves when the adapter has room for more. */
  send(data: string | Uint8Array): Promise<void> | void
  /** Begins the closing handshake. If a client does not answer it, the adapter closes the connection. */
  close(code: number, reason: string): void
  /** Number of bytes that wait to be sent; 0 if it is unknown. */
  readonly pendingBytes: number
}

/** Events of a connection that an adapter reports. */
export interface SocketEvents {
  onMessage(data: string | Uint8Array): void
  /** Called once, whichever side has closed the connection. */
  onEnded(code: number, reason: string): void
}

/** An upgrade that the app has accepted. The headers of its response are sent with the 101. */
export interface AcceptedSocket {
  readonly protocol: string
  readonly maxPayload: number
  readonly heartbeat: number
  /** Called by the adapter when the connection is open. */
  connect(transport: SocketTransport): SocketEvents
}

/**
 * The method under which the router stores socket routes. A client that sends it as its own method does not get an
 * upgrade, but an error.
 */
export const socketMethod = "SOCKET"

const acceptedSockets = new WeakMap<Response, AcceptedSocket>()

/** Marks a response as the acceptance of an upgrade. */
export function acceptUpgrade(answer: Response, socket: AcceptedSocket): Response {
  acceptedSockets.set(answer, socket)
  return answer
}

/**
 * For adapters: returns the accepted upgrade of a response with status 101. Returns undefined for any other response,
 * which the adapter sends unchanged.
 */
export function findAcceptedUpgrade(answer: Response): AcceptedSocket | undefined {
  return acceptedSockets.get(answer)
}

/**
 * Returns true if a request asks for a WebSocket (RFC 6455 §4.1). Some runtimes do not pass `Connection` on.
 */
export function isUpgradeRequest(exchange: Pick<Exchange, "method" | "header">): boolean {
  if (exchange.method !== "GET" || !hasElement(exchange.header("upgrade"), "websocket")) return false
  const connection = exchange.header("connection")
  return connection === "" || hasElement(connection, "upgrade")
}

/**
 * Returns the error for a request without an upgrade, on a path that has only socket routes (RFC 9110 §15.5.22).
 */
export function createUpgradeRequired(path: string): HttpError<426> {
  return new HttpError(426, `${shortenText(path)} is for WebSocket connections: ask for an upgrade`, {
    code: "upgrade_required",
    headers: { Upgrade: "websocket" },
  })
}
