/**
 * Tests of all commands that write files: what they do if the file or a directory above it is not what they expect.
 */
import { execFileSync, spawnSync } from "node:child_process"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs"
import { createServer, type Server } from "node:net"
import { basename, dirname, join, relative } from "node:path"
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { cacheProgram } from "../../bin/tools/cached-program.ts"
import { FwError } from "../../lib/errors.ts"
import { fw, program } from "../support/bin/cli/command.ts"
import { makeProject } from "../support/bin/dev/dev-project.ts"

process.env.FW_LOG_LEVEL = "off"

/** A program that replaces the CSS compiler. */
const compiler = `import { readFileSync, writeFileSync } from "node:fs"
const value = (flag) => process.argv[process.argv.indexOf(flag) + 1]
writeFileSync(value("--output"), readFileSync(value("--input")))
`
const files = {
  "package.json": '{ "name": "shop", "type": "module" }\n',
  "app/api/health/route.ts": 'import type { Context } from "fw"\nexport const Get = (c: Context) => c.json(200, {})\n',
  "app/page.tpl": "template Page() {\n  <h1>Hello</h1>\n}\n",
  "styles/input.css": "a { color: red }\n",
  "compiler.mjs": compiler,
}

/** The directory in which a command runs, and the directory in which it must not write. */
interface World {
  readonly root: string
  readonly outside: string
}

/** Creates a project, and a directory next to it that nothing may write to. */
function makeWorld(...packages: string[]): World {
  const root = makeProject(files, ["fw", "esbuild", ...packages])
  const outside = `${root}-outside`
  mkdirSync(outside)
  writeFileSync(join(outside, "there"), "somebody's")
  directories.push(outside)
  return { root, outside }
}

const directories: string[] = []
const servers: Server[] = []

/** A command, and a file that it writes. */
interface Writer {
  readonly argv: readonly string[]
  readonly file: string
  /** True if the command follows a link that stays in the project. Commands that write sources never do. */
  readonly follows: boolean
}

const writers: Readonly<Record<string, Writer>> = {
  "openapi generate": { argv: ["openapi", "generate"], file: "openapi.json", follows: true },
  "openapi generate -o": {
    argv: ["openapi", "generate", "-o", "out/api.yaml"],
    file: "out/api.yaml",
    follows: true,
  },
  "openapi generate --force": {
    argv: ["openapi", "generate", "--force", "-o", "out/api.json"],
    file: "out/api.json",
    follows: true,
  },
  "css build -o": { argv: ["css", "build", "-o", "out/a.css"], file: "out/a.css", follows: true },
  "generate templates, .fw": { argv: ["generate", "templates"], file: ".fw/routes.ts", follows: true },
  "generate templates, .tpl.ts": { argv: ["generate", "templates"], file: "app/page.tpl.ts", follows: true },
  "generate route": {
    argv: ["generate", "route", "users", "--force"],
    file: "app/api/users/route.ts",
    follows: false,
  },
  "generate page": {
    argv: ["generate", "page", "about", "--force"],
    file: "app/about/page.tpl",
    follows: false,
  },
  "generate form": {
    argv: ["generate", "form", "contact", "--force"],
    file: "app/contact/page.tpl",
    follows: false,
  },
  "generate form, test": {
    argv: ["generate", "form", "contact", "--force"],
    file: "tests/contact-form.test.ts",
    follows: false,
  },
  "generate middleware": {
    argv: ["generate", "middleware", "audit", "--force", "-p", "api"],
    file: "app/api/middleware.ts",
    follows: false,
  },
  "generate proxy": { argv: ["generate", "proxy", "--force"], file: "app/proxy.ts", follows: false },
  "generate client": { argv: ["generate", "client"], file: "lib/client.ts", follows: true },
  "generate client --force": {
    argv: ["generate", "client", "--force", "-o", "out/api.ts"],
    file: "out/api.ts",
    follows: true,
  },
  "generate auth": {
    argv: ["generate", "auth", "--jwt", "--force"],
    file: "lib/auth/jwt.ts",
    follows: false,
  },
}

/** Something that takes the place of a file. `follows` says whether a command that follows links writes there. */
interface Kind {
  readonly make: (path: string, world: World) => void | Promise<void>
  readonly follows?: boolean
  readonly says: RegExp
}

const parent = (path: string) => mkdirSync(dirname(path), { recursive: true })

