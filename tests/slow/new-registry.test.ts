/**
 * Tests of where the fw of a new project comes from, with the real npm and a local registry that has another
 * package with this name, or none.
 */
import { once } from "node:events"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { type AddressInfo, createServer, type Socket } from "node:net"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { listOwnFiles, packOwnPackage, readOwnManifest } from "../../bin/project/own-package.ts"
import { packTar } from "../../bin/system/tar.ts"
import { fw, project, type World } from "../support/bin/cli/command.ts"
import { type Release, release, startRegistry, type TestRegistry } from "../support/bin/new/registry.ts"
import { readTar } from "../support/bin/system/read-tar.ts"
import { findFreePort } from "../support/free-port.ts"

const { version, devDependencies } = await readOwnManifest()
const ours: Release = { name: "fw", version, tarball: (await packOwnPackage()).bytes }

const least = (name: string) => (devDependencies[name] as string).replace(/^[^\d]*/, "")
/** The packages for developing a project, as npm sees them. */
const tools = ["@types/node", "esbuild", "typescript"].map((name) => release({ name, version: least(name) }))

const closings: (() => unknown)[] = []
test.after(async () => {
  await Promise.all(closings.map((close) => close()))
})

async function registryWith(...releases: readonly Release[]): Promise<TestRegistry> {
  const registry = await startRegistry([...tools, ...releases])
  closings.push(() => registry.close())
  return registry
}

interface Made {
  readonly root: string
  readonly code: number
  readonly data: {
    readonly fw: string
    readonly installed: boolean
    readonly warnings: readonly { readonly code: string; readonly message: string; readonly fix: string }[]
  }
  readonly stderr: string
}

/** Creates a project with the npm of this machine, which knows only the local registry. */
async function make(url: string, more: World["env"] = {}): Promise<Made> {
  const cwd = project({ "home/.npmrc": "" })
  const env = {
    PATH: process.env.PATH,
    HOME: join(cwd, "home"),
    npm_config_registry: url,
    npm_config_cache: join(cwd, "cache"),
    npm_config_update_notifier: "false",
    GIT_CONFIG_GLOBAL: "/dev/null",
    ...more,
  }
  const { code, stdout, stderr } = await fw(["new", "shop", "--json"], { cwd, env })
  return { root: join(cwd, "shop"), code, data: JSON.parse(stdout).data, stderr }
}

/** Starts a server that accepts connections and sends nothing, as a network behind a login page may do. */
async function startSilentServer() {
  const sockets: Socket[] = []
  const server = createServer((socket) => sockets.push(socket.on("error", () => {})))
  closings.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets }
}

/** Checks that the fw in a project is the one of this checkout, byte for byte. */
async function assertOurs(root: string): Promise<void> {
  for (const { path, bytes } of await listOwnFiles()) {
    assert.ok(readFileSync(join(root, "node_modules/fw", path)).equals(bytes), path)
  }
}

/** Returns a package that would write a file if any of its code ran. */
function foreign(trace: string): Release {
  const touch = `require("node:fs").writeFileSync(${JSON.stringify(trace)}, "x")`
  const scripts = { preinstall: "node run.js", install: "node run.js", postinstall: "node run.js" }
  return release(
    { name: "fw", version, scripts, bin: { fw: "bin/fw.js" }, main: "run.js" },
    { "run.js": touch, "bin/fw.js": touch },
  )
}

test("another package with the name fw is never installed", async () => {
  const trace = join(project({}), "trace")
  const registry = await registryWith(foreign(trace))
  const { root, code, data, stderr } = await make(registry.url)
  assert.is(code, 0)
  assert.is(data.fw, `file:vendor/fw-${version}.tgz`)
  assert.is(data.installed, true)
  assert.match(stderr, `fw ${version} packed into vendor/`)
  assert.is(existsSync(trace), false)
  assert.equal(
    registry.asked.filter((path) => path.startsWith("/fw")),
    [],
  )
  await assertOurs(root)
})

test("a project can be installed from its copy of fw", async () => {
  const { root, data } = await make((await registryWith()).url)
  assert.is(data.fw, `file:vendor/fw-${version}.tgz`)
  assert.ok(readFileSync(join(root, `vendor/fw-${version}.tgz`)).equals(ours.tarball))
  await assertOurs(root)
})

/** Checks a project that was created without a registry. */
function assertNotInstalled({ root, code, data }: Made): void {
  assert.equal({ code, installed: data.installed }, { code: 0, installed: false })
  const [warning] = data.warnings
  assert.is(warning?.code, "not_installed")
  assert.is(warning?.message, "the packages are not installed: the package registry cannot be reached")
  assert.match(warning?.fix ?? "", /\n {4}cd shop && npm install$/)
  const names = readdirSync(root)
  assert.ok(names.includes("package.json") && names.includes(".fw"))
  assert.not.ok(names.includes("node_modules") || names.includes("package-lock.json"))
}

test("without a network the project is complete, and a warning says how to finish", async () => {
  assertNotInstalled(await make(`http://127.0.0.1:${await findFreePort()}`))
})

test("a registry that never answers is not asked for one package after another", async () => {
  const { url, sockets } = await startSilentServer()
  assertNotInstalled(await make(url, { npm_config_fetch_timeout: "1000" }))
  // Two attempts, and the next package if npm was faster than its end.
  assert.ok(sockets.length <= 3, `${sockets.length} connections`)
})

test("the tarball of fw is the same as that of npm", async () => {
  const files = readTar(ours.tarball)
  assert.equal(files.map(({ path }) => path).sort(), (await listOwnFiles()).map(({ path }) => path).sort())
  assert.ok((await packOwnPackage()).bytes.equals(ours.tarball))
  assert.is(files.find(({ path }) => path === "dist/bin/fw.js")?.executable, true)
  const long = { path: `${"d".repeat(90)}/${"e".repeat(90)}`, bytes: Buffer.from("x") }
  assert.equal(
    readTar(packTar([long])).map(({ path }) => path),
    [long.path],
  )
  assert.throws(() => packTar([{ ...long, path: "f".repeat(101) }]), /too long/)
})

test.run()
