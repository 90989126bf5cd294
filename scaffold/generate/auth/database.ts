/** Gives each test file a database of its own, with all tables and without rows. db/index.ts then reads its address. */
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
