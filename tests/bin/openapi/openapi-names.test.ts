/**
 * Tests of the names of components: aliases of inferred types, namespaces, and types with the same name. A new file
 * must not change existing names.
 */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { makeProjectDocument, type ProjectDocument } from "../../../bin/openapi/openapi.ts"
import { makeProject } from "../../support/bin/dev/dev-project.ts"

const context = 'import type { Context } from "fw"\n'
const names = suite("names")

/** A library that infers, as zod and drizzle do. */
const library = `export interface Schema<T> { readonly _type: T; readonly infer: T }
export type Flatten<T> = { [K in keyof T]: T[K] } & {}
export type Infer<S extends Schema<unknown>> = Flatten<S["_type"]>
export declare function object<T>(fields: T): Schema<{ -readonly [K in keyof T]: T[K] }>
export type Model<T extends { readonly columns: object }> = { [K in keyof T["columns"] & string]: T["columns"][K] }
`

async function createDocument(files: Readonly<Record<string, string>>): Promise<ProjectDocument> {
  const root = makeProject(files, ["fw", "typescript"])
  return makeProjectDocument(root, { appDir: "app", version: "1.0.0" })
}

function listComponents({ document }: ProjectDocument): string[] {
  return Object.keys((document.components as { schemas?: object } | undefined)?.schemas ?? {})
    .filter((name) => name !== "Error")
    .sort()
}

type Item = { get: { responses: { 200: { content: Record<string, { schema: unknown }> } } } }

function findSchema({ document }: ProjectDocument, path: string): unknown {
  const { get } = (document.paths as Record<string, Item>)[path] as Item
  return get.responses[200].content["application/json"]?.schema
}

names("aliases of inferred types give names, and lists and dictionaries do not get names of other types", async () => {
  const made = await createDocument({
    "node_modules/inferring/package.json":
      '{ "name": "inferring", "types": "index.d.ts", "exports": { "types": "./index.d.ts" } }',
    "node_modules/inferring/index.d.ts": library,
    "models.ts": `import { object, type Infer, type Model } from "inferring"
export const user = object({ id: 1, name: "x" })
export type User = Infer<typeof user>
export const post = object({ title: "x", author: { id: 1 } })
/** What people write. */
export type Post = typeof post.infer
export type Author = Post["author"]
export const users = { columns: { id: 1, mail: "x" } }
export type Row = Model<typeof users>
export interface Extended extends Row { more: boolean }
export const roles = ["admin", "guest"] as const
export type Role = (typeof roles)[number]
export type NewUser = Omit<User, "id">
export type Dictionary = Record<string, number>
export type Tags = Array<string>
export type Name = string | null
/* type Commented = Infer<typeof user> */
const text = "type Quoted = Infer<typeof user>"
void text
`,
    "other.ts": `import type { Infer } from "inferring"\nimport type { user } from "./models.ts"\nexport type Again = Infer<typeof user>\n`,
    "app/a/route.ts": `${context}import type { Author, Extended, NewUser, Post, Role, Row, User } from "../../models.ts"
declare const value: { user: User; users: User[]; maybe: User | null; post: Post; author: Author; row: Row; extended: Extended; role: Role | null; fresh: NewUser; counts: Record<string, number>; tags: string[]; name: string | null }
export function Get(c: Context) { return c.json(200, value) }
`,
    "app/b/route.ts": `${context}import { user } from "../../models.ts"\nexport function Get(c: Context) { return c.json(200, user.infer) }\n`,
  })
  assert.equal(listComponents(made), ["Author", "Extended", "NewUser", "Post", "Role", "Row", "User"])
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const { properties } = findSchema(made, "/a") as { properties: Record<string, unknown> }
  assert.equal(properties, {
    user: ref("User"),
    users: { type: "array", items: ref("User") },
    maybe: { anyOf: [ref("User"), { type: "null" }] },
    post: ref("Post"),
    author: ref("Author"),
    row: ref("Row"),
    extended: ref("Extended"),
    role: { anyOf: [ref("Role"), { type: "null" }] },
    fresh: ref("NewUser"),
    counts: { type: "object", additionalProperties: { type: "number" } },
    tags: { type: "array", items: { type: "string" } },
    name: { type: ["string", "null"] },
  })
  const { schemas } = made.document.components as { schemas: Record<string, { description?: string }> }
  assert.is(schemas.Post?.description, "What people write.")
  assert.equal(made.warnings, [])
})

