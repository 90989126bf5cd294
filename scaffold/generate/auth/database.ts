/**
 * Gives each test file an empty database of its own that has all tables. Import it before db/index.ts, which reads the
 * address.
 */
import { after } from "node:test"
import { createTestDatabase } from "fw/db"
import migrations from "../../.fw/migrations.ts"

const test = await createTestDatabase(process.env.DATABASE_URL || "file:data/app.db", migrations)
process.env.DATABASE_URL = test.address

after(async () => {
  const { db } = await import("../../db/index.ts")
  await db.close()
  await test.remove()
})
