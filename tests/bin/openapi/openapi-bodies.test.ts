/**
 * Tests of request bodies in the document: unions, functions that bind a body for a handler, and bodies without a
 * description. All cases are in one project, which is read once.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const text = { type: "string" }
const number = { type: "number" }
const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
})
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const size = object({ size: number })
const mapping = { click: "#/components/schemas/Click", press: "#/components/schemas/Press" }

const shared = `import type { Context, StandardSchema } from "fw"
export interface Click { type: "click"; x: number }
export interface Press { type: "press"; key: string }
export type Result<T> = { ok: true; value: T } | { ok: false; error: string }
export interface Item { size: number }
export interface Schema<I, O = I> { "~standard": { version: 1; vendor: "x"; validate(v: unknown): { value: O }; types?: { input: I; output: O } } }
export declare function schema<I, O = I>(): Schema<I, O>
export const sized = schema<{ size: number }>()
export const filled = schema<{ size?: number }, { size: number }>()
type Run<B> = (c: Context, body: B) => Response
export function typed<B>(run: Run<B>) { return async (c: Context) => run(c, await c.bind<B>()) }
export function positional<B>(schema: StandardSchema<B>, run: Run<B>) { return async (c: Context) => run(c, await c.bind(schema)) }
export function plain<S extends StandardSchema>(o: { body: S; run: Run<unknown> }) { return async (c: Context) => o.run(c, await c.bind(o.body)) }
export function untyped(o: { body: StandardSchema; run: Run<unknown> }) { return async (c: Context) => o.run(c, await c.bind(o.body)) }
export function parts<B>({ input, run }: { query?: StandardSchema; input: { body: StandardSchema<B> }; run: Run<B> }) {
  const { body: schema } = input
  return async (c: Context) => { const bound = await c.bind(schema); return run(c, bound) }
}
export function cast<B>(o: { body: (value: unknown) => B; run: Run<B> }) { return async (c: Context) => o.run(c, o.body(await c.bind<B>())) }
export function partial<B>(o: { example: B; run: Run<Partial<B>> }) { return async (c: Context) => o.run(c, await c.bind<Partial<B>>()) }
async function read<B>(c: Context, schema: StandardSchema<B>): Promise<B> { return c.bind(schema) }
export function nested<B>(o: { body: StandardSchema<B>; run: Run<B> }) { return async (c: Context) => o.run(c, await read(c, o.body)) }
export const curried = <B>(schema: StandardSchema<B>) => (run: Run<B>) => async (c: Context) => run(c, await c.bind(schema))
export function create<T>(c: Context) { return c.bind<T>().then((value) => c.json(201, { made: value })) }
export class Repository<T> {
  async create(c: Context) { const made = await c.bind<T>(); return c.json(201, made) }
  handler() { return async (c: Context) => c.json(201, await c.bind<T>()) }
}
export class Users extends Repository<Item> {}
export class Endpoint<S extends StandardSchema> {
  declare readonly body: S
  handler() { return async (c: Context) => c.json(200, await c.bind(this.body)) }
}
export function lazy<S extends StandardSchema>(o: { body: () => S }) { return async (c: Context) => c.json(200, await c.bind(o.body())) }
export function late(c: Context, schemas: readonly StandardSchema[]) { return c.bind(schemas[c.paramInt("n")] as StandardSchema) }
`

/** Code that binds a body, and the schema of the body. */
const binds: ReadonlyArray<readonly [source: string, schema: unknown]> = [
  ["c.bind<boolean>()", { type: "boolean" }],
  ["c.bind<boolean | null>()", { type: ["boolean", "null"] }],
  ['c.bind<"a" | "b">()', { type: "string", enum: ["a", "b"] }],
  [
    "c.bind<Click | Press>()",
    { oneOf: [ref("Click"), ref("Press")], discriminator: { propertyName: "type", mapping } },
  ],
  ["c.bind<{ a: number } | null>()", { ...object({ a: number }), type: ["object", "null"] }],
  ["c.bind<{ id: number } | undefined>()", object({ id: number })],
  [
    "c.bind<string[] | { ids: number[] }>()",
    {
      anyOf: [{ type: "array", items: text }, object({ ids: { type: "array", items: number } })],
    },
  ],
  [
    "c.bind<Result<number>>()",
    {
      anyOf: [
        object({ ok: { type: "boolean", const: true }, value: number }),
        object({ ok: { type: "boolean", const: false }, error: text }),
      ],
    },
  ],
  ["c.bind<string | number>()", { type: ["string", "number"] }],
  ["c.bind<null>()", { type: "null" }],
  ["c.bind<unknown>()", {}],
  ["c.bind<Promise<Click>>()", ref("Click")],
  [
    "c.bind(schema<Click | Press>())",
    { oneOf: [ref("Click"), ref("Press")], discriminator: { propertyName: "type", mapping } },
  ],
  ["c.bind(filled)", object({ size: number }, [])],
]

