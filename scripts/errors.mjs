/**
 * Writes docs/reference/errors/ from the catalogues of messages in bin/messages and lib/messages. Run it with Node 24 after a
 * change of a message: `node --conditions=fw-source scripts/errors.mjs`. A test checks that the files are current.
 */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isMain, root, runScript } from "./common.mjs"

async function writeReference() {
  const { referenceFiles } = await import("../bin/messages/reference/pages.ts")
  const directory = join(root, "docs", "reference", "errors")
  const files = referenceFiles()
  mkdirSync(directory, { recursive: true })
  for (const name of readdirSync(directory)) if (!files.has(name)) rmSync(join(directory, name))
  for (const [name, text] of files) writeFileSync(join(directory, name), text)
}

if (isMain(import.meta.url)) await runScript(writeReference)
