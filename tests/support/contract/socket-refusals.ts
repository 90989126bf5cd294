/** Contract cases for WebSockets: upgrades that are refused, and their answers. */
import { basicAuth, cors, HttpError, proxy } from "../../../lib/index.ts"
import { app, error } from "./case.ts"
import { echo, echoing, evil, own, type SocketCase } from "./socket-case.ts"

const foreign = {
  status: 403,
  ...error("forbidden", "a page of another origin asked for the connection"),
}

export const socketRefusals: readonly SocketCase[] = [
  {
    name: "a page of another origin is refused",
    app: echoing(),
    headers: { origin: evil },
    refused: foreign,
  },
  {
    name: "a page of another site is refused if only Sec-Fetch-Site shows that",
    app: echoing(),
    headers: { origin: own, "sec-fetch-site": "cross-site" },
    refused: foreign,
  },
  { name: "a sandboxed frame is refused", app: echoing(), headers: { origin: "null" }, refused: foreign },
  {
    name: "a page of another origin is refused even if cors() lets it read",
    app: app((a) => {
      a.use(cors({ origins: [evil], credentials: true }))
      a.socket("/", () => echo)
    }),
    headers: { origin: evil },
    refused: { ...foreign, headers: { "access-control-allow-origin": evil } },
  },
  {
    name: "a middleware can refuse a connection by its answer",
    app: app((a) => {
      a.group("/", (g) => {
        g.use(basicAuth({ users: { ada: "x" } }))
        g.socket("/", () => echo)
      })
    }),
    refused: {
      status: 401,
      headers: { "www-authenticate": /^Basic/ },
      ...error("unauthorized", "missing authorization header"),
    },
  },
  {
    name: "a middleware can refuse a connection after next()",
    app: app((a) => {
      a.use((next) => async (c) => {
        await next(c)
        return c.json(503, { error: "full" })
      })
      a.socket("/", () => echo)
    }),
    refused: { status: 503, json: { error: "full" } },
  },
  {
    name: "the proxy can refuse a connection",
    app: app((a) => {
      a.setProxy(() => proxy.responseJSON(401, { error: "unauthorized" }))
      a.socket("/", () => echo)
    }),
    refused: { status: 401, json: { error: "unauthorized" } },
  },
  {
    name: "the handler can refuse a connection by an answer",
    app: app((a) => a.socket("/", (c) => c.json(409, { error: "room is full" }))),
    refused: { status: 409, json: { error: "room is full" } },
  },
  {
    name: "the handler can refuse a connection by an error",
    app: app((a) =>
      a.socket("/", () => {
        throw new HttpError(404, "no such room")
      }),
    ),
    refused: { status: 404, ...error("not_found", "no such room") },
  },
  {
    name: "a bug in the handler is a 500",
    app: app((a) =>
      a.socket("/", () => {
        throw new Error("secret")
      }),
    ),
    refused: { status: 500, ...error("internal_server_error", "internal server error") },
  },
  ...[
    { mesage: () => {} },
    null,
    "x",
    { protocols: "v1" },
    { maxPayload: 0 },
    { heartbeat: -1 },
    { heartbeat: 2_147_484 },
    { origins: ["x"] },
  ].map(
    (handler): SocketCase => ({
      name: `an invalid handler is a 500: ${JSON.stringify(handler)}`,
      app: app((a) => a.socket("/", () => handler as never)),
      refused: { status: 500, ...error("internal_server_error", "internal server error") },
    }),
  ),
  {
    name: "a client without a common subprotocol is refused",
    app: echoing({ protocols: ["v2", "v1"] }),
    protocols: ["v3"],
    refused: {
      status: 400,
      ...error("bad_request", "none of the offered subprotocols is supported here. Supported are v2, v1"),
    },
  },
  {
    name: "a path without a socket answers an upgrade as a request",
    app: app((a) => {
      a.get("/", (c) => c.string(200, "page"))
      a.socket("/chat", () => echo)
    }),
    refused: { body: "page" },
  },
  {
    name: "a path that does not exist is a 404",
    app: echoing(),
    path: "/none",
    refused: { status: 404, ...error("not_found", "no route matches GET /none") },
  },
]
