/** Notes for `fw dev`: the listener that all copies of fw in a process share. */
import { test } from "uvu"
import * as assert from "uvu/assert"
import { listenToNotes } from "../../lib/dev-notes.ts"
import { $fwLink, $fwUrl } from "../../lib/html/attribute-values.ts"
import { html } from "../../lib/html.ts"

type Module = typeof import("../../lib/dev-notes.ts")

const copy = async (name: string) =>
  (await import(`${new URL("../../lib/dev-notes.js", import.meta.url).href}?${name}`)) as Module

test("copies of the module share the listener, also those that are loaded after it is set", async () => {
  const early = await copy("early")
  const urls: string[] = []
  listenToNotes({ unknownParam: () => undefined, url: (url) => urls.push(url) })
  const late = await copy("late")
  early.noteURL("/early")
  late.noteURL("/late")
  late.listenToNotes({ unknownParam: () => undefined, url: (url) => urls.push(`late ${url}`) })
  early.noteURL("/again")
  assert.equal(urls, ["/early", "/late", "late /again"])
})

test("each URL that is printed is reported once, with or without a filter", () => {
  const urls: string[] = []
  listenToNotes({ unknownParam: () => undefined, url: (url) => urls.push(url) })
  const given = ["/a", "#b", "?c", "d/e", "https://shop.example/", "javascript:alert(1)"]
  for (const filter of [$fwUrl, $fwLink]) for (const url of given) filter(url, "href")
  String(html`<a href="${"/html"}">x</a>`)
  listenToNotes({ unknownParam: () => undefined, url: () => {} })
  assert.equal(urls, [...given, ...given, "/html"])
})

test.run()
