/**
 * Tests of the files in docs/operations/deploy.md: real proxies in front of two servers, the check of systemd, and
 * the fields of manifests.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { Agent, type IncomingMessage, type RequestOptions, request } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { parse, parseAllDocuments } from "yaml"
import { serve } from "../../adapters/node.ts"
import { App } from "../../lib/index.ts"
import { deployFile, deployFiles } from "../support/docs/deploy-files.ts"
import { findFreePort } from "../support/free-port.ts"
import { isListening } from "../support/store/haproxy.ts"
import { endWithTest } from "../support/store/server.ts"
import { until } from "../support/store/until.ts"

process.env.FW_LOG_LEVEL = "off"
const run = promisify(execFile)
const directory = mkdtempSync(join(tmpdir(), "fw-deploy-"))
const checked = { live: 0, ready: 0 }

function makeApp(): App {
  const app = new App({ logger: false, trustedProxies: ["127.0.0.1"], bodyLimit: 1e8 })
  for (const name of ["live", "ready"] as const)
    app.get(`/health/${name}`, (c) => {
      checked[name] += 1
      return c.noContent()
    })
  app.get("/client", (c) => c.json(200, { ip: c.clientIP, host: c.request.headers.get("host") }))
  app.get("/scheme", (c) => c.string(200, c.request.headers.get("x-forwarded-proto") ?? ""))
  app.get("/events", (c) =>
    c.sse(async (events) => {
      await events.send("first")
      await once(c.signal, "abort")
    }),
  )
  app.get("/lines", (c) => c.stream(200, lines(c.signal), "text/plain"))
  app.post("/size", async (c) => c.json(200, (await c.bytes()).length))
  app.socket("/chat", () => ({}))
  return app
}

async function* lines(signal: AbortSignal) {
  yield "first\n"
  if (!signal.aborted) await once(signal, "abort")
}

/** A proxy, and how it is started with the file in the documentation. */
interface Proxy {
  readonly file: string
  readonly changes: (port: number, sites: readonly [string, string]) => Readonly<Record<string, string>>
  readonly start: (file: string) => readonly [string, ...string[]]
  /** Makes the proxy load the file again. */
  readonly reload: (file: string, pid: number) => Promise<unknown>
  readonly checksHealth: boolean
  /** True if a reload loses no request. */
  readonly reloadsSafely: boolean
}

let admin = `127.0.0.1:${await findFreePort()}`
/**
 * The default paths of nginx belong to root. If it runs as root, its workers run as another user, who cannot read
 * the folder of a test.
 */
const nginxPaths = [
  "access_log off;",
  ...(process.getuid?.() === 0
    ? []
    : ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
        (kind) => `${kind}_temp_path ${join(directory, kind)};`,
      )),
].join("\n  ")
const nginx = (file: string) => [
  "-e",
  "stderr",
  "-p",
  directory,
  "-c",
  file,
  "-g",
  `pid ${directory}/nginx.pid; error_log stderr;`,
]
const proxies: Readonly<Record<string, Proxy>> = {
  nginx: {
    file: "nginx.conf",
    changes: (port, [one, two]) => ({
      "http {": `http {\n  ${nginxPaths}`,
      "listen 80": `listen 127.0.0.1:${port}`,
      "127.0.0.1:3001": one,
      "127.0.0.1:3002": two,
    }),
    start: (file) => ["/usr/sbin/nginx", ...nginx(file).slice(0, -1), `${nginx(file).at(-1)} daemon off;`],
    reload: (file) => run("/usr/sbin/nginx", [...nginx(file), "-s", "reload"]),
    checksHealth: false,
    reloadsSafely: true,
  },
  Caddy: {
    file: "Caddyfile",
    changes: (port, [one, two]) => ({
      "shop.example.com": `{\n  admin ${admin}\n}\nhttp://127.0.0.1:${port}`,
      "127.0.0.1:3001": one,
      "127.0.0.1:3002": two,
    }),
    start: (file) => ["/usr/bin/caddy", "run", "--config", file, "--adapter", "caddyfile"],
    reload: (file) =>
      run("/usr/bin/caddy", ["reload", "--force", "--config", file, "--adapter", "caddyfile", "--address", admin]),
    checksHealth: true,
    reloadsSafely: false,
  },
  HAProxy: {
    file: "haproxy.cfg",
    changes: (port, [one, two]) => ({
      "bind :80": `bind 127.0.0.1:${port}`,
      "127.0.0.1:3001": one,
      "127.0.0.1:3002": two,
    }),
    start: (file) => ["/usr/sbin/haproxy", "-W", "-db", "-f", file],
    reload: async (_, pid) => process.kill(pid, "SIGUSR2"),
    checksHealth: true,
    reloadsSafely: true,
  },
}

