/**
 * Moves the texts in changes/ to CHANGELOG.md, into the section of package.json's version, so that none is written
 * twice.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isMain, root, runScript, ScriptError } from "./common.mjs"

const changeKinds = ["Security", "Added", "Changed", "Removed", "Fixed"]

/** @type {(log: string, version: string, changes: Record<string, string>) => string} */
export function addChanges(log, version, changes) {
  const [head = "", ...releases] = log.split(/^(?=## )/m)
  if (!releases[0]?.startsWith(`## ${version}\n`)) releases.unshift(`## ${version}\n`)
  const [title = "", ...parts] = (releases.shift() ?? "").split(/^### /m)
  const entries = new Map(parts.map((part) => [part.split("\n")[0] ?? "", part.replace(/^.*\n+/, "")]))
  for (const [name, text] of Object.entries(changes)) {
    const [, kind = "", sentence = ""] = /^(\w+): (\S[\s\S]*)$/.exec(text.trim()) ?? []
    if (!changeKinds.includes(kind))
      throw new ScriptError(`changes/${name} does not begin with ${changeKinds.join(":, ")}: and a sentence`)
    const entry = `- ${sentence[0]?.toUpperCase()}${sentence.slice(1).replaceAll("\n", "\n  ")}\n`
    const otherEntries = entries.get(kind) ?? ""
    if (!otherEntries.includes(entry)) entries.set(kind, entry + otherEntries)
  }
  const sections = changeKinds.filter((kind) => entries.has(kind))
  const sectionTexts = sections.map((kind) => `### ${kind}\n\n${entries.get(kind)?.trim()}`)
  return `${[head, title, ...sectionTexts, ...releases].map((text) => text.trim()).join("\n\n")}\n`
}

function main() {
  const folder = join(root, "changes")
  const names = readdirSync(folder).filter((name) => name !== "README.md")
  const changes = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]))
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  const log = join(root, "CHANGELOG.md")
  writeFileSync(log, addChanges(readFileSync(log, "utf8"), version, changes))
  for (const name of names) rmSync(join(folder, name))
  console.log(`Moved ${names.length} changes to ${version} in CHANGELOG.md`)
}

if (isMain(import.meta.url)) await runScript(main)
