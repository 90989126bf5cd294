/** Messages about servers and the hosts that an app runs in. */
import { describeType, formatValue } from "../text.ts"
import type { Messages } from "./message.ts"

const targetHint =
  'Write 3000, ":3000", "127.0.0.1:3000", "[::1]:3000", { port: 3000 } or "/run/shop/shop.sock"; port 0 uses a free port.'

export const hostMessages = {
  address: (value: string) => [`${JSON.stringify(value)} is not an address to listen on`, targetHint],
  "address.environment": (value: string) => [
    `the environment variable PORT is ${JSON.stringify(value)}, which is not a port from 0 to 65535`,
    "Set it to a number from 0 to 65535, or to the path of a Unix socket, with a slash at the start.",
  ],
  "address.fd": (call: string, value: unknown) => [
    `${call} was given the fd ${formatValue(value)}, which is not the number of an open socket`,
    "Write { fd: 3 }.",
  ],
  "address.kind": (call: string, value: unknown) => [
    `${call} takes a port, an address or options, not ${describeType(value)}`,
    targetHint,
  ],
  "address.port": (call: string, value: unknown) => [
    `${call} was given the port ${formatValue(value)}, which is not a port from 0 to 65535`,
    targetHint,
  ],
  "address.text_port": (value: string) => [
    `the port of ${JSON.stringify(value)} is not a port from 0 to 65535`,
    targetHint,
  ],
  host: (address: string, reason: string) => [
    `cannot listen on ${address}: ${reason}`,
    "Give an address of this machine, or only the port. A program that fw builds takes them from HOST and PORT.",
  ],
  "host.runtime": (address: string, runtime: string) => [
    `cannot listen on ${address}: fw has no such sockets on ${runtime}`,
    "Listen on a port of 127.0.0.1, or run the program on Node.",
  ],
  "host.socket": (path: string, reason: string) => [
    `cannot listen on ${path}: ${reason}`,
    "Name a path of at most 100 bytes in a directory that exists, such as that of RuntimeDirectory= in a unit of systemd.",
  ],
  "lambda.base_path": (call: string, value: unknown) => [
    `${call} was given the basePath ${JSON.stringify(value)}`,
    'Start it with a slash, and end it without one: "/shop".',
  ],
  "lambda.env": (call: string, kind: string) => [
    `${call} was given an env of type ${kind}`,
    "Write env: (event, context) => ({ ...process.env, event }).",
  ],
  "lambda.event": () => [
    "the event is not an HTTP request",
    "Connect the function to a function URL, an API of API Gateway or a load balancer. Other events need a handler of their own.",
  ],
  "lambda.value": (name: string, value: unknown) => [
    `the event has ${describeType(value)} for ${JSON.stringify(name)}`,
    "Headers and query parameters are texts, or lists of texts in multiValueHeaders and multiValueQueryStringParameters.",
  ],
  "lambda.stream": () => [
    "lambdaStreamHandler() needs awslambda.streamifyResponse, which only the Node runtime of AWS Lambda has",
    "Use lambdaHandler() elsewhere.",
  ],
  load: (file: string, isUnknownExtension: boolean) => [
    `cannot import ${file}`,
    isUnknownExtension
      ? "This Node cannot import TypeScript. Start the project with fw dev or fw build, or use Node 22.18 or later."
      : "Fix the file. The error that it threw is shown below.",
  ],
  "node_handler.app": () => [
    "nodeHandler() was given an app of another copy of fw",
    'An app that fw build --target app made has its own: import app, { nodeHandler } from "./dist/app/app.mjs".',
  ],
  "node_handler.values": (value: unknown) => [
    `the function with of nodeHandler() returned ${describeType(value)}`,
    "Return an object, such as { session: req.session }.",
  ],
  "node_handler.with": (kind: string) => [
    `the option with of nodeHandler() is of type ${kind}`,
    "Write with: (req) => ({ session: req.session }).",
  ],
  on_shutdown: (value: unknown) => [
    `app.onShutdown() takes a function, not ${describeType(value)}`,
    "Write app.onShutdown(() => pool.end()).",
  ],
  "on_shutdown.failed": (errors: readonly unknown[]) => [
    `${errors.length === 1 ? "a function" : `${errors.length} functions`} of app.onShutdown() failed: ${errors.map(formatReason).join("; ")}`,
    "Catch what may go wrong there. The other functions were called.",
  ],
  port_denied: (address: string) => [
    `this user may not listen on ${address}`,
    "Ports below 1024 need special permission. Use a higher port.",
  ],
  "port_denied.socket": (path: string) => [
    `this user may not make the socket ${path}`,
    "Use a directory that belongs to the user of the program, such as that of RuntimeDirectory= in a unit of systemd.",
  ],
  port_in_use: (address: string) => [
    `${address} is in use by another process`,
    "Stop that process, or listen on another port, such as with PORT=3001.",
  ],
  "port_in_use.file": (path: string) => [
    `cannot listen on ${path}: there is a file that is not a socket`,
    "Remove it, or use another path.",
  ],
  "port_in_use.socket": (path: string) => [
    `another process listens on the socket ${path}`,
    "Stop that process, or use another path.",
  ],
  ws_missing: () => [
    "the app has socket routes, but the package ws, which implements WebSocket on Node, is not installed",
    "Run npm install ws.",
  ],
  "ws_missing.old": () => [
    "the app has socket routes, but the installed package ws is older than 8.21, so one message in endless fragments could fill the memory",
    "Run npm install ws@^8.21.0.",
  ],
} satisfies Messages

function formatReason(error: unknown): string {
  return error instanceof Error ? error.message : describeType(error)
}
