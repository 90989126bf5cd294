/** Contract cases for WebSockets: how connections end. */
import { app } from "./case.ts"
import { echoing, type SocketCase } from "./socket-case.ts"

function assertName(thrown: Error, name: string): void {
  if (thrown.name !== name) throw new Error(`${thrown.name} was thrown, not ${name}`)
}

/** The cases. */
export const socketEnds: readonly SocketCase[] = [
  {
    name: "the client closes: the program gets the code and the reason",
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
    name: "the server closes, with 1000 by default",
    app: echoing({ message: (socket) => socket.close() }),
    steps: [{ send: "x" }, { closed: [1000, ""] }],
  },
  {
    name: "the server closes with a code and a reason, once",
    app: echoing({
      open(socket) {
        socket.close(4000, "no röom")
        socket.close(4001, "again")
      },
    }),
    steps: [{ closed: [4000, "no röom"] }],
  },
  {
    name: "what was sent before it arrives",
    app: echoing({
      open(socket) {
        socket.send("last words")
        socket.close(4000)
      },
    }),
    steps: [{ expect: "last words" }, { closed: [4000, ""] }],
  },
  {
    name: "what is sent afterwards says that it is closed",
    app: echoing({
      async message(socket) {
        socket.close(4000, await socket.send("x").then(() => "sent"))
        await socket.send("y").catch((thrown: Error) => assertName(thrown, "AbortError"))
      },
    }),
    steps: [{ send: "x" }, { expect: "x" }, { closed: [4000, "sent"] }],
  },
  {
    name: "a message that is too large: 1009",
    app: echoing({ maxPayload: 10 }),
    steps: [
      { send: "0123456789" },
      { expect: "0123456789" },
      { send: "0123456789x" },
      { closed: [1009, ""] },
    ],
  },
  {
    name: "a bug: 1011",
    app: echoing({
      message() {
        throw new Error("a bug on purpose")
      },
    }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
  {
    name: "a bug that takes its time: 1011",
    app: echoing({ message: () => Promise.reject(new Error("a bug on purpose")) }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
  {
    name: "invalid data is a bug",
    app: echoing({ message: (socket) => socket.send({} as never) }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
  ...[999, 1004, 1005, 1006, 1015, 2000, 5000, 1000.5].map(
    (code): SocketCase => ({
      name: `the code ${code} is a bug`,
      app: echoing({ message: (socket) => socket.close(code) }),
      steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
    }),
  ),
  {
    name: "a reason of more than 123 bytes is a bug",
    app: echoing({ message: (socket) => socket.close(4000, "é".repeat(62)) }),
    steps: [{ send: "x" }, { closed: [1011, "internal error"] }],
  },
]
