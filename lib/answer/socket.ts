/** Accepts an upgrade and handles its connection (RFC 6455). */
import { isResponse } from "../chain.ts"
import { checkFunction, checkKeys } from "../checks.ts"
import type { Context } from "../context.ts"
import { access } from "../context-access.ts"
import { fault } from "../errors/fault.ts"
import { forbidden, HttpError } from "../errors.ts"
import { isDelay } from "../lifecycle/seconds.ts"
import { isToken, listElements } from "../request/header-grammar.ts"
import { checkOrigins, isCrossOrigin } from "../request/origin.ts"
import { channels, Operation } from "../trace/operations.ts"
import type { HandlerFunc } from "../types.ts"
import {
  type AcceptedSocket,
  acceptUpgrade,
  createUpgradeRequired,
  isUpgradeRequest,
  type ServerSocket,
  type SocketEvents,
  type SocketFunc,
  type SocketHandler,
  type SocketTransport,
} from "./upgrade.ts"

/** Maximum number of bytes that may wait to be sent to a client. */
const maxPendingBytes = 1024 * 1024
const optionNames = ["protocols", "origins", "maxPayload", "heartbeat", "open", "message", "close"]

/**
 * Returns the handler of a socket route.
 *
 * @param pattern the route's pattern, for messages.
 * @throws FwError `handler` if `run` is not a function.
 */
export function createSocketRoute(run: SocketFunc, pattern: string): HandlerFunc {
  checkFunction(run, `socket(${JSON.stringify(pattern)})`)
  return (c) => answerUpgrade(c, run)
}

/** Answers a request for a WebSocket: with a 101 and the connection, or with a refusal. */
export async function answerUpgrade(c: Context, run: SocketFunc): Promise<Response | HttpError> {
  const exchange = access.getExchange(c)
  if (!isUpgradeRequest(exchange)) return createUpgradeRequired(c.path)
  if (exchange.upgradeCheck instanceof HttpError) return exchange.upgradeCheck
  if (!exchange.upgradeCheck) return new HttpError(501, "this server takes no WebSocket connections")
  const handler = await run(c)
  if (isResponse(handler) || handler instanceof HttpError) return handler
  checkHandler(handler)
  if (await isCrossOrigin(c, handler.origins ?? []))
    return forbidden("a page of another origin asked for the connection")
  const protocol = selectProtocol(c.header("sec-websocket-protocol"), handler.protocols)
  if (protocol === null) {
    const protocolNames = handler.protocols?.join(", ")
    return new HttpError(400, `none of the offered subprotocols is supported here. Supported are ${protocolNames}`)
  }
  const { maxPayload = 1024 * 1024, heartbeat = 30 } = handler
  const connect = (transport: SocketTransport) => new SocketConnection(c, handler, protocol, transport)
  return acceptUpgrade(createSwitchingResponse(), {
    protocol,
    maxPayload,
    heartbeat,
    connect,
  } satisfies AcceptedSocket)
}

/** Returns a response with status 101. `new Response()` refuses that status (fetch standard). */
function createSwitchingResponse(): Response {
  return Object.defineProperties(new Response(null), { status: { value: 101 }, ok: { value: false } })
}

/** Checks what the program returned for a connection. @throws FwError `socket` for a value or a name that is not valid. */
function checkHandler(handler: unknown): asserts handler is SocketHandler {
  if (typeof handler !== "object" || handler === null) throw fault("socket.result", [handler])
  checkKeys(handler, optionNames, "socket", "the result of Socket(c)")
  const { protocols = [], origins = [], maxPayload = 1, heartbeat = 0 } = handler as SocketHandler
  checkOrigins(origins, "socket", "Socket(c)")
  if (!Array.isArray(protocols) || !protocols.every(isToken)) throw fault("socket.protocols")
  if (!Number.isSafeInteger(maxPayload) || maxPayload < 1) throw fault("socket.payload", [maxPayload])
  if (!isDelay(heartbeat)) throw fault("socket.heartbeat", [heartbeat])
}

/**
 * Returns the server's preferred protocol among those that the client offers. Returns `""` if the client offers none or
 * the server has none, and null if they have none in common.
 */
