/** Tests that `fw routes --explain` predicts what the running app does, for many random trees and requests. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { explain } from "../../../bin/inspect/explain.ts"
import type { Explanation } from "../../../bin/inspect/explanation.ts"
import { raw } from "../../../lib/html.ts"
import { App, type Context, type MiddlewareFunc, type Next, proxy } from "../../../lib/index.ts"
import { canonicalizePath } from "../../../lib/path.ts"
import { type DirectorySource, ScanError, scan } from "../../../lib/scan.ts"
import { listTreeFiles, type RouteTree } from "../../../lib/tree.ts"
import { project } from "../../support/bin/cli/command.ts"
import { random } from "../../support/random.ts"

const property = suite("fw routes --explain and the running app")

const seeds = 80
const directories = ["a", "b", "é", "[x]", "[y]", "(g)", "[...r]", "[[...o]]", "static"]
const handlerNames = ["Get", "Post", "Put", "Delete", "Head", "Options", "All", "Socket"]
const matchers = ["/a/*", "/:p/b", "/a/:rest+", "/{x}", "/static/:path*", "/:l(a|b)/:more*"]

/** Returns the files of a random project, by their paths. */
function randomFiles({ below, pick, next }: ReturnType<typeof random>): Map<string, string> {
  const found = new Map<string, string>()
  for (let i = 0; i < 2 + below(6); i++) {
    const names = Array.from({ length: below(4) }, () => pick(directories))
    const place = ["app", ...names].join("/")
    const kind = below(6)
    const exported = handlerNames.filter(() => next() < 0.35)
    if (kind < 4)
      found.set(
        `${place}/route.ts`,
        (exported.length > 0 ? exported : ["Get"]).map((name) => `export function ${name}() {}\n`).join(""),
      )
    else if (kind === 4) found.set(`${place}/middleware.ts`, "export function Middleware() {}\n")
    else {
      found.set(`${place}/page.ts`, "export function Page() {}\n")
      if (next() < 0.5) found.set(`${place}/layout.ts`, "export function Layout() {}\n")
    }
  }
  if (next() < 0.5) {
    const config = {
      matcher: [pick(matchers), pick(matchers)].slice(below(3)),
      excludes: [pick(matchers)].slice(below(2)),
    }
    found.set("app/proxy.ts", `export const ProxyConfig = ${JSON.stringify(config)}\nexport function Proxy() {}\n`)
  }
  return found
}

function readSource(all: ReadonlyMap<string, string>): DirectorySource {
  return {
    async list(directory) {
      const below = [...all.keys()].filter((file) => file.startsWith(`${directory}/`))
      const names = new Map<string, "file" | "directory">()
      for (const file of below) {
        const [name = "", ...rest] = file.slice(directory.length + 1).split("/")
        names.set(name, rest.length > 0 ? "directory" : "file")
      }
      return [...names].map(([name, kind]) => ({ name, kind }))
    },
    read: async (file) => all.get(file) ?? "",
  }
}

/** Creates the application of a tree. The headers of its answers say which functions ran. */
async function running(tree: RouteTree): Promise<App> {
  const tell = (c: Context, file: string, name: string) => {
    c.setHeader("X-Ran", encodeURIComponent(`${file} ${name}`))
    const params = tree.routes
      .filter((item) => item.file === file)
      .flatMap(({ pattern, rest }) => [
        ...[...pattern.matchAll(/\{(\w+)\}/g)].map(([, one]) => one as string),
        ...(rest ? [rest] : []),
      ])
    c.setHeader("X-Params", encodeURIComponent(JSON.stringify(params.map((one) => c.param(one)))))
  }
  const modules = Object.fromEntries(
    listTreeFiles(tree).map((file) => {
      const handlers = Object.fromEntries(
        handlerNames.map((name) => [
          name,
          (c: Context) => {
            tell(c, file, name)
            return c.noContent()
          },
        ]),
      )
      const Middleware = (): MiddlewareFunc => (next: Next) => (c: Context) => {
        c.appendHeader("X-Chain", encodeURIComponent(file))
        return next(c)
      }
      const proxied = (c: Context) => {
        c.setHeader("X-Proxy", "1")
        return proxy.continue()
      }
      const Page = (c: Context) => {
        tell(c, file, "Page")
        return raw("")
      }
      const Layout = (_: string, c: Context) => {
        c.setHeader("X-Layout", encodeURIComponent(file))
        return raw("")
      }
      return [file, { ...handlers, Middleware, Proxy: proxied, Page, Layout }]
    }),
  )
  const app = new App({ logger: false })
  await app.mount({ tree, modules })
  return app
}

