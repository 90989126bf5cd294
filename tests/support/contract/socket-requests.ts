/** Contract cases: requests without an upgrade to paths that have only sockets. */
import { app, type Case, type Expected, error } from "./case.ts"
import { echo } from "./socket-case.ts"

const chat = app((a) => a.socket("/chat", () => echo))
const needsUpgrade: Expected = {
  status: 426,
  headers: { upgrade: "websocket" },
  ...error("upgrade_required", "/chat is for WebSocket connections: ask for an upgrade"),
}

export const socketRequestCases: readonly Case[] = [
  {
    subject: "app.socket()",
    name: "GET without an upgrade is answered with 426",
    app: chat,
    request: "/chat",
    expect: needsUpgrade,
  },
  {
    subject: "app.socket()",
    name: "HEAD is answered with 426",
    app: chat,
    request: "HEAD /chat",
    expect: { status: 426, body: "" },
  },
  {
    subject: "app.socket()",
    name: "GET with an upgrade to another protocol is answered with 426",
    app: chat,
    request: { path: "/chat", headers: { upgrade: "h2c", connection: "upgrade" } },
    expect: needsUpgrade,
  },
  {
    subject: "app.socket()",
    name: "POST is answered with 405",
    app: chat,
    request: "POST /chat",
    expect: { status: 405, headers: { allow: "GET, HEAD, OPTIONS" } },
  },
  {
    subject: "app.socket()",
    name: "OPTIONS lists GET, and not POST",
    app: chat,
    request: "OPTIONS /chat",
    expect: { status: 204, headers: { allow: "GET, HEAD, OPTIONS" } },
  },
  {
    subject: "app.socket()",
    name: "middleware of the group guards requests without an upgrade",
    app: app((a) =>
      a.group("/", (g) => {
        g.use(() => (c) => c.string(401, "no"))
        g.socket("/chat", () => echo)
      }),
    ),
    request: "/chat",
    expect: { status: 401, body: "no" },
  },
]