/** Sends a request on its own connection. */
async function send(options: RequestOptions, body?: Buffer): Promise<IncomingMessage> {
  const sent = request({ host: "127.0.0.1", agent: new Agent(), ...options }).end(body)
  const [answer] = (await once(sent, "response")) as [IncomingMessage]
  return answer
}

async function readText(answer: IncomingMessage): Promise<string> {
  let text = ""
  for await (const part of answer.setEncoding("utf8")) text += part
  return text
}

for (const [name, proxy] of Object.entries(proxies)) {
  const tests = suite(name)
  let port: number
  let pid: number
  let file: string
  /** Starts the proxy, and repeats this with another port if the port was taken before the proxy started. */
  const start = async (addresses: readonly [string, string]): Promise<ChildProcess> => {
    let output = ""
    for (let tries = 3; tries > 0; tries--) {
      port = await findFreePort()
      admin = `127.0.0.1:${await findFreePort()}`
      file = join(directory, proxy.file)
      writeFileSync(file, deployFile(proxy.file, proxy.changes(port, addresses)))
      const [program, ...args] = proxy.start(file)
      const env = { PATH: process.env.PATH, HOME: directory }
      const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "pipe"] })
      endWithTest(child)
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (part: Buffer) => {
          output = (output + part).slice(-2_000)
        })
      await until(async () => child.exitCode !== null || (await isListening(port)))
      if (child.exitCode === null) return child
      output += `\n${program} ended with ${child.exitCode}.\n`
    }
    throw new Error(`${output}See .ci/run, which installs it.`)
  }
  // If the proxy cannot be started, the test must report that error.
  let stop: () => Promise<unknown> = async () => {}

  tests.before(async () => {
    const sites = await Promise.all([0, 1].map(() => serve(makeApp(), { host: "127.0.0.1", port: 0 })))
    const addresses = sites.map(({ addr }) => addr) as [string, string]
    const child = await start(addresses)
    pid = child.pid as number
    stop = async () => {
      const ended = once(child, "exit")
      child.kill("SIGTERM")
      await ended
      const now = AbortSignal.abort()
      await Promise.allSettled(sites.map((site) => site.shutdown(now)))
    }
  })
  tests.after(async () => {
    await stop()
  })

  tests("the program sees the client's address, the host and the scheme", async () => {
    const answer = await send({ port, path: "/client", localAddress: "127.0.0.9" })
    assert.equal(JSON.parse(await readText(answer)), { ip: "127.0.0.9", host: `127.0.0.1:${port}` })
    assert.is(await readText(await send({ port, path: "/scheme" })), "http")
  })

  for (const path of ["/events", "/lines"])
    tests(`the data that ${path} has sent arrives before the answer ends`, async () => {
      const answer = await send({ port, path })
      const [part] = (await once(answer, "data")) as [Buffer]
      assert.match(part.toString(), "first")
      answer.destroy()
    })

  tests("a WebSocket can be opened", async () => {
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-version": "13",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    const sent = request({ host: "127.0.0.1", port, path: "/chat", headers }).end()
    const [answer, socket] = await once(sent, "upgrade")
    assert.is(answer.statusCode, 101)
    assert.is(answer.headers["sec-websocket-accept"], "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    socket.destroy()
  })

  tests("a body of 20 MB arrives", async () => {
    const size = 20_000_000
    assert.is(await readText(await send({ port, path: "/size", method: "POST" }, Buffer.alloc(size))), String(size))
  })

  if (proxy.checksHealth)
    tests("the proxy checks whether the program is ready", async () => {
      const before = checked.ready
      await until(() => checked.ready > before)
    })

  tests(
    `${proxy.reloadsSafely ? "no request is lost while the proxy loads" : "requests are answered after the proxy has loaded"} its file again`,
    async () => {
      if (!proxy.reloadsSafely) {
        await proxy.reload(file, pid)
        assert.is((await send({ port, path: "/client" })).statusCode, 200)
        return
      }
      const statuses: (number | undefined)[] = []
      let isOver = false
      const clients = Array.from({ length: 8 }, async () => {
        while (!isOver) {
          const answer = await send({ port, path: "/client" })
          answer.resume()
          statuses.push(answer.statusCode)
        }
      })
      const more = async (count: number) => {
        const goal = statuses.length + count
        await until(() => statuses.length >= goal)
      }
      await more(50)
      await proxy.reload(file, pid)
      await more(300)
      isOver = true
      await Promise.all(clients)
      assert.equal(
        statuses.filter((status) => status !== 200),
        [],
      )
    },
  )

  tests.run()
}

