/**
 * Tests of `fw css`: errors before the compiler runs, errors of the compiler with their positions, and `fw css
 * info`. The tests in tests/slow run the compiler.
 */
import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { isGroup } from "../../../bin/cli/spec.ts"
import { cssDefaults } from "../../../bin/css/compile.ts"
import { cleanOutput, compileError, readMessage, toCSSError } from "../../../bin/css/problem.ts"
import { commands } from "../../../bin/table.ts"
import { formatCodeFrame } from "../../../template/code-frame.ts"
import { fw, project } from "../../support/bin/cli/command.ts"
import { cached, listen } from "../../support/bin/css/css-mirror.ts"

const styles = { "styles/input.css": `@import "tailwindcss";\n` }

test("the flags of fw css for input and output have the short forms and defaults of the specification", () => {
  const css = commands.commands.css
  assert.ok(css && isGroup(css))
  for (const name of ["build", "watch"]) {
    const entry = css.commands[name]
    assert.ok(entry && !isGroup(entry))
    const { input, output } = entry.spec.flags ?? {}
    assert.equal([input?.short, output?.short], ["i", "o"])
    const defaults = [input, output].map((flag) =>
      flag?.type === "string" ? (flag.default ?? flag.shownDefault) : undefined,
    )
    assert.is(defaults[0], cssDefaults.input)
    assert.match(defaults[1] ?? "", /^static\/css\/output\.css, /)
  }
  assert.equal(Object.keys(css.commands), ["build", "watch", "install", "info"])
})

const wrong: ReadonlyArray<readonly [what: string, args: readonly string[], message: string, isOutput?: boolean]> = [
  ["a missing input", ["-i", "styles/none.css"], "error: there is no file styles/none.css\n"],
  ["a directory as input", ["-i", "styles"], "error: there is no file styles\n"],
  [
    "the input as output",
    ["-o", "./styles/../styles/input.css"],
    "is also the input, which would be overwritten\n",
    true,
  ],
  [
    "the input as output, by a link",
    ["-o", "link.css"],
    "link.css is also the input, which would be overwritten\n",
    true,
  ],
  ["a directory as output", ["-o", "folder"], "folder is a directory, not a file. It was not changed\n", true],
  [
    "an output below a file",
    ["-o", "styles/input.css/x.css"],
    "cannot be written: a part of its path is a file, not a directory\n",
    true,
  ],
  [
    "an output outside the project, by a link",
    ["-o", "away/x.css"],
    "away is a symbolic link that leads out of it\n",
    true,
  ],
]
const outputFixes: ReadonlyArray<readonly [name: string, fix: string]> = [
  ["build", "Name another file with --output, or print the styles with --output -."],
  ["watch", "Name another file with --output."],
]
for (const [what, args, message, isOutput] of wrong) {
  test(`${what} is refused before the compiler is downloaded, and no file changes`, async () => {
    const { url, asked, close } = await listen((_, response) => response.end())
    const cwd = project(styles)
    mkdirSync(join(cwd, "folder"))
    symlinkSync("styles/input.css", join(cwd, "link.css"))
    symlinkSync(tmpdir(), join(cwd, "away"))
    for (const [name, fix] of outputFixes) {
      const world = { cwd, env: { HOME: cwd, FW_CSS_BASE_URL: url } }
      const { code, stderr } = await fw(["css", name, ...args], world)
      assert.is(code, 1)
      assert.ok(stderr.includes(isOutput ? `${message}  ${fix}\n` : message), stderr)
    }
    assert.equal(readdirSync(cwd).sort(), ["away", "folder", "link.css", "styles"])
    assert.equal(asked, [])
    await close()
  })
}

test("there is an error if the compiler does not start, or ends without a message", async () => {
  const cwd = project({ ...styles, "no-program": "x", refuses: "" })
  const build = (file: string) => fw(["css", "build", "--json"], { cwd, env: { HOME: cwd, FW_CSS_BINARY: file } })
  const noProgram = JSON.parse((await build("no-program")).stdout)
  assert.is(noProgram.error.code, "css_binary")
  assert.match(noProgram.error.message, /no-program does not start: .*EACCES/)
  // This program is not a CSS compiler.
  const ended = JSON.parse((await build("/bin/false")).stdout)
  assert.is(ended.error.message, "the CSS compiler ended with exit code 1")
  assert.is(existsSync(join(cwd, "static")), false)
})

