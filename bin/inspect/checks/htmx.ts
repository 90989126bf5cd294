/** Checks that pages can recognise what htmx 1 and 2 swap. */
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { ElementNode } from "../../../lib/template/ast.ts"
import { bodyIDIn, bodyIn } from "../../../lib/template/facts.ts"
import { parseModule } from "../../../lib/template/module.ts"
import { type Finding, warning } from "./finding.ts"
import { positionIn } from "./layouts.ts"

/** A layout's file, and its text. */
interface LayoutText {
  readonly file: string
  readonly source: string
}

/**
 * Returns a warning for each layout whose `<body>` has no id, if it uses htmx 1 or 2. These versions send only the id
 * of the element that they swap.
 */
export async function bodiesWithoutID(root: string, layouts: readonly LayoutText[]): Promise<Finding[]> {
  const found = await Promise.all(
    layouts.map(async ({ file, source }) => {
      const body = bodyWithoutID(source)
      const version = body && (await oldHTMX(root, source))
      if (!body || !version) return []
      const what = `this <body> has no id, so a request of htmx ${version} with hx-target="body" gets the page without its layout`
      const fix = 'Give it an id that is not an expression: <body id="page">.'
      return [warning("layout_body", { file, ...positionIn(source, body.start) }, what, fix)]
    }),
  )
  return found.flat()
}

function bodyWithoutID(source: string): ElementNode | undefined {
  const layout = parseModule(source).parts.find((part) => part.kind === "template" && part.name === "Layout")
  if (layout?.kind !== "template" || bodyIDIn(layout.body)) return undefined
  return bodyIn(layout.body)
}

/** Returns the major version of htmx that a layout uses, if it is 1 or 2 as far as files say. */
async function oldHTMX(root: string, source: string): Promise<string | undefined> {
  const scripts = [...source.matchAll(/<script\b[^>]*\ssrc="([^"]*htmx[^"]*)"/gi)].map(
    ([, src]) => src as string,
  )
  const named = scripts.map((src) => /htmx(?:\.org)?[@._-]v?(\d+)\b/i.exec(src)?.[1])
  const written = await Promise.all(scripts.map((src) => versionOf(root, src)))
  return [...named, ...written, await installedVersion(root)].find(
    (version) => version === "1" || version === "2",
  )
}

/** Returns the version that a script of the project contains. */
async function versionOf(root: string, src: string): Promise<string | undefined> {
  if (!/^\/[^/]/.test(src) || src.includes("..")) return undefined
  const text = await readFile(join(root, src.replace(/[?#].*$/, "")), "utf8").catch(() => "")
  return /\bversion\s*[:=]\s*["'](\d+)\./.exec(text)?.[1]
}

/** Returns the version of the package, for a project that bundles it. */
async function installedVersion(root: string): Promise<string | undefined> {
  const text = await readFile(join(root, "package.json"), "utf8").catch(() => "")
  return /"htmx\.org"\s*:\s*"[^"\d]*(\d+)/.exec(text)?.[1]
}
