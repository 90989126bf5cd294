/**
 * Tests of handlers that read a body as text or bytes and also in another way: the document only has media types
 * that the server accepts.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const json = "application/json"
const form = ["application/x-www-form-urlencoded", "multipart/form-data"]
const bind = "const body = await c.bind<{ a: number }>()\n  return c.json(200, body)"

/** The code of a handler, and the media types of its body. */
const rows: ReadonlyArray<readonly [code: string, ...medias: string[]]> = [
  [`const raw = await c.text()\n  if (raw === "") throw forbidden("x")\n  ${bind}`, json],
  [`const raw = await c.bytes()\n  if (raw.length > 9) return c.json(401, {})\n  ${bind}`, json],
  [`const raw = await c.request.clone().text()\n  void raw\n  ${bind}`, json],
  [
    `const [raw, body] = await Promise.all([c.text(), c.bind<{ a: number }>()])\n  return c.json(200, raw + body.a)`,
    json,
  ],
  [`if (c.isHTMX) console.log(await c.text())\n  ${bind}`, json],
  [`await verify(c)\n  ${bind}`, json],
  [`let body\n  body = await c.bind<{ a: number }>()\n  return c.json(200, [body, await c.text()])`, json],
  ["const raw = await c.text()\n  const all = await c.form()\n  return c.json(200, [raw, all.get('a')])", ...form],
  [`if (!c.isJSON) return c.string(200, await c.text())\n  ${bind}`, json, "text/plain"],
  [
    `if (c.isJSON) return c.json(200, await c.bind<{ a: 1 }>())\n  return c.string(200, await c.text())`,
    json,
    "text/plain",
  ],
  [`const raw = await c.text()\n  if (!c.isJSON) return c.string(200, raw)\n  ${bind}`, json, "text/plain"],
  ["return c.json(200, c.isJSON ? await c.bind<{ a: 1 }>() : await c.text())", json, "text/plain"],
  ["return c.json(200, (c.isJSON && (await c.bind<{ a: 1 }>())) || (await c.text()))", json, "text/plain"],
  [
    "try {\n    return c.json(200, await c.bind<{ a: 1 }>())\n  } catch {\n    return c.string(200, await c.text())\n  }",
    json,
    "text/plain",
  ],
  [
    "switch (c.header('content-type')) {\n    case 'text/plain': return c.string(200, await c.text())\n    default: return c.json(200, await c.bind<{ a: 1 }>())\n  }",
    json,
    "text/plain",
  ],
  ["await c.bindQuery<{ a: number }>()\n  return c.string(200, await c.text())", "text/plain"],
  ["return c.json(200, [await c.text(), await c.bytes()])", "text/plain", "application/octet-stream"],
]

const raw = suite("bodies as text")
let paths: Readonly<Record<string, { post: { requestBody?: { content: object } } }>> = {}

raw.before(async () => {
  const head = `import { type Context, forbidden } from "fw"
async function verify(c: Context) { const raw = await c.text(); if (raw === "") throw forbidden("x"); return raw }
void [verify, forbidden]
`
  const files = rows.map(([code], i) => [
    `app/r${i}/route.ts`,
    `${head}export async function Post(c: Context) {\n  ${code}\n}\n`,
  ])
  const root = makeProject(Object.fromEntries(files), ["fw", "typescript"])
  const { document } = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
  paths = document.paths as typeof paths
})

for (const [i, [code, ...medias]] of rows.entries())
  raw(`${code} accepts ${medias.join(", ")}`, () => {
    assert.equal(Object.keys(paths[`/r${i}`]?.post.requestBody?.content ?? {}), medias)
  })

raw.run()
