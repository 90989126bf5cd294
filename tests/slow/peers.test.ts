/**
 * Tests of the packages that a project installs itself: fw can be installed next to any version, and works with the
 * versions of the last years.
 */
import { cpSync, mkdirSync } from "node:fs"
import { createRequire, register } from "node:module"
import { join } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { loadWs } from "../../adapters/node/socket.ts"
import { redisStore } from "../../adapters/store.ts"
import { runProgram } from "../../bin/tools/program.ts"
import type { RedisClient } from "../../lib/store/redis/client.ts"
import { project } from "../support/bin/cli/command.ts"
import { pack } from "../support/bin/new/packed.ts"
import { driveStore } from "../support/store/contract.ts"
import { startRedis } from "../support/store/server.ts"
import { installTools } from "../support/tools.ts"

process.env.FW_LOG_LEVEL = "off"

/**
 * The packages of projects. npm reports the version that fw needs, and an unnecessary version range would make npm
 * fail.
 */
const installed = [
  ["redis@3", "ioredis@4", "hono@3", "pg@8", "better-sqlite3@11"],
  ["redis@4", "ioredis@5", "ws@8.21", "hono@4", "better-sqlite3@12"],
]

const tests = suite("peers")

tests(
  "npm installs fw next to any version of the packages that it can use, except next to a ws before 8.21",
  async () => {
    const folder = project({ "package.json": '{"private":true}\n' })
    const { filename } = await pack(folder)
    const install = (packages: readonly string[]) =>
      runProgram({
        program: "npm",
        args: [
          "install",
          "--package-lock-only",
          "--ignore-scripts",
          "--prefer-offline",
          "--no-audit",
          "--no-fund",
          ...packages,
          join(folder, filename),
        ],
        cwd: project({ "package.json": '{"private":true}\n' }),
      })
    for (const packages of installed) await install(packages)
    const refused = await install(["ws@8.17"]).then(
      () => "",
      (error) => String(error),
    )
    assert.match(refused, /peerOptional ws@">=8\.21"/)
  },
)

const clients = ["redis4@npm:redis@4", "redis5@npm:redis@5", "redis6@npm:redis@6"]
const ioredis = ["ioredis5@npm:ioredis@5", "ioredis6@npm:ioredis@6"]
const load = createRequire(join(await installTools([...clients, ...ioredis]), "package.json"))

/** Clients with the options of each version. */
const made: Readonly<Record<string, (port: number) => RedisClient>> = {
  "redis 4": (port) => load("redis4").createClient({ url: `redis://127.0.0.1:${port}` }),
  "redis 4 with legacyMode": (port) =>
    load("redis4").createClient({ url: `redis://127.0.0.1:${port}`, legacyMode: true }),
  "redis 4 with isolationPoolOptions": (port) =>
    load("redis4").createClient({ socket: { port, host: "127.0.0.1" }, isolationPoolOptions: { max: 2 } }),
  "redis 5": (port) => load("redis5").createClient({ url: `redis://127.0.0.1:${port}` }),
  "redis 5 with RESP 3": (port) => load("redis5").createClient({ url: `redis://127.0.0.1:${port}`, RESP: 3 }),
  "redis 6": (port) => load("redis6").createClient({ url: `redis://127.0.0.1:${port}` }),
  "redis 6 with RESP 2": (port) => load("redis6").createClient({ url: `redis://127.0.0.1:${port}`, RESP: 2 }),
  "ioredis 5": (port) => new (load("ioredis5").Redis)(port, "127.0.0.1", { lazyConnect: true }),
  "ioredis 6": (port) => new (load("ioredis6").Redis)(port, "127.0.0.1", { lazyConnect: true }),
}
for (const [name, client] of Object.entries(made)) {
  driveStore(name, ["kv", "counter", "lock", "topic", "log"], async () => {
    const server = await startRedis()
    return { open: () => redisStore(client(server.port)), end: () => server.end() }
  })

  tests(`close() ends the connections of ${name}`, async () => {
    const server = await startRedis()
    const watcher = new (load("ioredis6").Redis)(server.port, "127.0.0.1")
    const count = async () =>
      String(await watcher.call("CLIENT", "LIST"))
        .trim()
        .split("\n").length
    const store = redisStore(client(server.port))
    await store.kv.set("key", 1)
    await store.topic.subscribe("topic", { message() {}, gap() {} })
    assert.is(await count(), 3)
    await store.close()
    while ((await count()) > 1) await new Promise((resolve) => setImmediate(resolve))
    watcher.disconnect()
    await server.end()
  })
}

// The checkout has its own version, which would be found first.
const hook = `export const resolve = (name, context, next) => {
  if (name === "ws") throw Object.assign(new Error("no ws"), { code: "ERR_MODULE_NOT_FOUND" })
  return next(name, context)
}`
register(`data:text/javascript,${encodeURIComponent(hook)}`)

const versions = { "7": false, "8.0.0": false, "8.17.1": false, "8.20.1": false, "8.21.0": true, "8": true }
const aliases = Object.keys(versions).map((version) => `ws-${version}@npm:ws@${version}`)
const several = await installTools(aliases)
for (const [version, isEnough] of Object.entries(versions)) {
  tests(`sockets ${isEnough ? "start" : "do not start"} with ws ${version}`, async () => {
    const place = project({ "package.json": '{"private":true}\n' })
    mkdirSync(join(place, "node_modules"))
    cpSync(join(several, `ws-${version}`), join(place, "node_modules", "ws"), {
      recursive: true,
    })
    const loaded = await loadWs(place).then(
      () => "",
      (error) => `${error.code} ${error.fix}`,
    )
    assert.is(loaded, isEnough ? "" : "ws_missing Run npm install ws@^8.21.0.")
  })
}

tests.run()
