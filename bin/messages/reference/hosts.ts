/** The error reference of servers and hosts. */
import { hostMessages } from "../../../lib/messages/hosts.ts"
import { type Entry, entriesOf } from "./entry.ts"

const known = entriesOf(hostMessages, {
  address: [
    "`app.listen()` takes a port, an address or options. Without an argument, the environment variable `PORT` counts, and without that 3000.",
    {
      address: ["localhost"],
      "address.environment": ["http"],
      "address.kind": ["app.listen()", true],
      "address.port": ["app.listen()", 65_536],
      "address.text_port": [":99999"],
    },
  ],
  host: [
    "The host is not an address of this machine, or its name cannot be resolved.",
    { host: ["203.0.113.7:3000", "listen EADDRNOTAVAIL"] },
  ],
  lambda: [
    "`lambdaHandler()` and `lambdaStreamHandler()` of `fw/lambda` run an app as an AWS Lambda function.",
    {
      "lambda.app": ["lambdaHandler()"],
      "lambda.base_path": ["lambdaHandler()", "shop/"],
      "lambda.env": ["lambdaHandler()", "object"],
      "lambda.event": [],
      "lambda.value": ["x-city", { city: "Reykjavík" }],
      "lambda.stream": [],
    },
  ],
  load: [
    "A module of the project cannot be imported: when an app mounts scanned routes, or for `fw openapi generate --load`. `cause` is the error that the module threw.",
    { load: ["app/api/users/route.ts", false] },
  ],
  node_handler: [
    "`nodeHandler()` of `fw/node` makes an app a listener of another server, such as Express.",
    {
      "node_handler.app": [],
      "node_handler.fallthrough": ["string"],
      "node_handler.values": [null],
      "node_handler.with": ["object"],
    },
  ],
  on_shutdown: [
    "`app.onShutdown()` registers what a program closes at its end. If a function fails, the others are called, `app.shutdown()` throws this error, and a program that `fw build` made ends with the exit code 1. `cause` is the error that the function threw.",
    { on_shutdown: ["pool"], "on_shutdown.failed": [[new Error("the connection is lost")]] },
  ],
  port_denied: ["The system does not let this user open the port.", { port_denied: [":80"] }],
  port_in_use: [
    "Another process has the port, often an earlier start of the same app. `lsof -i :3000` names it on Linux and macOS.",
    { port_in_use: [":3000"] },
  ],
  workers: [
    "A program that `fw build` makes runs as one process, or as several with `FW_WORKERS`.",
    { workers: ["many", 1024], "workers.runtime": ["Deno"] },
  ],
  ws_missing: [
    "Node itself has no WebSocket server. fw uses the package `ws` of the project; Bun, Deno and workers need none.",
    { ws_missing: [], "ws_missing.old": [] },
  ],
})

const serve: Entry = {
  code: "serve",
  about: "`serve()` of `fw/node`, `fw/bun` and `fw/deno` takes the same addresses as `app.listen()`.",
  examples: [hostMessages["address.port"]("serve()", 65_536)],
}

export const hosts: readonly Entry[] = [...known, serve]
