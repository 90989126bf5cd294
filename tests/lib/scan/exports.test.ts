/** Tests of reading the exports of a module without running it, compared with esbuild's result and with tables. */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these strings are source text
import { readdir, readFile } from "node:fs/promises"
import { build } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { FwError } from "../../../lib/errors.ts"
import { readModule } from "../../../lib/scan/exports.ts"

function read(source: string, jsx = false) {
  return readModule(source, { file: "app/route.ts", allowsJSX: jsx }).exports
}

/** Returns the exports as `name`, or as `name:kind` if they are no plain values. */
function names(source: string, jsx = false): string[] {
  return read(source, jsx).map(({ name, kind }) => (kind === "value" ? name : `${name}:${kind}`))
}

const forms: ReadonlyArray<[source: string, ...exports: string[]]> = [
  ["", ...[]],
  ["export function Get(c) {}", "Get"],
  ["export async function Get(c: Context): Promise<Response> {}", "Get"],
  ["export function* Get() {}", "Get"],
  ["export async function * Get() {}", "Get"],
  ["export const Get = (c) => c.json(200, {})", "Get"],
  ["export const Get: HandlerFunc = handler", "Get"],
  ["export const Get: Record<string, (a: { b: 1 }) => c> = handler, Post = other", "Get", "Post"],
  ["export let Get = wrap<A, { b: c }>(handler), Post: HandlerFunc = x;", "Get", "Post"],
  ["export const Get = pick({ a, b }, [c, d], (e, f) => g), Post = 1 < 2 ? a : b", "Get", "Post"],
  ["export const Get = await\n  z, Post = x", "Get", "Post"],
  ["export const Get = x /*\n*/ let a = 1, Post = 2", "Get"],
  ["export let a, Get = x", "a", "Get"],
  ["export var Get\nfoo = 1, bar = 2", "Get"],
  ["export const Get = x\nlet a = 1, b = 2", "Get"],
  ["export const Get =\n  x\n  .y(), Post = await\n  z", "Get", "Post"],
  ["export { Get }", "Get"],
  ["export { Get, handler as Post, }", "Get", "Post"],
  ['export { Get } from "./x.ts"', "Get"],
  ['export { default as Get, x as Post } from "./x.ts"', "Get", "Post"],
  ['export { Get as "Post" }', "Post"],
  ["export { type Get, type A as Post, type as Put, type as }", "Put"],
  ['export type { Get } from "./x.ts"', ...[]],
  ["export type Get = string", ...[]],
  ["export interface Get { a: 1 }", ...[]],
  ["export declare function Get(): void", ...[]],
  ["export declare const Post: 1", ...[]],
  ["export as namespace Get", ...[]],
  ["export class Get {}", "Get:data"],
  ["export abstract class Get {}", "Get:data"],
  ["export enum Get { A }", "Get:data"],
  ["export const enum Get { A }", "Get:data"],
  ["export namespace Get { export const a = 1 }", "Get:data"],
  [
    'export const options = { a: 1 }, names = ["a"] as const, title = "x", n = 1',
    "options:data",
    "names:data",
    "title:data",
    "n:data",
  ],
  ["export const Get = { handler }.handler, Post = [a, b][0]", "Get", "Post"],
  ["export const options = {} satisfies Options\nfoo()", "options:data"],
  ['export * as Get from "./x.ts"', "Get:data"],
  ['export * from "./x.ts"', "*:star"],
  ["export default function Get() {}", "default:default"],
  ["export default (c) => c", "default:default"],
  ["export { x as default }", "default:default"],
  ["export = x", "default:default"],
  ["export const { Get, Post } = make()", "{}:pattern"],
  ["export const [Get] = make(), Post = x", "{}:pattern", "Post"],
  ["export function Get(a: 1): A\nexport function Get(a: 2): B\nexport function Get(a) {}", "Get"],
  ["\uFEFF#!/usr/bin/env node\nexport const Get = x", "Get"],
  ["import x from 'x'; export const Get=x;export const Post=x", "Get", "Post"],
]

for (const [source, ...exports] of forms) {
  test(`${JSON.stringify(source)} exports ${exports.join(", ") || "nothing"}`, () =>
    assert.equal(names(source), exports))
}

const decoys: ReadonlyArray<[what: string, source: string]> = [
  ["strings", `const a = "export const Post = 1", b = 'it\\'s "export const Post'`],
  ["a template", "const a = `export const Post = ${`nested ${{ a: '}' }.a} export`} export`"],
  ["comments", "// export const Post = 1 `\n/* export const Post = 1 ' */"],
  ["a regular expression", "const a = /[/'\"`]export const Post/u.test(x) || !/`/.exec(y)"],
  ["a regular expression after return", "function f() { return /'/ }"],
  ["a regular expression after a condition", "if (a) /'/.test(b)"],
  ["a regular expression that starts a statement", "{ }\n/'/.test(b)"],
  ["a division after a parenthesis", "const a = (1 + 2) / 3, b = '/'"],
  ["a division after an index", "const a = b[0] / 2 / c['/']"],
  ["a division after a keyword that is a property", "const a = b.return / 2; const c = '/'"],
  ["a division after not null", "const a = b! / 2; const c = '/'"],
  ["a division after an increment", "const a = b++ / 2; const c = '/'"],
  ["a nested export", 'declare module "x" { export const Post: 1 }\nnamespace N { export const Put = 1 }'],
  ["a property", "module.export\nconst a = { export: 1 }, b = a.export, c = a?.export"],
  ["generics", "const a = f<A, B>(x) as Map<string, Array<C>>, d = a < b, e = c > d"],
  ["a type assertion", "const a = <Foo<'x'>>b"],
]

