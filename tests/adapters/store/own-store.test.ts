/** Runs the example of an own store in docs/reference/store.md on SQLite. */
import { readFileSync } from "node:fs"
import { transform } from "esbuild"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { type BoundValue, openDatabase } from "../../../adapters/store/database.ts"
import { App } from "../../../lib/index.ts"
import { session } from "../../../lib/session.ts"
import type { KV, Store } from "../../../lib/store/types.ts"
import { readExamples } from "../../support/docs/documents.ts"
import { kvClaims } from "../../support/store/contract.ts"

process.env.FW_SECRETS = "a secret for tests of 32 bytes or more"

const name = "docs/reference/store.md"
const code = readExamples(name, readFileSync(name, "utf8")).find(({ code }) => /sqlStore/.test(code))?.code ?? ""
const { code: program } = await transform(code, { loader: "ts" })
const { sqlStore, table } = (await import(`data:text/javascript,${encodeURIComponent(program)}`)) as {
  readonly table: string
  sqlStore(sql: {
    rows(sql: string, values: readonly BoundValue[]): Promise<readonly unknown[]>
    change(sql: string, values: readonly BoundValue[]): Promise<number>
  }): { readonly kv: KV }
}

const database = openDatabase(":memory:", (opened) => opened.exec(table))
test.after(() => void database.close())
const store = sqlStore({
  rows: async (sql, values) => database.prepare(sql).all(...values),
  change: async (sql, values) => Number(database.prepare(sql).run(...values).changes),
}) as Store<"kv">

kvClaims((title, body) =>
  test(`the example of a store keeps the contract: ${title}`, () => body({ one: store, two: store })),
)

test("the example of a store keeps the sessions of visitors", async () => {
  const app = new App({ logger: false })
  app.use(session({ store }))
  app.get("/{name}", (c) => {
    const mine = c.session as unknown as {
      get(name: string): unknown
      set(name: string, value: unknown): void
    }
    const seen = [c.session.subject ?? null, mine.get("cart") ?? null]
    if (c.param("name") === "set") mine.set("cart", ["tea"])
    if (c.param("name") === "in") c.session.signIn("ada")
    return c.json(200, seen)
  })
  let cookie = ""
  const seen: unknown[] = []
  for (const path of ["/set", "/in", "/see"]) {
    const answer = await app.request(path, { headers: cookie ? { cookie } : {} })
    cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? cookie
    seen.push(await answer.json())
  }
  assert.equal(seen, [
    [null, null],
    [null, ["tea"]],
    ["ada", ["tea"]],
  ])
})

test.run()