/** Returns the prediction of an explanation, in the form of {@link observed}. */
function predicted({ proxy: seen, answer }: Explanation): Record<string, unknown> {
  const { kind, status, file, export: name, location, allow, middleware, layout } = answer
  const ran = kind === "route" || kind === "page"
  return {
    status: kind === "route" ? 204 : kind === "page" ? 200 : status,
    ran: ran ? `${file} ${name}` : null,
    chain: middleware,
    layout: kind === "page" ? layout : null,
    location,
    allow: allow.join(", ") || null,
    proxied: seen?.runs ?? false,
    file: kind === "file",
  }
}

/** Returns the target of a relative redirect, resolved against the requested path. */
function leadsTo(location: string | null, target: string): string | null {
  if (location === null) return null
  const { pathname, search } = new URL(location, `http://localhost${target}`)
  return canonicalizePath(pathname) + search
}

function observed(response: Response, target: string): Record<string, unknown> {
  const header = (name: string) => response.headers.get(name)
  const decoded = (name: string) => (header(name) === null ? null : decodeURIComponent(header(name) as string))
  return {
    status: response.status,
    ran: decoded("x-ran"),
    chain: header("x-chain")?.split(", ").map(decodeURIComponent) ?? [],
    layout: decoded("x-layout"),
    location: leadsTo(header("location"), target),
    allow: header("allow"),
    proxied: header("x-proxy") !== null,
    file: header("etag") !== null && header("x-ran") === null,
  }
}

property(`in ${seeds} random projects the explanation agrees with the running app`, async () => {
  const root = project({ "static/a": "a", "static/b/index.html": "b", "static/b/c": "c" })
  const before = process.cwd()
  // The default directory of static files is inside the working directory.
  process.chdir(root)
  const kinds = new Map<string, number>()
  try {
    for (let seed = 0; seed < seeds; seed++) {
      const chance = random(seed)
      const all = randomFiles(chance)
      let tree: RouteTree
      try {
        tree = await scan(readSource(all), "app")
      } catch (error) {
        if (error instanceof ScanError) continue
        throw error
      }
      const app = await running(tree)
      for (let i = 0; i < 12; i++) {
        const { below, pick, next } = chance
        const parts = Array.from({ length: below(5) }, () =>
          pick(["a", "b", "c", "é", "%C3%A9", "%61", "static", "q", ".", "%2F"]),
        )
        const odd = next() < 0.05 ? pick(["//", "/%zz", "/%5C"]) : ""
        const file = next() < 0.1 ? pick(["/static/a", "/static/b", "/static/b/", "/static/b/c", "/static/n"]) : null
        const path = file ?? `/${parts.join("/")}${next() < 0.2 ? "/" : ""}${odd}`
        const target = `${path}${next() < 0.2 ? "?x=1" : ""}`
        const method = pick(["GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"])
        const explanation = await explain(root, tree, { method, target })
        const response = await app.request(`http://localhost${target}`, { method })
        const what = `seed ${seed}: ${method} ${target} of ${[...all.keys()].join(" ")}`
        assert.equal(predicted(explanation), observed(response, target), what)
        const { kind, params } = explanation.answer
        kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        if (kind === "file" && method === "GET")
          assert.is(
            await response.text(),
            { a: "a", c: "c", "index.html": "b" }[explanation.answer.file?.split("/").at(-1) ?? ""],
            what,
          )
        if (kind === "route") {
          const told = JSON.parse(decodeURIComponent(response.headers.get("x-params") ?? ""))
          for (const value of Object.values(params))
            assert.ok(told.includes(value), `the app did not get the parameter ${value}: ${what}`)
        }
        const answering = explanation.candidates.filter(({ outcome }) => outcome === "answers").length
        assert.is(answering, ["route", "page"].includes(kind) || (kind === "redirect" && answering > 0) ? 1 : 0, what)
      }
    }
  } finally {
    process.chdir(before)
  }
  assert.equal([...kinds.keys()].sort(), [
    "file",
    "not_allowed",
    "not_found",
    "options",
    "page",
    "redirect",
    "refused",
    "route",
    "upgrade",
  ])
})

property.run()
