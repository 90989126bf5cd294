/** The layout for a project without one: a complete HTML document around a page. */
import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { cssDefaults } from "../css/compile.ts"
import type { NewFile } from "./files.ts"

/** Returns `layout.tpl` for a directory of the project. It links the styles if there are any. */
export async function layoutFile(root: string, directory: string): Promise<NewFile> {
  const file = [...(directory === "." || directory === "" ? [] : [directory]), "layout.tpl"].join("/")
  return { file, text: layoutText(await hasStyles(root)) }
}

/** Returns true if a directory contains a layout. */
export async function hasLayout(directory: string): Promise<boolean> {
  const names = await readdir(directory).catch(() => [])
  return names.some((name) => /^layout\.(?:tpl|[mc]?[jt]sx?)$/.test(name))
}

/** Returns true if there are styles to link, compiled or not. */
async function hasStyles(root: string): Promise<boolean> {
  for (const file of [cssDefaults.input, cssDefaults.output]) {
    const found = await stat(join(root, file)).catch(() => null)
    if (found?.isFile()) return true
  }
  return false
}

/** Returns the text. The compiled styles are served at /static, like `static/`. */
function layoutText(styles: boolean): string {
  const link = styles ? `      <link rel="stylesheet" href="/${cssDefaults.output}">\n` : ""
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
