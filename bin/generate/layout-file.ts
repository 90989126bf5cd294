/** The layout that is written where a project has none: a whole HTML document around a page. Used by the `fw generate` commands that write pages. */
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { cssDefaults } from "../css/compile.ts"
import type { NewFile } from "./files.ts"

/** `layout.tpl` in a directory of the project. It links the styles, compiled or yet to be. */
export async function layoutFile(root: string, directory: string): Promise<NewFile> {
  const file = [...(directory === "." || directory === "" ? [] : [directory]), "layout.tpl"].join("/")
  return { file, text: layoutText(await hasStyles(root)) }
}

/** Whether there are styles to link, compiled or yet to be. */
async function hasStyles(root: string): Promise<boolean> {
  for (const file of [cssDefaults.input, cssDefaults.output]) {
    const found = await stat(join(root, file)).catch(() => null)
    if (found?.isFile()) return true
  }
  return false
}

/** The compiled styles are served at /static, as `static/` is. */
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
    <body>
      <main>{children}</main>
    </body>
  </html>
}
`
}
