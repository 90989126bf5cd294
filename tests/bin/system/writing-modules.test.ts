/** Tests that only certain modules of the command change files. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { suite } from "uvu"
import * as assert from "uvu/assert"

const test = suite("modules that change files")

/**
 * The modules that may change files. Each checks the path first, or writes only in a directory that it has created.
 */
const writingModules = [
  "dev/server/socket-file.ts",
  // This module only creates new files, in a directory that was empty.
  "new/empty-directory.ts",
  // This module fills a file whose name comes from system/whole-file.ts.
  "project/dev-file.ts",
  "system/directories.ts",
  "system/own-directory.ts",
  "system/temporary-files.ts",
  "system/whole-file.ts",
  // This module appends lines to a file that fw test has created.
  "testing/child.ts",
]
const changing =
  /^(?:appendFile|chmod|chown|copyFile|cp|createWriteStream|lchmod|lchown|link|lutimes|mkdir|mkdtemp|open|openAsBlob|rename|rm|rmdir|symlink|truncate|unlink|utimes|write|writeFile|writev)(?:Sync)?$/

/**
 * Returns the functions of node:fs with which a module changes files; `*` for all. Opening a file to read it does
 * not count.
 */
function changesIn(text: string): string[] {
  const named = /const (\{[^{}]*\}) = process\.getBuiltinModule\("node:fs"\)/g
  if (/(?:require|import|getBuiltinModule)\(\s*["'](?:node:)?fs/.test(text.replace(named, ""))) return ["*"]
  const imports = [
    ...text.matchAll(/^import (?!type )([^"']+?) from "(?:node:)?fs(?:\/promises)?"/gm),
    ...text.matchAll(named),
  ]
  const names = imports.flatMap(([, list = ""]) =>
    list.startsWith("{") ? [...list.matchAll(/(type )?(\w+)(?: as \w+)?[,\s}]/g)] : [[list, "", "*"]],
  )
  const reads = (name: string) =>
    /^open(?:Sync)?$/.test(name) &&
    !new RegExp(`\\b${name}\\((?![^()]*, (?:"r"\\)|constants\\.O_RDONLY\\b))`).test(text)
  return names.flatMap(([, type, name = ""]) =>
    type === undefined || type === "" ? (name === "*" || (changing.test(name) && !reads(name)) ? [name] : []) : [],
  )
}

test("no other module of the command calls functions that change files", () => {
  const bin = fileURLToPath(new URL("../../../bin", import.meta.url))
  const modules = (readdirSync(bin, { recursive: true }) as string[]).filter((name) => name.endsWith(".ts"))
  assert.ok(modules.length > 100)
  const changing = modules.filter((name) => changesIn(readFileSync(join(bin, name), "utf8")).length > 0)
  assert.equal(changing.sort(), writingModules.map((name) => join(name)).sort())
})

test.run()
