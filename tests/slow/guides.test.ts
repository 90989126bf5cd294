/** Walks every guide: its commands, its files and its requests, in order, in a new project. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import { project } from "../support/bin/cli/command.ts"
import { newUser, nodeOf, oldestNode } from "../support/bin/new/packed.ts"
import { isWalked, stepsOf } from "../support/docs/guides/steps.ts"
import { Walk } from "../support/docs/guides/walk.ts"
import { root } from "../support/tsc.ts"

/** A CSS compiler that only copies: no guide is about styles. */
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

/** Walks only guides with this text in their names, for their authors. */
const only = process.env.GUIDE ?? ""

const names = readdirSync(directory, { recursive: true, encoding: "utf8" })
for (const name of names.filter((name) => name.endsWith(".md") && name.includes(only))) {
  const text = readFileSync(join(directory, name), "utf8")
  if (!isWalked(text)) continue
  test(`docs/guides/${name}: every step has the result that the guide shows`, async () => {
    const walk = new Walk(user, await readersNode(text), { FW_CSS_BINARY: join(tools, "css.cjs") })
    try {
      for (const step of stepsOf(`docs/guides/${name}`, text)) await walk.take(step)
      await walk.finish()
    } finally {
      await walk.end()
    }
  })
}

/** The Node that a guide asks for, in the words "Node 24 or later"; else the oldest that fw runs on. */
async function readersNode(text: string): Promise<string> {
  const [, major] = /\bNode (\d+) or later\b/.exec(text) ?? []
  return major === undefined ? oldestNode() : nodeOf(major)
}

test.run()