const files = suite("files of deployments")
files.after(() => rmSync(directory, { recursive: true, force: true }))

files("systemd accepts the units", async () => {
  const units = ["shop.service", "shop.socket"].map((name) => join(directory, name))
  writeFileSync(units[0] as string, deployFile("shop.service", { "/usr/local/bin/shop": process.execPath }))
  writeFileSync(units[1] as string, deployFile("shop.socket", {}))
  const { stdout, stderr } = await run("systemd-analyze", ["verify", "--man=no", ...units])
  const lines = `${stdout}${stderr}`.split("\n")
  assert.equal(
    lines.filter((line) => line.includes("shop.")),
    [],
  )
})

files("Compose has the services and volumes that the file names", () => {
  const { services, volumes } = parse(deployFiles.get("compose.yaml") ?? "", { merge: true })
  const known = [
    "build",
    "command",
    "depends_on",
    "environment",
    "healthcheck",
    "image",
    "ports",
    "restart",
    "stop_grace_period",
    "volumes",
  ]
  assert.equal(Object.keys(services), ["shop1", "shop2", "redis", "caddy"])
  for (const service of Object.values<Record<string, unknown>>(services)) {
    assert.equal(
      Object.keys(service).filter((key) => !known.includes(key)),
      [],
    )
    for (const name of (service.depends_on ?? []) as string[]) assert.ok(name in services, name)
    for (const volume of (service.volumes ?? []) as string[])
      assert.ok(volume.startsWith("./") || (volume.split(":")[0] as string) in volumes, volume)
  }
  assert.equal(services.shop1.environment.REDIS_URL, "redis://redis:6379")
  assert.ok(deployFiles.has("Dockerfile") && services.shop1.build === ".")
})

files("the parts of the manifest for Kubernetes refer to each other correctly", () => {
  const parts = parseAllDocuments(deployFiles.get("shop.yaml") ?? "")
  const [deployment, service] = parts.map((part) => part.toJS())
  const { selector, template, ...spec } = deployment.spec
  const [container] = template.spec.containers
  assert.equal([deployment.apiVersion, deployment.kind], ["apps/v1", "Deployment"])
  assert.equal([service.apiVersion, service.kind], ["v1", "Service"])
  assert.equal(Object.keys(spec), ["replicas", "strategy"])
  assert.equal(selector.matchLabels, template.metadata.labels)
  assert.equal(service.spec.selector, template.metadata.labels)
  const { name } = container.ports[0]
  assert.is(service.spec.ports[0].targetPort, name)
  assert.equal(container.readinessProbe.httpGet, { path: "/health/ready", port: name })
  assert.equal(container.livenessProbe.httpGet, { path: "/health/live", port: name })
})

files.run()