test("fw css info reports the compiler and the files, and downloads nothing", async () => {
  const { url, asked, close } = await listen((_, response) => response.end())
  const cwd = project(styles)
  const world = { cwd, env: { HOME: cwd, FW_CSS_BASE_URL: url } }
  const { code, stdout } = await fw(["css", "info", "--json"], world)
  assert.is(code, 0)
  assert.equal(JSON.parse(stdout), {
    success: true,
    data: {
      version: null,
      binary: join(cwd, ".cache/fw/bin/tailwindcss-linux-x64-v4.0.0"),
      installed: false,
      cacheDir: join(cwd, ".cache/fw/bin"),
      input: { file: "styles/input.css", exists: true },
      output: { file: "static/css/output.css", exists: false },
    },
  })
  const text = await fw(["css", "info"], world)
  assert.match(text.stdout, /^ {2}Version +not installed: run fw css install$/m)
  assert.match(text.stdout, /^ {2}Output +static\/css\/output\.css \(missing\)$/m)
  assert.equal([cached(cwd), asked], [[], []])
  await close()
})

/** Recorded messages of the compiler, with the position of the mistake. */
const places: ReadonlyArray<readonly [message: string, css: string, line?: number, column?: number]> = [
  ["Missing closing } at .card", "/* { */\n.a { content: '{' }\n.card {\n  .b { x: y }\n", 3, 7],
  ["Missing closing } at @media print", ".a {}\n@media   print {\n  .b { x: y\n}\n", 2, 16],
  ["Missing opening {", ".a { x: y }\n} .b {}\n", 2, 1],
  ["Missing opening (", ".a { width: calc(1px)) }\n", 1, 22],
  ['Unterminated string: "abc;"', '.a {\n  content: "abc;\n}\n', 2, 12],
  ["Cannot apply unknown utility class: nope", "/* nope */\n.nope-2 {}\n.a { @apply flex\n nope; }\n", 4, 2],
  ["Can't resolve './gone.css' in '/a/styles'", '\n@import "./gone.css";\n', 2, 10],
  ["The --spacing(…) function requires an argument, but received none.", ".a { top: --spacing() }", 1, 11],
  ["`@utility Foo` defines an invalid utility name.", "@utility  Foo { x: y }", 1, 1],
  ["Something that nobody has seen", ".a { x: y }"],
]
for (const [message, css, line, column] of places) {
  test(`the position of the mistake is ${line === undefined ? "not found" : "found"} for: ${message}`, async () => {
    // The mistake is in an imported file, after another import without a mistake.
    const cwd = project({
      "styles/input.css": `@import "tailwindcss";\n@import "./fine.css";\n@import './deep/part';\n/* @import "./part.css" */`,
      "styles/fine.css": ".fine { color: red }\n",
      "styles/deep/part.css": css,
    })
    const error = await compileError({ cwd, input: "styles/input.css", output: "o.css" }, message)
    const { code, at } = error
    assert.is(code, "css_compile")
    const there = line === undefined ? { file: "styles/input.css" } : { file: "styles/deep/part.css", line, column }
    assert.equal(at, there)
    const frame = line === undefined ? "" : `\n\n${formatCodeFrame(css, { line, column })}\n`
    assert.is(error.message, `the styles do not compile: ${message}${frame}`)
  })
}

test("the message of an error is found in the output of the compiler", async () => {
  const said =
    "\x1b[1m≈ tailwindcss\x1b[22m v4.0.0\n\nsh: 1: watchman: not found\nError: Missing opening {\n    at x (y:1)\n"
  assert.equal(cleanOutput(said), ["Error: Missing opening {"])
  assert.equal(["Error: x", "TypeError: y", "error: z", "Done in 1ms"].map(readMessage), ["x", "y", "z", null])
  const job = { cwd: project(styles), input: "styles/input.css", output: "o.css" }
  const ended = await toCSSError(job, {
    code: null,
    signal: "SIGKILL",
    stdout: "",
    stderr: "",
    output: "panic\n",
  })
  assert.is(ended.message, "the CSS compiler was ended by SIGKILL:\npanic")
})

test.run()