names("a nameless type that is too long to show in a position is named by its size", async () => {
  const made = await createDocument({
    "app/api/wide/route.ts": `${context}type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9
declare const wide: Record<\`c\${Digit}\${Digit}\${Digit}\`, string>
export function Get(c: Context) { return c.json(200, wide) }
`,
  })
  assert.equal(listComponents(made), ["Large"])
})

const own = (field: string) =>
  `${context}interface User { ${field}: string }\nexport function Get(c: Context) { return c.json(200, {} as User) }\n`
const shared = `${context}import type { User } from "../../../lib/user.ts"\nexport function Get(c: Context) { return c.json(200, {} as User) }\n`

/** A project, additions to it, and the names of the components afterwards. */
const additions: ReadonlyArray<
  readonly [title: string, before: Record<string, string>, added: Record<string, string>, after: string[]]
> = [
  [
    "a shared type keeps its name if a route has its own type with the same name",
    { "lib/user.ts": "export interface User { name: string }\n", "app/api/users/route.ts": shared },
    { "app/api/a/route.ts": own("a"), "app/api/admin/users/route.ts": own("admin") },
    ["AUser", "AdminUser", "User"],
  ],
  [
    "a type that more handlers use keeps its name, and a route's own type with that name gets another name",
    {
      "app/api/z/route.ts": `${own("z")}export function Post(c: Context) { return c.json(200, {} as User) }\n`,
    },
    { "app/(admin)/users/route.ts": own("a") },
    ["AdminUser", "User"],
  ],
  [
    "of two shared types with the same name, the type that more handlers use keeps the name",
    {
      "lib/user.ts": "export interface User { name: string }\n",
      "app/api/z/route.ts": shared,
      "app/api/y/route.ts": shared,
    },
    {
      "lib/billing.ts": "export interface User { paid: true }\n",
      "app/api/a/route.ts": shared.replace("user.ts", "billing.ts"),
    },
    ["BillingUser", "User"],
  ],
]

for (const [title, before, added, after] of additions) {
  names(title, async () => {
    const first = await createDocument(before)
    const second = await createDocument({ ...before, ...added })
    assert.equal(listComponents(first), ["User"])
    assert.equal(listComponents(second), after)
    for (const path of Object.keys(first.document.paths as object))
      assert.equal(findSchema(second, path), findSchema(first, path))
    const schema = (made: ProjectDocument) => (made.document.components as { schemas: { User: unknown } }).schemas.User
    assert.equal(schema(second), schema(first))
    const warned = second.warnings.map(({ message, at }) => [message.replace(/, because.*/, ""), at?.file])
    assert.is(warned.length, after.length - 1)
    for (const [message, file] of warned) {
      assert.match(message ?? "", /^the type User is called \w+User in the document$/)
      assert.ok(Object.hasOwn(added, file ?? ""))
    }
  })
}

names("two generic types with the same name give two components", async () => {
  const made = await createDocument({
    "lib/page.ts": "export interface Page<T> { items: T[] }\n",
    "lib/a.ts": "export interface User { a: 1 }\n",
    "lib/b.ts": "export interface User { b: 1 }\n",
    "app/x/route.ts": `${context}import type { Page } from "../../lib/page.ts"\nimport type { User as A } from "../../lib/a.ts"\nimport type { User as B } from "../../lib/b.ts"\nexport function Get(c: Context) { return c.json(200, { a: {} as Page<A>, b: {} as Page<B> }) }\n`,
  })
  assert.equal(listComponents(made), ["BPageUser", "BUser", "PageUser", "User"])
})

names("a recursive type without a name is named as in TypeScript, or after its property", async () => {
  const made = await createDocument({
    "lib/tree.ts": `export type Lazy<T> = { [K in keyof T]?: T[K] extends object ? Lazy<T[K]> : T[K] }
const make = () => ({ value: 1, get children() { return [] as ReturnType<typeof tree>[] } })
export function tree(): { value: number; branches: ReturnType<typeof tree>[] } { return { value: 1, branches: [] } }
void make
`,
    "app/x/route.ts": `${context}import { tree } from "../../lib/tree.ts"\nexport function Get(c: Context) { return c.json(200, { root: tree() }) }\n`,
  })
  assert.equal(listComponents(made), ["Root"])
})

names.run()
