/** Contract cases for WebSockets: connections that are accepted, and the messages on them. */
import { requestID } from "../../../lib/index.ts"
import { app } from "./case.ts"
import { echo, echoing, evil, own, type SocketCase } from "./socket-case.ts"

const bytes = (...list: number[]) => Uint8Array.from(list)

export const socketTalks: readonly SocketCase[] = [
  {
    name: "text comes back as text",
    app: echoing(),
    steps: [{ send: "hällo" }, { expect: "hällo" }, { send: "" }, { expect: "" }],
  },
  {
    name: "bytes come back as bytes",
    app: echoing(),
    steps: [{ send: bytes(0, 255) }, { expect: bytes(0, 255) }, { send: bytes() }, { expect: bytes() }],
  },
  {
    name: "bytes are a plain Uint8Array",
    app: echoing({
      message: (socket, data) =>
        socket.send(typeof data === "string" ? "text" : String(Object.getPrototypeOf(data) === Uint8Array.prototype)),
    }),
    steps: [{ send: bytes(1) }, { expect: "true" }],
  },
  {
    name: "an ArrayBuffer is sent as bytes",
    app: echoing({ open: (socket) => socket.send(bytes(7, 8).buffer) }),
    steps: [{ expect: bytes(7, 8) }],
  },
  {
    name: "messages keep their order",
    app: echoing(),
    steps: [{ flood: 100 }, ...Array.from({ length: 100 }, (_, i) => ({ expect: String(i) }))],
  },
  {
    name: "the server can send the first message",
    app: echoing({ open: (socket) => socket.send("welcome") }),
    steps: [{ expect: "welcome" }, { send: "x" }, { expect: "x" }],
  },
  {
    name: "the handler can read a parameter, the query and values of middleware",
    app: app((a) => {
      a.use((next) => (c) => {
        c.set("user", "ada")
        return next(c)
      })
      a.socket("/rooms/{room}", (c) => ({
        open: (socket) => socket.send(`${c.param("room")} ${c.query("q")} ${c.getString("user")}`),
      }))
    }),
    path: "/rooms/blue%20one?q=1",
    steps: [{ expect: "blue one 1 ada" }],
  },
  {
    name: "headers and cookies of middleware are sent with the 101",
    app: app((a) => {
      a.use(requestID({ generate: () => "id-1" }))
      a.socket("/", (c) => {
        c.setCookie({ name: "seen", value: "1" })
        return echo
      })
    }),
    accepted: { headers: { "x-request-id": "id-1", "set-cookie": "seen=1; Path=/" } },
  },
  {
    name: "a GET handler of the same path does not take over requests that ask for an upgrade",
    app: app((a) => {
      a.get("/", (c) => c.string(200, "page"))
      a.socket("/", () => echo)
    }),
    steps: [{ send: "x" }, { expect: "x" }],
  },
  {
    name: "a trailing slash in the path is accepted",
    app: app((a) => a.socket("/chat", () => echo)),
    path: "/chat/",
  },
  { name: "a client without Origin is accepted", app: echoing() },
  {
    name: "a page of the same origin is accepted",
    app: echoing(),
    headers: { origin: own, host: "127.0.0.1" },
  },
  {
    name: "a page of an origin in the list is accepted",
    app: echoing({ origins: [evil] }),
    headers: { origin: evil },
  },
  {
    name: "the first subprotocol of the server that the client offers is chosen",
    app: echoing({ protocols: ["v2", "v1"], open: (socket) => socket.send(socket.protocol) }),
    protocols: ["v1", "v2"],
    accepted: { protocol: "v2" },
    steps: [{ expect: "v2" }],
  },
  {
    name: "a client that offers no subprotocol is accepted",
    app: echoing({ protocols: ["v1"] }),
    accepted: { protocol: "" },
  },
]