const kinds: Readonly<Record<string, Kind>> = {
  "a device": {
    make: (path) => void execFileSync("mknod", [path, "c", "1", "3"]),
    says: /is a device|not a regular file/,
  },
  "a named pipe": {
    make: (path) => void execFileSync("mkfifo", [path]),
    says: /is a named pipe|not a regular file/,
  },
  "a socket": {
    make: (path) =>
      new Promise<void>((resolve) => {
        servers.push(createServer().listen(path, resolve))
      }),
    says: /is a socket|not a regular file/,
  },
  "a directory": { make: (path) => void mkdirSync(path), says: /is a directory|not a regular file/ },
  "a link out of the project": {
    make: (path, { outside }) => symlinkSync(join(outside, "there"), path),
    says: /outside the project: .* is a symbolic link|not a regular file|leads to a path that does not exist/,
  },
  "a link to nothing, out of the project": {
    make: (path, { outside }) => symlinkSync(join(outside, "new"), path),
    says: /outside the project: .* is a symbolic link|not a regular file|leads to a path that does not exist/,
  },
  "a link to itself": {
    make: (path) => symlinkSync(basename(path), path),
    says: /cannot be written|not a regular file|leads to a path that does not exist/,
  },
  "a link in the project": {
    make: (path, { root }) => {
      writeFileSync(join(root, "target"), "")
      symlinkSync(relative(dirname(path), join(root, "target")), path)
    },
    follows: true,
    says: /not a regular file|leads to a path that does not exist/,
  },
  "a link to nothing, in the project": {
    make: (path, { root }) => symlinkSync(relative(dirname(path), join(root, "target")), path),
    follows: true,
    says: /not a regular file|leads to a path that does not exist/,
  },
}

/** Things that take the place of a file's directory. */
const parents: Readonly<Record<string, Kind>> = {
  "a link out of the project": {
    make: (path, { outside }) => symlinkSync(outside, path),
    says: /outside/,
  },
  "a link to nothing, out of the project": {
    make: (path, { outside }) => symlinkSync(join(outside, "new"), path),
    says: /outside|leads to a path that does not exist/,
  },
  "a file": {
    make: (path) => writeFileSync(path, ""),
    says: /a file, not a directory|is a file|there already/,
  },
  "a named pipe": { make: (path) => void execFileSync("mkfifo", [path]), says: /./ },
}

/** Returns the types and contents of everything below a directory, except installed packages. */
function snapshot(directory: string, found: Record<string, string> = {}, top = directory): Record<string, string> {
  for (const name of readdirSync(directory)) {
    if (name === "node_modules") continue
    const path = join(directory, name)
    const entry = lstatSync(path)
    const key = relative(top, path)
    if (entry.isSymbolicLink()) found[key] = `-> ${readlinkSync(path)}`
    else if (entry.isFile()) found[key] = readFileSync(path, "utf8")
    else found[key] = String(entry.mode & 0o170000)
    if (entry.isDirectory()) snapshot(path, found, top)
  }
  return found
}

const mayMakeDevices = process.getuid?.() === 0
const test = suite("what every command writes")

