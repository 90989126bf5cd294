/** A database that cannot be used has one error with the reason of its client, without the password. */
import { suite } from "uvu"
import * as assert from "uvu/assert"
import { openDatabase } from "../../../adapters/db/open.ts"
import { checkUnreachable, listWithoutServer } from "../../support/db/unreachable.ts"
import { findFreePort } from "../../support/free-port.ts"

const test = suite("a database that cannot be used")

test("a missing server, a wrong address and a wrong file are errors with the reason and without the password", async () =>
  checkUnreachable(listWithoutServer(await findFreePort())))

test("an error in the module of the database is passed on unchanged", async () => {
  const mistake = new ReferenceError("clent is not defined")
  const failed = await openDatabase(() => Promise.reject(mistake)).catch((error) => error)
  assert.is(failed, mistake)
})

test.run()
