/** Messages about the application: its options, its routes, and what it mounts. */
import { describeType, formatValue } from "../text.ts"
import { type RangeProblem, writeRangeMessage } from "./address-ranges.ts"
import type { Messages } from "./message.ts"

/** What each option of an app means, and how to write it. */
const optionDescriptions = {
  appDir: ["the name of a directory", '"some/directory"'],
  staticDir: ["the name of a directory", '"some/directory"'],
  bodyLimit: ["a number of bytes", "1024 * 1024"],
  formPartLimit: ["a number of parts", "1000"],
  trustedProxies: ["a list", '["10.0.0.0/8"]'],
  logger: ["a boolean or an object", '{ level: "info" }'],
} as const

const handlerExamples: Readonly<Record<string, string>> = {
  "app.setProxy": "(c) => proxy.continue()",
  "app.onError": "(c, error) => c.json(500, { error: 'our fault' })",
  "app.notFound": "(c) => c.json(404, { error: 'nothing here' })",
  mountHandler: "(request) => new Response(). For another app, pass its fetch: other.fetch",
  socket: "(c) => ({ message(socket, data) { … } })",
  group: '(group) => group.get("/", handler)',
}

export const applicationMessages = {
  app: (call: string, value: unknown) => [
    `${call} takes an App, not ${describeType(value)}`,
    "Pass the result of new App(), made by the same installation of fw.",
  ],
  app_options: (key: string, value: unknown, subject?: string) => {
    const [kind, example] = optionDescriptions[key as keyof typeof optionDescriptions]
    return [
      `${subject ?? `the option ${key}`} is ${formatValue(value)}, which is not ${kind}`,
      `Write ${subject === undefined ? `${key}: ` : ""}${example}.`,
    ]
  },
  "app_options.kind": (call: string, first: string, value: unknown) => [
    `${call} takes an object of options, not ${describeType(value)}`,
    // With app.use(csrf) instead of app.use(csrf()), fw passes the next handler as the options.
    typeof value === "function" && /^\w+\(\)$/.test(call)
      ? `Write { ${first}: … }. To use it as a middleware, call it: app.use(${call.replace("()", `({ ${first}: … })`)}).`
      : `Write ${value === undefined ? call.replace("()", `({ ${first}: … })`) : `{ ${first}: … }, or leave the argument out if every option has a default`}.`,
  ],
  "app_options.type": (
    call: string,
    key: string,
    kind: "boolean" | "function" | "string" | "list of texts",
    value: unknown,
  ) => [
    `${call} takes a ${kind} as ${key}, not ${describeType(value)}`,
    `Write ${key}: ${{ boolean: "true", function: "(c) => …", string: '"…"', "list of texts": '["…"]' }[kind]}.`,
  ],
  "app_options.unknown": (call: string, key: string, known: readonly string[]) => [
    `${call} has no option ${formatValue(key)}`,
    known.length === 1 ? `Its only option is ${known[0]}.` : `Its options are ${known.join(", ")}.`,
  ],
  around: (name: "clientIP" | "env" | "waitUntil", kind: string, value: unknown) => [
    `the second argument of app.fetch() takes ${/^[aeiou]/.test(kind) ? "an" : "a"} ${kind} for ${name}, not ${describeType(value)}`,
    {
      clientIP: 'Write clientIP: "203.0.113.7", or leave it out if the address is not known.',
      env: "Write env: { API_KEY }, or leave it out.",
      waitUntil: "Write waitUntil: (promise) => { … }, or leave it out.",
    }[name],
  ],
  "around.bindings": (place: string, key: string) => [
    `${place} has no ${formatValue(key)}`,
    `Write bindings as env: { env: { ${/^[\w$]+$/.test(key) ? key : formatValue(key)}: … } }. The others are clientIP and waitUntil.`,
  ],
  "around.context": () => [
    "app.request() was given a fourth argument",
    "Write { env, waitUntil: (promise) => context.waitUntil(promise) } as the third, with the bindings as env.",
  ],
  "around.kind": (value: unknown) => [
    `the third argument of app.request() is an object, not ${describeType(value)}`,
    "Write { env: { API_KEY } }, or leave it out.",
  ],
  "around.unknown": (key: string, suggestion: string) => [
    `the second argument of app.fetch() has no ${formatValue(key)}`,
    `Write ${suggestion}.`,
  ],
  conflict: (route: string, first: string, second: string) => [
    `${first} and ${second} both claim ${route}`,
    "Remove one of them, or change its path.",
  ],
  "cors.origins": (call: string) => [
    `${call} takes a list of origins, or a function`,
    `Write ${call.replace("()", "")}({ origins: ["https://shop.example"] }).`,
  ],
  "cors.origin": (call: string, value: unknown) => [
    `${call} was given the origin ${formatValue(value)}, which is not a valid origin`,
    'Write only scheme, host and port: "https://shop.example".',
  ],
  handler: (call: string, value: unknown) => [
    `${call} was given ${describeType(value)}, not a function`,
    `Write ${handlerExamples[call.slice(0, call.indexOf("("))] ?? "(c) => c.json(200, data)"}.`,
  ],
  "health_options.check": (name: string, value: unknown) => [
    `the health check ${formatValue(name)} is ${describeType(value)}, not a function`,
    `Write checks: { ${name}: async () => { … } }.`,
  ],
  "health_options.checks": (value: unknown) => [
    `app.health() takes an object of functions as checks, not ${describeType(value)}`,
    "Write checks: { database: async () => { … } }.",
  ],
  "health_options.path": (name: string, path: string) => [
    `app.health() was given ${formatValue(path)} as ${name}, which is not a plain path`,
    `Write ${name}: "/health/${name}", with a slash at the start and without parameters.`,
  ],
  "health_options.same": (path: string) => [
    `app.health() was given ${formatValue(path)} for both live and ready`,
    "Give each its own path.",
  ],
  "health_options.seconds": (name: string, value: unknown) => [
    `the option ${name} of app.health() is ${formatValue(value)}, which is not a number of seconds${name === "timeout" ? " above 0" : ""}`,
    `Write ${name}: 5.`,
  ],
  listen: (addr: string) => [`the app already listens${addr && ` on ${addr}`}`, "Call shutdown() first."],
  log_level: (value: string, levels: readonly string[]) => [
    `FW_LOG_LEVEL is ${formatValue(value)}, which is not a log level`,
    `Set it to one of ${levels.join(", ")}.`,
  ],
  // Neither the secrets nor their lengths are shown.
  secrets: (name: string) => [
    `${name} is not set, so cookies cannot be signed`,
    `Put it into .env for fw dev, and into the environment of production, the same on every machine: ${name}="$(openssl rand -base64 48)"`,
  ],
  "secrets.short": (name: string, position: number, minBytes: number) => [
    `the secret at position ${position} in ${name} is shorter than ${minBytes} bytes`,
    `Secrets are separated by commas. This makes one: openssl rand -base64 48`,
  ],
  "secrets.weak": (name: string, position: number) => [
    `the secret at position ${position} in ${name} repeats a few characters, so it can be guessed`,
    "This makes a random one: openssl rand -base64 48",
  ],
  logger_config: (key: string, allowed: string) => [
    `the option ${key} of the logger is not valid`,
    `It takes ${allowed}.`,
  ],
  "logger_config.pino": (value: unknown) => [
    `pinoLog() takes a logger of pino, not ${describeType(value)}`,
    "Write pinoLog(pino()).",
  ],
  "logger_config.kind": (value: unknown) => [
    `the logger takes an object of options, not ${describeType(value)}`,
    'Write { level: "info" }.',
  ],
  "logger_config.unknown": (key: string, known: readonly string[]) => [
    `the logger has no option ${formatValue(key)}`,
    `Its options are ${known.join(", ")}.`,
  ],
  method: (method: unknown) => [
    `${formatValue(method)} is not a valid method`,
    'Write registerRoute("PURGE", "/cache/*", handler), with a name of letters.',
  ],
  middleware: (source: string, value: unknown) => [
    `${source} was given ${describeType(value)}${typeof value === "function" ? ` of ${value.length} parameters` : ""}, not a middleware`,
    source.endsWith(".use()") && typeof value === "string"
      ? source === "app.use()"
        ? `It takes no path. Write app.use(combine.only(${formatValue(value.replace(/\/?\*?$/, "/*"))}, …)).`
        : `It takes no path. Write group.group(${formatValue(value)}, (inner) => { inner.use(…) }).`
      : `Write (next) => (c) => next(c).${typeof value === "function" && value.length > 3 ? " Errors go to app.onError((c, error) => …)." : ""}`,
  ],
  "middleware.direct": (file: string) => [
    `${file} exports the middleware itself as Middleware, not a function that returns it`,
    "Write () => before it: export const Middleware = () => rateLimit().",
  ],
  "middleware.result": (source: string, value: unknown) => [
    `${source} returned ${value === undefined ? "nothing" : describeType(value)}, not a handler`,
    "Write (next) => (c) => next(c).",
  ],
  "mount.export": (file: string, name: string, kind: string) => [
    kind === "undefined"
      ? `${file} exports no function ${name}`
      : `${file} exports ${name} as ${kind}, not as a function`,
    name === "Middleware" && kind !== "undefined"
      ? "Write () => before it: export const Middleware = () => rateLimit(). Several are a list: () => [first, second]."
      : `Write: ${file.endsWith(".tpl") ? "template" : "export function"} ${name}(…) { … }`,
  ],
  "mount.deferTimeout": (file: string, value: unknown) => [
    `deferTimeout in ${file} must be a number of seconds above 0, not ${JSON.stringify(value)}`,
    "Write export const deferTimeout = 5, or remove it.",
  ],
  "mount.fragment": (file: string, value: unknown) => [
    `${file} exports fragment as ${String(value)}`,
    "Make it false, for a page that always has its layout, or a function of the context that returns true for requests that get the page without it.",
  ],
  "mount.module": (file: string) => [
    `the generated routes have no module for ${file}`,
    "Generate them again: run fw dev or fw build.",
  ],
  "mount.nothing": () => [
    "app.mount() has nothing to mount",
    "Call await app.scan() first, or pass the generated routes.",
  ],
  "mount.routes": (value: unknown) => [
    `app.mount() takes generated routes, not ${describeType(value)}`,
    'Write import routes from "./.fw/routes.ts", then await app.mount(routes).',
  ],
  "mount.title": (file: string, kind: string) => [
    `${file} exports title as ${kind}`,
    "Make it a string, or a function of the context that returns a string or a promise of one.",
  ],
  "mount.twice": () => ["app.mount() was called twice", "Call it once."],
  platform: (feature: string) => [
    `this runtime has no ${feature}`,
    "Use app.fetch with the runtime's own server, and generated routes.",
  ],
  "platform.files": (dir: string) => [
    `a worker has no disk to read ${formatValue(dir)} from`,
    "Keep such files in a bucket: c.file(r2Files(c.env.BUCKET), name), or s3Files(), of fw/files. For app.static(), leave out { embed: false }.",
  ],
  "platform.save": () => [
    "part.save() writes to a disk, and this runtime has none",
    "Store it in a bucket: part.save(files, name), with r2Files() or s3Files() of fw/files.",
  ],
  "platform.save_place": (path: string, kind: string) => [
    `part.save() cannot write to ${formatValue(path)}, because it is ${kind}`,
    "Pass the path of a file, such as uploads/photo-1.",
  ],
  "platform.scan": () => [
    "an executable contains the routes that it was built with, and cannot scan a directory",
    "Remove app.scan() and app.mount() from main.ts. The entry that fw build generates mounts the routes.",
  ],
  proxy: (file: string) => [`${file} and app.setProxy() both set a proxy`, "Keep one of them."],
  proxy_config: (key: string, _given: unknown) => [
    `ProxyConfig.${key} is not a list of strings`,
    `Write ${key}: ["/api/*"].`,
  ],
  "proxy_config.slash": (matcher: string) => [
    `the matcher ${formatValue(matcher)} does not start with a slash`,
    `Write "/${matcher}".`,
  ],
  "proxy_config.pattern": (matcher: string) => [
    `the matcher ${formatValue(matcher)} is not a pattern that URLPattern can read`,
    'Write a path such as "/api/*", "/users/{id}" or any URLPattern pathname.',
  ],
  rewrite: (path: unknown) => [
    `proxy.rewrite() takes a path that starts with a slash, not ${formatValue(path)}`,
    'Write proxy.rewrite("/users/7").',
  ],
  sealed: (call: string) => [
    `${call} comes after the first request`,
    "Register everything before the app listens or answers.",
  ],
  shutdown: (value: unknown) => [
    `app.shutdown() takes an AbortSignal, not ${describeType(value)}`,
    "Write await app.shutdown(AbortSignal.timeout(30_000)).",
  ],
  "shutdown.seconds": (name: string, value: unknown) => [
    `${name} is ${formatValue(value)}, which is not a number of seconds`,
    "Write seconds, such as 5, or 0 to wait for nothing.",
  ],
  "shutdown.variable": (value: string) => [
    `FW_DRAIN is ${formatValue(value)}, which is not a number of seconds`,
    "Set it to a number such as 5, or remove it.",
  ],
  "socket.heartbeat": (value: unknown) => [`heartbeat is ${value}`, "Write seconds, or 0 for none."],
  "socket.payload": (value: unknown) => [`maxPayload is ${value}`, "Write bytes, such as 64 * 1024."],
  "socket.payload_bun": (value: number, maxBytes: number) => [
    `maxPayload is ${value}, but no message on Bun can have more than ${maxBytes} bytes`,
    "Write a smaller maxPayload, send large data in several messages, or run the program on Node.",
  ],
  "socket.protocols": () => ["protocols is not a list of subprotocols", 'Write protocols: ["chat.v1"].'],
  "socket.result": (value: unknown) => [
    `Socket(c) returned ${describeType(value)}, not an object of event functions`,
    "Write return { message(socket, data) { … } }.",
  ],
  "static.directory": (prefix: string, value: unknown) => [
    `app.static(${formatValue(prefix)}) takes the name of a directory, not ${value === "" ? "an empty text" : describeType(value)}`,
    'Write app.static("/assets", "public").',
  ],
  "static.fallback": (prefix: string, value: unknown) => [
    `app.static(${formatValue(prefix)}) takes the name of a file in its directory as fallback, not ${formatValue(value)}`,
    'Write { fallback: "index.html" }.',
  ],
  "static.fallback_missing": (prefix: string, file: string) => [
    `the directory of app.static(${formatValue(prefix)}) has no file ${formatValue(file)}, which is its fallback`,
    "Build the application before you start the server, or name another file.",
  ],
  "static.maxAge": (prefix: string, value: unknown) => [
    `app.static(${formatValue(prefix)}) takes whole seconds, 0 or more, as maxAge, not ${formatValue(value)}`,
    "Write { maxAge: 3600 } for an hour.",
  ],
  "static.missing": (dir: string, prefix: string) => [
    `there is no directory ${formatValue(dir)} to serve under ${prefix}`,
    "Create it, or name another one. If the program creates it later, add the option { embed: false }.",
  ],
  "static.parameter": (prefix: string) => [
    `app.static(${formatValue(prefix)}) has a parameter in its prefix`,
    'Write a plain path, such as "/assets".',
  ],
  "static.twice": (prefix: string) => [
    `two directories are served under ${prefix}`,
    "Give one of them another prefix.",
  ],
  test_client: (value: unknown) => [
    `testClient() takes an app, or another object with fetch(), not ${describeType(value)}`,
    "Write testClient(app).",
  ],
  trusted_proxies: (value: unknown, problem: RangeProblem) =>
    writeRangeMessage("trustedProxies contains", value, problem),
  "use_late.app": () => [
    "app.use() comes after the app was mounted",
    "Call use() before mount() and the first request.",
  ],
  "use_late.group": (prefix: string) => [
    `use() in the group ${prefix} comes after its first route, so it would not wrap that route`,
    "Call use() before the group's routes.",
  ],
} satisfies Messages