test.after(() => {
  for (const server of servers) server.close()
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

async function run({ argv }: Pick<Writer, "argv">, root: string) {
  return fw(argv, { cwd: root, env: { HOME: root, FW_CSS_BINARY: "compiler.mjs" } })
}

for (const [name, writer] of Object.entries(writers)) {
  test(`fw ${name} writes a new file, and keeps the permissions of an old one`, async () => {
    const { root } = makeWorld()
    const path = join(root, writer.file)
    const ran = await run(writer, root)
    assert.is(ran.code, 0, ran.stderr)
    const text = readFileSync(path, "utf8")
    chmodSync(path, 0o600)
    const again = await run(writer, root)
    assert.is(again.code, 0, again.stderr)
    assert.equal([readFileSync(path, "utf8"), lstatSync(path).mode & 0o777], [text, 0o600])
    assert.equal(
      Object.keys(snapshot(root)).filter((file) => file.includes("partial")),
      [],
    )
  })

  for (const [what, kind] of Object.entries(kinds)) {
    if (what === "a device" && !mayMakeDevices) continue
    test(`fw ${name} does not replace ${what}`, async () => {
      const world = makeWorld()
      const path = join(world.root, writer.file)
      parent(path)
      await kind.make(path, world)
      await refuses(writer, kind, world)
    })
  }

  const above = dirname(writer.file)
  for (const [what, kind] of above === "." ? [] : Object.entries(parents)) {
    test(`fw ${name} writes nothing outside of the project if the directory of its file is ${what}`, async () => {
      const world = makeWorld()
      rmSync(join(world.root, above), { recursive: true, force: true })
      parent(join(world.root, above))
      await kind.make(join(world.root, above), world)
      const before = [snapshot(world.root), snapshot(world.outside)]
      const { code, stderr } = await run(writer, world.root)
      if (above === "app") return assert.equal(snapshot(world.outside), before[1])
      assert.is(code, 1)
      assert.match(stderr, kind.says)
      assert.equal(snapshot(world.outside), before[1])
    })
  }
}

/** Checks that the command changed only files that it may write, and left the obstacle as it was. */
async function refuses(writer: Writer, kind: Kind, { root, outside }: World) {
  const { file, follows } = writer
  const before = [snapshot(root), snapshot(outside)] as const
  const { code, stderr } = await run(writer, root)
  const after = snapshot(root)
  assert.equal(snapshot(outside), before[1])
  assert.is(after[file], before[0][file], "the file that was there has changed")
  // The scan refuses a link in the routes that leads nowhere, before anything is written.
  const isRoute = file.startsWith("app/") && before[0].target === undefined
  if (kind.follows && follows && !isRoute) {
    assert.is(code, 0, stderr)
    assert.ok((after.target ?? "").length > 0, "the file that the link leads to was not written")
  } else {
    assert.is(code, 1)
    assert.match(stderr, kind.says)
    assert.not.match(stderr, /partial/)
    assert.is(after.target, before[0].target)
  }
  assert.equal(
    Object.keys(after).filter((name) => name.includes("partial")),
    [],
  )
}

/** Obstacles of a build, which are reported before anything is built. */
const wayOfBuild: Readonly<Record<string, (path: string, world: World) => void | Promise<void>>> = {
  "a device": (path, world) => kinds["a device"]?.make(path, world),
  "a named pipe": (path, world) => kinds["a named pipe"]?.make(path, world),
  "a socket": (path, world) => kinds["a socket"]?.make(path, world),
  "a link out of the project": (path, { outside }) => symlinkSync(join(outside, "new"), path),
}
for (const target of [[], ["--target", "node"], ["--target", "workers"]]) {
  for (const [what, make] of Object.entries(wayOfBuild)) {
    if (what === "a device" && !mayMakeDevices) continue
    test(`fw build ${target.join(" ")} -o refuses ${what}`, async () => {
      const world = makeWorld()
      mkdirSync(join(world.root, "bin"))
      await make(join(world.root, "bin/shop"), world)
      const before = [snapshot(world.root), snapshot(world.outside)]
      const { code, stderr } = await run({ argv: ["build", "-o", "bin/shop", ...target] }, world.root)
      assert.is(code, 1)
      assert.match(stderr, what.includes("link") ? /bin\/shop would be written outside/ : `bin/shop is ${what}`)
      assert.equal([snapshot(world.root), snapshot(world.outside)], before)
    })
  }
}

/** Commands that create directories in `.fw/` for themselves, and those directories. */
const makers: ReadonlyArray<readonly [argv: readonly string[], directory: string]> = [
  [["build", "--target", "node"], ".fw"],
  [["build", "--target", "node"], ".fw/node_modules"],
  [["build"], ".fw"],
  [["dev", "--port", "0"], ".fw"],
  [["dev", "--port", "0"], ".fw/dev"],
  [["dev", "--port", "0"], ".fw/node_modules"],
  [["openapi", "generate", "--load"], ".fw"],
]
const schema = `import type { Context } from "fw"
import * as z from "zod"
const Named = z.object({ name: z.string() })
export const Post = async (c: Context) => c.json(200, await c.bind(Named))
`
for (const [argv, directory] of makers) {
  test(`fw ${argv.join(" ")} writes nothing outside of the project if ${directory} is a link to a directory outside`, async () => {
    const { root, outside } = makeWorld(...(argv.includes("--load") ? ["typescript", "zod"] : []))
    writeFileSync(join(root, "app/api/health/route.ts"), schema)
    parent(join(root, directory))
    symlinkSync(outside, join(root, directory))
    const before = snapshot(outside)
    const { code, stderr } = await run({ argv }, root)
    assert.is(code, 1)
    assert.match(stderr, /would be written outside the project: .*is a symbolic link/)
    assert.equal(snapshot(outside), before)
  })
}

test("fw css install does not replace a pipe or a directory in the cache", async () => {
  for (const make of ["a named pipe", "a directory"]) {
    const { root } = makeWorld()
    const path = join(root, ".cache/fw/bin/tool")
    parent(path)
    await kinds[make]?.make(path, { root, outside: root })
    const before = snapshot(root)
    const refused = await cacheProgram(path, {
      fetch: (file) => file.write("new"),
      isInstalled: async () => false,
      toWriteError: (cause) => new FwError("refused", String(cause), "Let it."),
      signal: new AbortController().signal,
    }).catch((error: FwError) => error.code)
    assert.is(refused, "refused")
    assert.equal(snapshot(root), before)
  }
})

test("a command that is stopped before it writes changes nothing", async () => {
  for (const [name, { argv }] of Object.entries(writers)) {
    if (!argv.includes("generate") || argv[0] === "openapi" || argv[1] === "templates") continue
    const { root } = makeWorld()
    const before = snapshot(root)
    const { code } = await fw(argv, { cwd: root, signal: AbortSignal.abort() })
    assert.is(code, 130, name)
    assert.equal(snapshot(root), before, name)
  }
})

/**
 * Runs the command as the user nobody. `fw css build` needs its own process for this, because its check before the
 * compiler starts uses the real user.
 */
async function runAsNobody(argv: readonly string[], root: string) {
  if (argv[0] === "css") {
    const env = { ...process.env, HOME: root, FW_CSS_BINARY: "compiler.mjs", NODE_V8_COVERAGE: undefined }
    const user = { uid: 65534, gid: 65534 }
    const child = spawnSync(process.execPath, [program, ...argv], {
      cwd: root,
      env,
      encoding: "utf8",
      ...user,
    })
    return { code: child.status, stderr: child.stderr }
  }
  process.seteuid?.(65534)
  return run({ argv }, root).finally(() => process.seteuid?.(0))
}

test("a directory without write permission is an error in one line, and no file remains", async () => {
  // Root may write anywhere, so the command runs as nobody then.
  const isRoot = process.geteuid?.() === 0
  const temporary = dirname(makeWorld().root)
  const { mode } = lstatSync(temporary)
  chmodSync(temporary, mode | 0o011)
  for (const [name, { argv, file }] of Object.entries(writers)) {
    const { root } = makeWorld()
    chmodSync(root, 0o755)
    const directory = ["openapi.json", ".fw/routes.ts"].includes(file) ? "." : (file.split("/")[0] as string)
    mkdirSync(join(root, directory), { recursive: true })
    for (const entry of [".", ...readdirSync(root)]) chmodSync(join(root, entry), 0o555)
    const before = snapshot(root)
    const { code, stderr } = isRoot ? await runAsNobody(argv, root) : await run({ argv }, root)
    for (const entry of [".", ...readdirSync(root)]) chmodSync(join(root, entry), 0o755)
    assert.is(code, 1, `${name}: ${stderr}`)
    assert.match(
      stderr,
      /^(?:(?:warning: .*\n)? {2}.*\n)*error: \S+ cannot be written: EACCES: permission denied\n {2}\S.*\n {2}More: fw help \w+\n$/,
    )
    assert.equal(Object.keys(snapshot(root)), Object.keys(before), name)
  }
  chmodSync(temporary, mode)
})

test("-o - prints only the document or the styles to standard output", async () => {
  const { root } = makeWorld()
  const before = Object.keys(snapshot(root))
  const io = { cwd: root, env: { HOME: root, FW_CSS_BINARY: "compiler.mjs" } }
  for (const [argv, begins] of [
    [["openapi", "generate"], '{\n  "openapi": "3.1.0"'],
    [["openapi", "generate", "-f", "yaml"], "openapi: 3.1.0"],
    [["css", "build"], "a { color: red }\n"],
  ] as const) {
    const { code, stdout } = await fw([...argv, "-o", "-"], io)
    assert.is(code, 0)
    assert.is(stdout.slice(0, begins.length), begins)
    const { data } = JSON.parse((await fw([...argv, "-o", "-", "--json"], io)).stdout)
    assert.is(data.text, stdout)
  }
  for (const argv of [["build"], ["build", "--target", "node"], ["css", "watch"]]) {
    const { code, stderr } = await fw([...argv, "-o", "-"], io)
    assert.is(code, 2)
    assert.match(stderr, /standard output/)
  }
  assert.equal(Object.keys(snapshot(root)), before)
})

test.run()