for (const [what, source] of decoys) {
  test(`the export after ${what} is found, and no other`, () =>
    assert.equal(names(`${source}\nexport const Get = x`), ["Get"]))
}

const elements: readonly string[] = [
  "const a = <p>Don't export const Post = 1</p>",
  "const a = <p title=\"it's\" {...rest} b={c ? '}' : <i>isn't</i>}/>",
  "const a = <><b>{/* don't */}</b>{list.map((x) => <li key={x}>it's {`${x}'`}</li>)}</>",
  "const a = (b) => b < 2 && <A.B c:d='e'>'</A.B>",
  "const a = <T,>(x: T) => x, b = <T extends U>(x: T) => '>'",
  "type F = <T>(x: T) => T\nconst c = 'it'",
  "type F = <T>(x: T) => T\nconst c = '{'",
  "const a = <T,>(x: T) => '{', b = <p>{'}'}</p>",
  "const a = b < c, d = e > f",
]

for (const source of elements) {
  test(`the export after this JSX or generic code is found: ${source}`, () =>
    assert.equal(names(`${source}\nexport const Page = x`, true), ["Page"]))
}

const comments: ReadonlyArray<[source: string, comment: string | undefined]> = [
  ["/** Lists users. */\nexport function Get() {}", "Lists users."],
  [
    "/**\n * Lists users.\n *\n *     indented\n * @deprecated\n */\nexport function Get() {}",
    "Lists users.\n\n    indented\n@deprecated",
  ],
  ["// Lists\n// users.\nexport function Get() {}", "Lists\nusers."],
  ["// Not this.\n\n// Lists.\nexport const Get = x", "Lists."],
  ["/** The file. */\n\nexport function Get() {}", undefined],
  ["/** Lists. */\n// biome-ignore lint: reasons\n// @ts-expect-error\nexport function Get() {}", "Lists."],
  ["/** Other. */\n// Lists.\nexport function Get() {}", "Lists."],
  ["/** Other. */\n/** Lists. */\nexport function Get() {}", "Lists."],
  ["const a = 1 // Not this.\nexport function Get() {}", undefined],
  ["/** Lists. */\r\nexport function Get() {}", "Lists."],
  ["/** Lists. */ export function Get() {}", "Lists."],
  ["/** Lists. */\nasync function Get() {}\n\n// The handlers.\nexport { Get }", "Lists."],
  ["/** Lists. */\nconst list = x\nexport { list as Get }", "Lists."],
  ['/** Lists. */\nexport { Get } from "./x.ts"', "Lists."],
  ["/** Lists. */\nexport function Get(a: 1): 1\nexport function Get(a) {}", "Lists."],
  ["/**/\nexport function Get() {}", undefined],
]

for (const [source, comment] of comments) {
  test(`the comment of the export in ${JSON.stringify(source)} is ${JSON.stringify(comment)}`, () => {
    const found = read(source).find(({ name }) => name === "Get")
    assert.is(found?.comment, comment)
  })
}

test("an export has its line and its column, which count from 1", () => {
  const source = "\r\n/** a\n b */\n  export const Get = x,\n    Post = y\nfunction Put() {}\nexport {\n  Put,\n}\n"
  const places = read(source).map(({ name, line, column }) => [name, line, column])
  assert.equal(places, [
    ["Get", 4, 3],
    ["Post", 5, 5],
    ["Put", 8, 3],
  ])
})

const broken: ReadonlyArray<[source: string, error: string]> = [
  ["const a = 'x\n", "app/route.ts:1:11: the string never ends"],
  ["\n/* x", "app/route.ts:2:1: the comment never ends"],
  ["const a = `x${1}", "app/route.ts:1:11: the template literal never ends"],
  ["const a = `${ b", "app/route.ts:1:13: { is never closed"],
  ["function f() {", "app/route.ts:1:14: { is never closed"],
  ["f(]", "app/route.ts:1:3: ] closes nothing"],
  ["}\nexport const Get = x", "app/route.ts:1:1: } closes nothing"],
]

for (const [source, error] of broken) {
  test(`broken code is an error with its position: ${JSON.stringify(source)}`, () => {
    assert.throws(
      () => read(source),
      (thrown: unknown) => thrown instanceof FwError && thrown.code === "syntax" && thrown.toString().startsWith(error),
    )
  })
}

test("the exports of this repository's own sources are those that esbuild finds", async () => {
  const files = ["lib", "lib/scan", "lib/middleware", "bin/dev", "bin/build", "bin/project", "bin/system"].map(
    async (dir) => {
      const entries = await readdir(dir)
      return entries.filter((name) => name.endsWith(".ts")).map((name) => `${dir}/${name}`)
    },
  )
  const entryPoints = (await Promise.all(files)).flat()
  const { metafile } = await build({
    entryPoints,
    write: false,
    metafile: true,
    format: "esm",
    outdir: "out",
    outbase: ".",
  })
  for (const [output, { exports }] of Object.entries(metafile.outputs)) {
    const file = output.replace(/^out\//, "").replace(/\.js$/, ".ts")
    const found = readModule(await readFile(file, "utf8"), { file, allowsJSX: false }).exports
    assert.equal(found.map(({ name }) => name).sort(), [...exports].sort(), file)
  }
})

test.run()
