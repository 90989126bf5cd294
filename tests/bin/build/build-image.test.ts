/** Tests of what `fw build --image` refuses before it starts to work. The slow tests build images. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { fw } from "../../support/bin/cli/command.ts"
import { makeProject, route } from "../../support/bin/dev/dev-project.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const blob = (text: string) => ({
  path: `blobs/sha256/${sha256(text)}`,
  digest: `sha256:${sha256(text)}`,
  text,
})

const layer = blob("a layer")
const config = blob(
  JSON.stringify({
    os: "linux",
    architecture: "amd64",
    rootfs: { type: "layers", diff_ids: [layer.digest] },
  }),
)
const manifest = blob(JSON.stringify({ config, layers: [layer] }))
const sound: Record<string, string> = {
  "oci-layout": "{}",
  "index.json": JSON.stringify({ manifests: [manifest] }),
  ...Object.fromEntries([layer, config, manifest].map(({ path, text }) => [path, text])),
}

/** Creates a project, and packs a base image next to it with the tar program of the system. */
function withBase(files: Readonly<Record<string, string>>): string {
  const cwd = makeProject({ "app/api/hello/route.ts": route("hello"), "notes.txt": "text\n", "lib/a.ts": "" })
  const directory = join(cwd, "base")
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), text)
  }
  execFileSync("mkfifo", [join(cwd, "pipe")])
  execFileSync("tar", ["--format=ustar", "-cf", join(cwd, "base.tar"), "-C", directory, "."])
  return cwd
}

const linux = ["--image", "out.tar", "--arch", "amd64"]
const refused: ReadonlyArray<
  readonly [what: string, args: string[], code: string, message: RegExp, fix: RegExp, files?: object]
> = [
  [
    "an image with --target",
    [...linux, "--target", "bun"],
    "usage",
    /so --target has no meaning/,
    /Leave out --target/,
  ],
  ["an image with --output", [...linux, "-o", "a"], "usage", /so --output has no meaning/, /Leave out --output/],
  ["an image for macOS", [...linux, "--os", "darwin"], "usage", /not for darwin/, /Leave out --os/],
  ["--base without --image", ["--base", "base.tar"], "usage", /no image is built/, /--image/],
  ["an image that is a directory", ["--image", "lib"], "build_output", /lib is a directory/, /lib\/image\.tar/],
  ["an image with a slash at its end", ["--image", "lib/"], "build_output", /is a directory/, /lib\/image\.tar/],
  [
    "an image whose path is that of another file",
    ["--image", "notes.txt"],
    "build_output",
    /notes\.txt is not an image/,
    /--image/,
  ],
  ["an image inside the route directory", ["--image", "app/a.tar"], "build_output", /inside app\//, /with --image/],
  ["an image on standard output", ["--image", "-"], "usage", /^--image - is standard output/, /--image \S/],
  ["an image that is a named pipe", ["--image", "pipe"], "build_output", /is a named pipe/, /with --image/],
  ["an image whose directory is a file", ["--image", "notes.txt/a"], "build_output", /is a file/, /with --image/],
  ["a base that does not exist", [...linux, "--base", "none.tar"], "image_base", /cannot be read: ENOENT/, /--base/],
  ["a base that is a directory", [...linux, "--base", "lib"], "image_base", /lib is not an OCI archive/, /skopeo/],
  ["a base that is not an archive", [...linux, "--base", "notes.txt"], "image_base", /is not an OCI archive/, /skopeo/],
  [
    "a base that is an archive without an image",
    [...linux, "--base", "base.tar"],
    "image_base",
    /is not an OCI archive/,
    /skopeo/,
    { a: "b" },
  ],
  [
    "a base for another processor",
    ["--image", "out.tar", "--arch", "arm64", "--base", "base.tar"],
    "image_base",
    /has no image for linux\/arm64/,
    /--arch/,
  ],
  [
    "a base without one of its layers",
    [...linux, "--base", "base.tar"],
    "image_base",
    new RegExp(`does not contain ${layer.digest}`),
    /again/,
    { ...sound, [layer.path]: undefined },
  ],
  [
    "a base with a changed layer",
    [...linux, "--base", "base.tar"],
    "image_base",
    new RegExp(`the content of ${layer.digest} has another digest`),
    /again/,
    { ...sound, [layer.path]: "changed" },
  ],
  [
    "a base whose index is cut",
    [...linux, "--base", "base.tar"],
    "image_base",
    /index\.json is not a JSON object/,
    /again/,
    { ...sound, "index.json": '{"manifests"' },
  ],
  [
    "a base whose index names a file outside of the base",
    [...linux, "--base", "base.tar"],
    "image_base",
    /a digest in it is not a SHA-256/,
    /again/,
    { ...sound, "index.json": '{"manifests":[{"digest":"sha256:../../x"}]}' },
  ],
]
for (const [what, args, code, message, fix, files = sound] of refused) {
  test(`${what} is refused, and nothing is written`, async () => {
    const present = Object.entries(files).filter(([, text]) => text !== undefined)
    const cwd = withBase(Object.fromEntries(present) as Record<string, string>)
    const before = readdirSync(cwd).sort()
    const { code: exit, stdout } = await fw(["build", "--json", ...args], { cwd, env: { HOME: cwd } })
    const { error } = JSON.parse(stdout)
    assert.is(exit, code === "usage" ? 2 : 1)
    assert.is(error.code, code)
    assert.match(error.message, message)
    assert.match(error.fix, fix)
    assert.equal(readdirSync(cwd).sort(), before)
    assert.is(readFileSync(join(cwd, "notes.txt"), "utf8"), "text\n")
    assert.not.ok(existsSync(join(cwd, "out.tar")))
  })
}

test.run()
