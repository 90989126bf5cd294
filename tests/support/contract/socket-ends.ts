/** Contract cases for WebSockets: how connections end. */
import type { ServerSocket } from "../../../lib/index.ts"
import { app } from "./case.ts"
import { echoing, type SocketCase } from "./socket-case.ts"

function assertName(thrown: Error, name: string): void {
  if (thrown.name !== name) throw new Error(`${thrown.name} was thrown, not ${name}`)
}

/** Ways in which `open()` ends the connection before it returns. */
const ends: ReadonlyArray<
  readonly [how: string, open: (socket: ServerSocket) => void, closed: readonly [code: number, reason: string]]
> = [
  ["closes", (socket) => socket.close(4000, "no"), [4000, "no"]],
  [
    "throws",
    () => {
      throw new Error("a bug on purpose")
    },
    [1011, "internal error"],
  ],
]

/** Returns an app that records the end of a connection. */
const noting = (open: (socket: ServerSocket) => void = () => {}) =>
  app((a) => {
    const notes: string[] = []
    a.get("/notes", (c) => c.string(200, notes.sort().join(" ")))
    a.socket("/", () => ({
      open(socket) {
        void socket.closed.then(() => notes.push("closed"))
        open(socket)
      },
      message: (socket, data) => socket.send(data),
      close: (_, code) => void notes.push(`close(${code})`),
    }))
  })

export const socketEnds: readonly SocketCase[] = [
  {
    name: "when the client closes, the program gets the code and the reason",
    app: app((a) => {
      const last: string[] = []
      a.socket("/", () => ({
        open: (socket) => void (last.length > 0 && socket.send(last.join())),
        close: (_, code, reason) => void last.push(`${code} ${reason}`),
      }))
    }),
    steps: [{ close: [3001, "bye"] }, { closed: [3001, "bye"] }],
  },
  {
    name: "close() without a code closes the connection with 1000",
    app: echoing({ message: (socket) => socket.close() }),
    steps: [{ send: "x" }, { closed: [1000, ""] }],
  },
  {
    name: "close() that is called twice closes the connection with the first code and reason",
    app: echoing({
      open(socket) {
        socket.close(4000, "no röom")
        socket.close(4001, "again")
      },
    }),
    steps: [{ closed: [4000, "no röom"] }],
  },
  ...ends.map(
    ([how, open, closed]): SocketCase => ({
      name: `the program learns of the end of a connection whose open() ${how}`,
      app: noting(open),
      steps: [{ closed }],
      notes: new RegExp(`^close\\(${closed[0]}\\) closed$`),
    }),
  ),
  {
    name: "the program gets the code 1006 if a client disconnects without a close message",
    app: noting(),
    steps: [{ send: "x" }, { expect: "x" }, { leave: true }, { closed: [1006, ""] }],
    notes: /^close\(1006\) closed$/,
  },
  {
    name: "a message that the program sends before it calls close() reaches the client",
    app: echoing({
      open(socket) {
        socket.send("last words")
        socket.close(4000)
      },
    }),
    steps: [{ expect: "last words" }, { closed: [4000, ""] }],
  },
  {
    name: "send() after close() rejects with an AbortError",
    app: echoing({
      async message(socket) {
        socket.close(4000, await socket.send("x").then(() => "sent"))
        await socket.send("y").catch((thrown: Error) => assertName(thrown, "AbortError"))
      },
    }),
    steps: [{ send: "x" }, { expect: "x" }, { closed: [4000, "sent"] }],
  },
  {
    name: "a message that is too large closes the connection with 1009",
    app: echoing({ maxPayload: 10 }),
    steps: [{ send: "0123456789" }, { expect: "0123456789" }, { send: "0123456789x" }, { closed: [1009, ""] }],
  },
  {
    name: "a bug of the program closes the connection with 1011",
    app: echoing({
      message() {
        throw new Error("a bug on purpose")
      },
    }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
  {
    name: "a promise that rejects closes the connection with 1011",
    app: echoing({ message: () => Promise.reject(new Error("a bug on purpose")) }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
  {
    name: "send() with invalid data is a bug",
    app: echoing({ message: (socket) => socket.send({} as never) }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
  ...[999, 1004, 1005, 1006, 1015, 2000, 5000, 1000.5].map(
    (code): SocketCase => ({
      name: `close() with the code ${code} is a bug`,
      app: echoing({ message: (socket) => socket.close(code) }),
      steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
    }),
  ),
  {
    name: "close() with a reason of more than 123 bytes is a bug",
    app: echoing({ message: (socket) => socket.close(4000, "é".repeat(62)) }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
]
