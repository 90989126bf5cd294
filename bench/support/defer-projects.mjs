/**
 * Writes the same page with two slow blocks for fw, Hono and Next.js. Each function returns how to start the server.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** How many milliseconds each block waits. */
export const blockDelaysMs = [100, 200]
const items = Array.from({ length: 50 }, (_, i) => `Offer ${i + 1}`)
const links = Array.from({ length: 20 }, (_, i) => `/category/${i + 1}`)
const wait = "const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))"

function write(root, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
}

function link(root, name, target) {
  mkdirSync(dirname(join(root, "node_modules", name)), { recursive: true })
  symlinkSync(target, join(root, "node_modules", name), "dir")
}

const data = `const items = ${JSON.stringify(items)}\nconst links = ${JSON.stringify(links)}`

/** Writes a project of fw, and builds it for Node. */
export function createFwProject(root, checkout) {
  const block = (ms) =>
    `{defer {\n  {void await wait(${ms})}<ul>{for (const item of items) {<li>{item}</li>}}</ul>\n} pending {<p>Loading…</p>}}`
  write(root, {
    "package.json": '{ "name": "shop", "type": "module" }',
    "main.ts": 'import { App } from "fw"\n\nexport default new App({ logger: false })\n',
    "app/layout.tpl":
      'template Layout(title: string) {\n<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title></head><body>{children}</body></html>\n}\n',
    "app/page.tpl": `${data}\n${wait.replace("(ms)", "(ms: number)")}\n\nexport const title = "Shop"\n\ntemplate Page() {\n<h1>Shop</h1><nav>{for (const href of links) {<a href={href}>{href}</a>}}</nav>${blockDelaysMs.map(block).join("")}\n}\n`,
  })
  link(root, "fw", checkout)
  link(root, "esbuild", join(checkout, "node_modules/esbuild"))
  const command = join(checkout, "dist/bin/fw.js")
  execFileSync(process.execPath, [command, "build", "--target", "node", "-o", "out"], {
    cwd: root,
    stdio: "pipe",
  })
  return { cwd: root, args: ["out/server.mjs"] }
}

/** Writes a program for Hono, with JSX that is streamed by Suspense. */
export function createHonoProject(root, peers) {
  write(root, {
    "package.json": '{ "type": "module" }',
    "server.mjs": `import { serve } from "@hono/node-server"
import { Hono } from "hono"
import { jsx } from "hono/jsx"
import { renderToReadableStream, Suspense } from "hono/jsx/streaming"

${data}
${wait}
const Block = async ({ ms }) => {
  await wait(ms)
  return jsx("ul", {}, ...items.map((item) => jsx("li", {}, item)))
}
const slow = (ms) => jsx(Suspense, { fallback: jsx("p", {}, "Loading…") }, jsx(Block, { ms }))
const page = () =>
  jsx("html", { lang: "en" },
    jsx("head", {}, jsx("meta", { charset: "utf-8" }), jsx("title", {}, "Shop")),
    jsx("body", {}, jsx("h1", {}, "Shop"), jsx("nav", {}, ...links.map((href) => jsx("a", { href }, href))), ${blockDelaysMs.map((ms) => `slow(${ms})`).join(", ")}))
const app = new Hono()
app.get("/", (c) => c.body(renderToReadableStream(page()), { headers: { "Content-Type": "text/html; charset=UTF-8", "Transfer-Encoding": "chunked" } }))
serve({ fetch: app.fetch, hostname: "127.0.0.1", port: Number(process.env.PORT) })
`,
  })
  for (const name of ["hono", "@hono/node-server"]) link(root, name, join(peers, "node_modules", name))
  return { cwd: root, args: ["server.mjs"] }
}

/**
 * Writes an app with Suspense for the app router of Next.js, and builds it in the folder in which Next.js is installed.
 */
export function createNextProject(peers) {
  const root = peers
  const block = `async function Block({ ms }) {\n  await wait(ms)\n  return <ul>{items.map((item) => <li key={item}>{item}</li>)}</ul>\n}`
  const slow = (ms) => `<Suspense fallback={<p>Loading…</p>}><Block ms={${ms}} /></Suspense>`
  write(root, {
    "app/layout.js":
      'export const metadata = { title: "Shop" }\n\nexport default function Layout({ children }) {\n  return <html lang="en"><body>{children}</body></html>\n}\n',
    "app/page.js": `import { Suspense } from "react"\n\nexport const dynamic = "force-dynamic"\n${data}\n${wait}\n\n${block}\n\nexport default function Page() {\n  return <><h1>Shop</h1><nav>{links.map((href) => <a key={href} href={href}>{href}</a>)}</nav>${blockDelaysMs.map(slow).join("")}</>\n}\n`,
  })
  const next = join(root, "node_modules/next/dist/bin/next")
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" }
  execFileSync(process.execPath, [next, "build"], { cwd: root, env, stdio: "pipe" })
  return { cwd: root, args: [next, "start", "-H", "127.0.0.1"], portFlag: "-p" }
}
