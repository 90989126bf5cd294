/** Routes, groups, global middleware and mounted handlers, on every way in. */
import { test } from "uvu"
import { appCases } from "../support/contract/app.ts"
import { contract } from "../support/contract/runner.ts"

contract(appCases)

test.run()
