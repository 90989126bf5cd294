/** Carries out the commands, files and requests of guides, in order, each in a new project. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { project } from "../../bin/cli/command.ts"
import { installNode, newUser, oldestNode } from "../../bin/new/packed.ts"
import { chromiumProgram } from "../../browser.ts"
import { root } from "../../tsc.ts"
import { isWalked, readSteps } from "./steps.ts"
import { Walk } from "./walk.ts"

/** A CSS compiler that only copies, because no guide is about styles. */
const compiler = `#!/usr/bin/env node
const { readFileSync, writeFileSync } = require("node:fs")
const [input, output] = ["--input", "--output"].map((name) => process.argv[process.argv.indexOf(name) + 1])
if (process.argv.includes("--help")) console.log("≈ tailwindcss v4.0.0")
else writeFileSync(output, readFileSync(input))
console.error("Done in 1ms")
if (process.argv.includes("--watch")) process.stdin.resume().on("end", () => process.exit())
`

const user = await newUser()
const tools = project({ "css.cjs": compiler })
const directory = join(root, "docs/guides")

/** For authors: selects only guides with this text in their names. */
const only = process.env.GUIDE ?? ""

/**
 * Adds a test for every second guide, starting with the first or the second one. Two files share the guides and run
 * at the same time.
 */
export function walkGuides(from: 0 | 1): void {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" })
  const guides = names
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(directory, name), "utf8") }))
    .filter(({ text }) => isWalked(text))
  test("there are guides to walk", () => assert.ok(guides.length > 1))
  for (const [index, { name, text }] of guides.entries())
    if (index % 2 === from && name.includes(only)) walkGuide(name, text)
}

function walkGuide(name: string, text: string): void {
  test(`docs/guides/${name}: every step has the result that the guide shows`, async () => {
    const env = { FW_CSS_BINARY: join(tools, "css.cjs"), CHROMIUM: chromiumProgram }
    const walk = new Walk(user, await readersNode(text), env)
    try {
      for (const step of readSteps(`docs/guides/${name}`, text)) await walk.take(step)
      await walk.finish()
    } finally {
      await walk.end()
    }
  })
}

/**
 * Returns the Node version that a guide requires with "Node 24 or later", otherwise the oldest that fw supports.
 */
async function readersNode(text: string): Promise<string> {
  const [, major] = /\bNode (\d+) or later\b/.exec(text) ?? []
  return major === undefined ? oldestNode() : installNode(major)
}
