/** Tests of images of `fw build --image`: skopeo and umoci can read them, and they run without any other files. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { build, serve, serveInRoot } from "../support/bin/build/executables.ts"
import { project } from "../support/bin/cli/command.ts"
import { makeProject, route } from "../support/bin/dev/dev-project.ts"

const files = {
  "package.json": '{ "name": "@me/Shop_One", "type": "module" }\n',
  "app/api/hello/route.ts": route("hello"),
  "app/api/save/route.ts": `import { writeFileSync } from "node:fs"
import type { Context } from "fw"

export function Post(c: Context) {
  writeFileSync("data/saved", "yes")
  return c.json(200, { user: process.getuid?.(), directory: process.cwd() })
}
`,
  "app/page.tpl": "template Page() {\n  <h1>Shop</h1>\n}\n",
  "static/a.txt": "embedded",
}
const cwd = makeProject(files)
const quiet = { FW_LOG_LEVEL: "off" }
const isRoot = process.getuid?.() === 0

for (const tool of ["skopeo", "umoci", "unshare"])
  test(`${tool} is installed`, () => {
    assert.ok(existsSync(`/usr/bin/${tool}`), `${tool} is missing: apt-get install skopeo umoci util-linux`)
  })

async function image(root: string, name: string, ...args: string[]): Promise<Record<string, unknown>> {
  const { code, stdout, stderr } = await build(root, ["--image", name, "--json", ...args])
  assert.is(code, 0, stdout + stderr)
  return JSON.parse(stdout).data
}

const run = (file: string, ...args: string[]) => execFileSync(file, args, { encoding: "utf8", cwd })
const sha256 = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex")

/** Unpacks an image with the two tools. @returns the root of its files. */
function unpack(archive: string, name: string): string {
  run("skopeo", "copy", "-q", `oci-archive:${archive}`, `oci:${name}-layout:latest`)
  run("umoci", "unpack", ...(isRoot ? [] : ["--rootless"]), "--image", `${name}-layout:latest`, name)
  return join(cwd, name, "rootfs")
}

/** Starts the program of an unpacked image as its configuration says. */
const start = (rootfs: string, entrypoint: string) =>
  serveInRoot(rootfs, { user: 65_532, directory: "/srv", entrypoint: [entrypoint] }, quiet)

async function answers(url: string): Promise<void> {
  assert.match(await (await fetch(`${url}/api/hello`)).text(), /hello/)
  assert.match(await (await fetch(url)).text(), /<h1>Shop<\/h1>/)
  assert.is(await (await fetch(`${url}/static/a.txt`)).text(), "embedded")
}

test("an image contains only the program, its libraries and a user, and the program serves", async () => {
  const made = await image(cwd, "shop.tar")
  assert.equal(
    { ...made, digest: null, size: null },
    { image: "shop.tar", digest: null, os: "linux", arch: "amd64", size: null },
  )
  assert.is(made.size, statSync(join(cwd, "shop.tar")).size)
  const seen = JSON.parse(run("skopeo", "inspect", "oci-archive:shop.tar"))
  assert.equal([seen.Digest, seen.Architecture, seen.Os], [made.digest, "amd64", "linux"])
  const { config } = JSON.parse(run("skopeo", "inspect", "--config", "oci-archive:shop.tar"))
  assert.equal(config, {
    Env: ["PATH=/usr/local/bin", "NODE_ENV=production"],
    Entrypoint: ["/usr/local/bin/Shop_One"],
    ExposedPorts: { "3000/tcp": {} },
    StopSignal: "SIGTERM",
    User: "65532:65532",
    WorkingDir: "/srv",
  })
  const rootfs = unpack("shop.tar", "plain")
  assert.equal(readdirSync(rootfs).sort(), ["etc", "lib", "lib64", "srv", "tmp", "usr"])
  assert.equal(readdirSync(join(rootfs, "usr/local/bin")), ["Shop_One"])
  const served = await start(rootfs, "/usr/local/bin/Shop_One")
  await answers(served.url)
  const saved = await (await fetch(`${served.url}/api/save`, { method: "POST" })).json()
  assert.equal(saved, { user: 65_532, directory: "/srv" })
  assert.is(readFileSync(join(rootfs, "srv/data/saved"), "utf8"), "yes")
  assert.is(await served.stop(), 0)
})

test("the archive contains Docker's own format, with the name of the project", () => {
  const [list] = JSON.parse(run("tar", "-xOf", "shop.tar", "manifest.json"))
  assert.equal(list.RepoTags, ["shop-one:latest"])
  const copied = run("skopeo", "copy", "-q", "docker-archive:shop.tar:shop-one:latest", "dir:docker")
  assert.is(copied, "")
  assert.ok(readdirSync(join(cwd, "docker")).length >= 4)
})

test("two images of the same files are the same, also from another directory", async () => {
  const twin = makeProject(files)
  await image(twin, "out/other.tar")
  assert.is(sha256(join(twin, "out/other.tar")), sha256(join(cwd, "shop.tar")))
})

test("an image on a base contains the layers and settings of the base, and replaces the last image", async () => {
  mkdirSync(join(cwd, "below"))
  for (const name of ["lib", "lib64"]) renameSync(join(cwd, "plain/rootfs", name), join(cwd, "below", name))
  run("umoci", "init", "--layout", "base")
  run("umoci", "new", "--image", "base:latest")
  run("umoci", "insert", ...(isRoot ? [] : ["--rootless"]), "--image", "base:latest", "below", "/")
  run(
    "umoci",
    "config",
    "--image",
    "base:latest",
    "--config.env",
    "TZ=UTC",
    "--config.cmd",
    "/bin/sh",
    "--architecture",
    "amd64",
    "--os",
    "linux",
  )
  run("skopeo", "copy", "-q", "oci:base:latest", "oci-archive:base.tar")
  const below = JSON.parse(run("skopeo", "inspect", "oci-archive:base.tar"))
  await image(cwd, "shop.tar", "--base", "base.tar")
  const seen = JSON.parse(run("skopeo", "inspect", "oci-archive:shop.tar"))
  assert.equal(seen.Layers.slice(0, -2), below.Layers)
  for (const variable of ["TZ=UTC", "NODE_ENV=production"]) assert.ok(seen.Env.includes(variable))
  const { config } = JSON.parse(run("skopeo", "inspect", "--config", "oci-archive:shop.tar"))
  assert.is(config.Cmd, undefined)
  const rootfs = unpack("shop.tar", "based")
  assert.equal(readdirSync(rootfs).sort(), ["lib", "lib64", "srv", "usr"])
  const served = await start(rootfs, "/usr/local/bin/Shop_One")
  await answers(served.url)
  assert.is(await served.stop(), 0)
})

test("an image for arm64 has the libraries of that processor, and serves in an emulator", async () => {
  assert.ok(
    existsSync("/usr/aarch64-linux-gnu/lib/libatomic.so.1"),
    "libatomic for arm64 is missing: apt-get install libatomic1-arm64-cross",
  )
  await image(cwd, "arm.tar", "--arch", "arm64")
  const seen = JSON.parse(run("skopeo", "--override-arch", "arm64", "inspect", "oci-archive:arm.tar"))
  assert.is(seen.Architecture, "arm64")
  const rootfs = unpack("arm.tar", "arm")
  const program = join(rootfs, "usr/local/bin/Shop_One")
  const served = await serve(["/usr/bin/qemu-aarch64", "-L", rootfs, program], project({}), quiet)
  await answers(served.url)
  assert.is(await served.stop(), 0)
})

test.run()
