/** WebSockets as the core and the adapters know them: what a program writes, and the seam by which a runtime takes an accepted upgrade. `lib/answer/socket.ts` does the work. */
import type { Context } from "../context.ts"
import { HttpError } from "../errors.ts"
import type { Exchange } from "../exchange.ts"
import type { Origins } from "../request/origin.ts"
import type { Match, RouteTable } from "../router.ts"

/**
 * What a program does with one connection. `Socket(c)` gives one for each upgrade.
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
  /** Subprotocols, the best first. A client that offers others alone is refused with 400. */
  readonly protocols?: readonly string[]
  /** Other origins whose pages may connect, or a function that decides. Default: none. */
  readonly origins?: Origins
  /** Bytes that a message may have; a larger one closes the connection with 1009. Default: 1 MiB. */
  readonly maxPayload?: number
  /** Seconds between pings; a client that leaves one unanswered is let go. 0 sends none. Default: 30. */
  readonly heartbeat?: number
  /** The connection stands. */
  open?(socket: ServerSocket): unknown
  /** A message has come: text, or bytes. What it waits for keeps no other message waiting. */
  message?(socket: ServerSocket, data: string | Uint8Array): unknown
  /** The connection has ended; 1005 is without a code, 1006 without a farewell (RFC 6455 §7.4.1). */
  close?(socket: ServerSocket, code: number, reason: string): unknown
}

/**
 * One connection, as the functions of a {@link SocketHandler} get it.
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
  /** The subprotocol that was agreed on; `""` for none. */
  readonly protocol: string
  /** Aborts when the connection begins to close. */
  readonly signal: AbortSignal
  /** Resolves when the connection has closed. */
  readonly closed: Promise<void>
  /**
   * Sends text, or bytes; resolves when they are on their way. A client that is a MiB behind, as it can be only where
   * nobody waits, is closed with 1013.
   *
   * @throws the signal's reason once the connection closes; TypeError for anything else than text and bytes.
   */
  send(data: string | Uint8Array | ArrayBuffer): Promise<void>
  /**
   * Closes the connection, once.
   *
   * @param code default: 1000. @param reason at most 123 bytes.
   * @throws RangeError for a code that no server may send, and a longer reason.
   */
  close(code?: number, reason?: string): void
}

/**
 * Answers an upgrade: what handles the connection, or an answer that refuses it. `Params` are the names of its pattern's parameters.
 *
 * @example
 * const room: SocketFunc<"name"> = (c) => ({ open: (socket) => socket.send(`this is ${c.param("name")}`) })
 * app.socket("/rooms/{name}", room)
 */
export type SocketFunc<Params extends string = string> = (
  c: Context<Params>,
) => SocketHandler | Response | HttpError | Promise<SocketHandler | Response | HttpError>

/** How an adapter reaches the client. */
export interface SocketTransport {
  /** Resolves when there is room for more. */
  send(data: string | Uint8Array): Promise<void> | void
  /** Begins the closing handshake; a client that does not answer it is the adapter's to drop. */
  close(code: number, reason: string): void
  /** Bytes that wait to be sent; 0 where nobody knows. */
  readonly buffered: number
}

/** What an adapter tells of a connection. */
export interface SocketEvents {
  message(data: string | Uint8Array): void
  /** Called once, whoever closed it. */
  ended(code: number, reason: string): void
}

/** An upgrade that the app has accepted. The headers of its answer go with the 101. */
export interface AcceptedSocket {
  readonly protocol: string
  readonly maxPayload: number
  readonly heartbeat: number
  /** Called by the adapter when the connection stands. */
  connect(transport: SocketTransport): SocketEvents
}

/** Under which the router keeps socket routes. A request of that method is no upgrade, and is told so. */
export const socketMethod = "SOCKET"

const upgrades = new WeakMap<Response, AcceptedSocket>()

/** Makes an answer the acceptance of an upgrade. */
export function acceptUpgrade(answer: Response, socket: AcceptedSocket): Response {
  upgrades.set(answer, socket)
  return answer
}

/** The seam for adapters: the accepted upgrade behind an answer of status 101; undefined for any other answer, which is sent as it is. */
export function acceptedUpgrade(answer: Response): AcceptedSocket | undefined {
  return upgrades.get(answer)
}

/** Whether a request asks for a WebSocket (RFC 6455 §4.1). Some runtimes keep `Connection` to themselves. */
export function isUpgrade(exchange: Pick<Exchange, "method" | "header">): boolean {
  return (
    exchange.method === "GET" &&
    /(?:^|,)\s*websocket\s*(?:,|$)/i.test(exchange.header("upgrade")) &&
    /^$|\bupgrade\b/i.test(exchange.header("connection"))
  )
}

/** The socket route that a request means, where it asks for an upgrade. Without one, it is a request like any other (RFC 9110 §7.8). */
export type SocketFinder = (exchange: Exchange, path: string) => Match | null

/** Finds among the socket routes of a router. */
export function socketFinder(router: RouteTable): SocketFinder {
  return (exchange, path) => {
    const match = isUpgrade(exchange) ? router.find(socketMethod, path) : null
    return match?.route ? match : null
  }
}

/** What a request that is no upgrade gets where only sockets are (RFC 9110 §15.5.22). */
export function upgradeRequired(path: string): HttpError<426> {
  return new HttpError(426, `${path} speaks WebSocket: ask for an upgrade`, {
    code: "upgrade_required",
    headers: { Upgrade: "websocket" },
  })
}
