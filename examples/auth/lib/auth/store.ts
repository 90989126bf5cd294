/** The store of sessions, links in mails and limits. All processes share it, because it is in the database. */
import { databaseStore } from "fw/db"
import { db } from "../../db/index.ts"

export const store = databaseStore(db)
