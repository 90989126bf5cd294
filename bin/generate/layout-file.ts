/** Generates a layout: a complete HTML document, or a part of the page inside an outer layout. */
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { cssDefaults } from "../css/compile.ts"
import { findStyles } from "../project/static-dir.ts"
import type { NewFile } from "./files.ts"

/** Returns a `layout.tpl` for a directory of the project. It links the styles if the project has some. */
export async function createLayoutFile(root: string, directory: string): Promise<NewFile> {
  const file = [...(directory === "." || directory === "" ? [] : [directory]), "layout.tpl"].join("/")
  return { file, text: renderLayout(await hasStyles(root)) }
}

/**
 * Returns a `layout.tpl` for a directory of routes. If a parent directory has a layout, it uses that one, so that
 * the pages keep the frame of the site.
 *
 * @param appDir the route directory.
 * @param names the directories below it.
 */
export async function createNestedLayout(root: string, appDir: string, names: readonly string[]): Promise<NewFile> {
  const top = appDir === "." ? [] : [appDir]
  for (let up = 1; up <= names.length; up++) {
    const name = await findLayout(join(root, ...top, ...names.slice(0, -up)))
    if (name === undefined) continue
    const outer = `${"../".repeat(up)}${name.endsWith(".tpl") ? `${name}.ts` : name}`
    return { file: [...top, ...names, "layout.tpl"].join("/"), text: renderInnerLayout(outer) }
  }
  return createLayoutFile(root, [...top, ...names].join("/"))
}

/** Returns true if a directory contains a layout. */
export async function hasLayout(directory: string): Promise<boolean> {
  return (await findLayout(directory)) !== undefined
}

async function findLayout(directory: string): Promise<string | undefined> {
  const names = await readdir(directory).catch(() => [])
  return names.find((name) => /^layout\.(?:tpl|[mc]?[jt]sx?)$/.test(name))
}

/** Returns true if the project has styles, compiled or not. */
async function hasStyles(root: string): Promise<boolean> {
  for (const file of Object.values(findStyles(root))) {
    const found = await stat(join(root, file)).catch(() => null)
    if (found?.isFile()) return true
  }
  return false
}

/** Returns the text of a layout inside another one. */
function renderInnerLayout(outer: string): string {
  return `import type { Context } from "fw"
import { Layout as Outer } from "${outer}"

template Layout(title: string, c: Context) {
  {Outer(title, c) {
    <section>{children}</section>
  }}
}
`
}

/** Returns the text of a complete layout. The compiled styles are served below /static. */
function renderLayout(withStyles: boolean): string {
  const link = withStyles ? `      <link rel="stylesheet" href="${cssDefaults.url}">\n` : ""
  return `template Layout(title: string) {
  <!doctype html>
  <html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <title>{title}</title>
${link}    </head>
    <body id="page">
      <main>{children}</main>
    </body>
  </html>
}
`
}