function selectProtocol(offer: string, supportedProtocols: readonly string[] = []): string | null {
  if (offer === "" || supportedProtocols.length === 0) return ""
  const names = listElements(offer)
  return supportedProtocols.find((name) => names.includes(name)) ?? null
}

/**
 * Returns true for a close code that a server may send: a code of RFC 6455 §7.4 that is not reserved, or one of the
 * program's own.
 */
function isSendableCode(code: number): boolean {
  return (
    Number.isInteger(code) &&
    ((code >= 1000 && code <= 1014 && ![1004, 1005, 1006, 1010].includes(code)) || (code >= 3000 && code <= 4999))
  )
}

class SocketConnection implements ServerSocket, SocketEvents {
  readonly protocol: string
  readonly closed: Promise<void>
  readonly #c: Context
  readonly #handler: SocketHandler
  readonly #transport: SocketTransport
  readonly #controller = new AbortController()
  readonly #stop = () => this.close(1001, "the server is stopping")
  #end: () => void = () => {}
  #operation: Operation | undefined

  constructor(c: Context, handler: SocketHandler, protocol: string, transport: SocketTransport) {
    this.#c = c
    this.#handler = handler
    this.#transport = transport
    this.protocol = protocol
    this.closed = new Promise((resolve) => {
      this.#end = resolve
    })
    const open = () => this.#run(() => handler.open?.(this))
    if (channels.socket.isWatched) this.#operation = new Operation("socket", c.pattern, c)
    void (this.#operation ? channels.socket.begin(this.#operation, open) : open())
    const { stopSignal } = access.getExchange(c)
    if (!stopSignal) return
    // A server that stops waits until the connections are closed.
    c.waitUntil(this.closed)
    if (stopSignal.aborted) this.#stop()
    else stopSignal.addEventListener("abort", this.#stop)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  send(data: string | Uint8Array | ArrayBuffer): Promise<void> {
    const delivery = this.#send(data)
    // A program that sends to many clients without awaiting must not crash when one of them has disconnected.
    delivery.catch(() => {})
    return delivery
  }

  async #send(data: string | Uint8Array | ArrayBuffer): Promise<void> {
    const frame = data instanceof ArrayBuffer ? new Uint8Array(data) : data
    if (typeof frame !== "string" && !(frame instanceof Uint8Array))
      throw new TypeError(`socket.send() was given ${typeof data}: it takes text and bytes`)
    this.signal.throwIfAborted()
    if (this.#transport.pendingBytes > maxPendingBytes) this.close(1013, "too slow")
    this.signal.throwIfAborted()
    try {
      await this.#transport.send(frame)
    } catch {
      this.#abortForClient()
      this.signal.throwIfAborted()
    }
  }

  #abortForClient(): void {
    if (!this.signal.aborted) this.#controller.abort(new DOMException("the client went away", "AbortError"))
  }

  close(code = 1000, reason = ""): void {
    if (!isSendableCode(code)) throw new RangeError(`a WebSocket is closed with 1000 or 3000 to 4999, not ${code}`)
    if (new TextEncoder().encode(reason).byteLength > 123)
      throw new RangeError("the reason of a close has at most 123 bytes")
    if (this.signal.aborted) return
    this.#controller.abort(new DOMException("the connection was closed", "AbortError"))
    this.#transport.close(code, reason)
  }

  onMessage(data: string | Uint8Array): void {
    // Messages that arrive after the close are dropped.
    if (!this.signal.aborted) this.#run(() => this.#handler.message?.(this, data))
  }

  onEnded(code: number, reason: string): void {
    this.#abortForClient()
    access.getExchange(this.#c).stopSignal?.removeEventListener("abort", this.#stop)
    if (this.#operation) channels.socket.end(this.#operation, undefined)
    this.#run(() => this.#handler.close?.(this, code, reason)).then(this.#end)
  }

  /** Calls a function of the handler. An error is a bug, which is reported and closes the connection. */
  async #run(run: () => unknown): Promise<void> {
    try {
      await run()
    } catch (error) {
      if (this.signal.aborted && error instanceof Error && error.name === "AbortError") return
      this.#c.waitUntil(Promise.reject(error))
      this.close(1011, "internal error")
    }
  }
}