/** Handlers that a function creates, and the schemas of their bodies. */
const wrappers: ReadonlyArray<readonly [source: string, schema: unknown]> = [
  ["typed((c, b: { size: number }) => c.json(200, b))", size],
  ["typed<Click | null>((c, b) => c.json(200, b))", { anyOf: [ref("Click"), { type: "null" }] }],
  ["positional(sized, (c, b) => c.json(200, b.size))", size],
  ["plain({ body: sized, run: (c) => c.json(200, 1) })", size],
  ["plain({ body: filled, run: (c) => c.json(200, 1) })", object({ size: number }, [])],
  ["plain({ body: schema<boolean>(), run: (c) => c.json(200, 1) })", { type: "boolean" }],
  ["plain(options)", size],
  ["untyped({ body: sized, run: (c) => c.json(200, 1) })", size],
  ["parts({ query: schema<{ q: string }>(), input: { body: sized }, run: (c, b) => c.json(200, b.size) })", size],
  ["cast({ body: (v) => v as { size: number }, run: (c, b) => c.json(200, b.size) })", size],
  ["cast<Item>({ body: (v) => v as Item, run: (c, b) => c.json(200, b.size) })", ref("Item")],
  ["partial({ example: { size: 1 }, run: (c, b) => c.json(200, b.size) })", object({ size: number }, [])],
  ["nested({ body: sized, run: (c, b) => c.json(200, b.size) })", size],
  ["nested({ body: filled, run: (c, b) => c.json(200, b.size) })", object({ size: number }, [])],
  ["curried(filled)((c, b) => c.json(200, b.size))", object({ size: number }, [])],
  ["(c: Context) => create<Item>(c)", ref("Item")],
  ["(c: Context) => items.create(c)", ref("Item")],
  ["items.handler()", ref("Item")],
  ["(c: Context) => new Users().create(c)", ref("Item")],
]

/** Handlers whose bodies nothing describes. */
const unknowns = [
  "(c: Context) => late(c, [sized]).then((b) => c.json(200, b))",
  "new Endpoint(sized).handler()",
  "lazy({ body: () => sized })",
]
const bodies = suite("bodies")
let made: ProjectDocument

bodies.before(async () => {
  const names = [...shared.matchAll(/^export (?:declare )?(?:async )?(?:\w+) (\w+)/gm)].map(([, name]) => name)
  const head = `import type { Context } from "fw"\nimport { ${names.map((name) => (/^(?:Click|Press|Result|Item|Schema)$/.test(name ?? "") ? `type ${name}` : name)).join(", ")} } from "../../bodies.ts"\nconst options = { body: sized, run: (c: Context) => c.json(200, 1) }\nconst items = new Repository<Item>()\n`
  const handlers = [
    ...binds.map(([source]) => `export async function Post(c: Context) { return c.json(200, await ${source}) }`),
    ...[...wrappers, ...unknowns.map((source) => [source])].map(([source]) => `export const Post = ${source}`),
  ]
  const files = handlers.map((handler, i) => [`app/b${i}/route.ts`, `${head}${handler}\n`])
  const root = makeProject({ "bodies.ts": shared, ...Object.fromEntries(files) }, ["fw", "typescript"])
  made = await makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
})

type Item = { post: { requestBody: { content: { "application/json": { schema: unknown } } } } }

function readBody(index: number): unknown {
  const item = (made.document.paths as Record<string, Item>)[`/b${index}`] as Item
  return item.post.requestBody.content["application/json"].schema
}

for (const [i, [source, schema]] of [...binds, ...wrappers].entries())
  bodies(`${source} has the body ${JSON.stringify(schema)}`, () => assert.equal(readBody(i), schema))

bodies("a body without a known type may be anything, and causes a warning", () => {
  const first = binds.length + wrappers.length
  assert.equal(
    unknowns.map((_, i) => readBody(first + i)),
    unknowns.map(() => ({})),
  )
  const warnings = made.warnings.flatMap(({ message, at }) =>
    /body/.test(message) ? [`${at?.file}:${at?.line}: ${message}`] : [],
  )
  assert.equal(
    warnings.sort(),
    [32, 34, 35].map((line) => `bodies.ts:${line}: the type of this body is not known`),
  )
})

bodies.run()
