/** What a group's middleware sees and hides, and mounted handlers, on every way in. */
import { test } from "uvu"
import { guardCases } from "../support/contract/guards.ts"
import { contract } from "../support/contract/runner.ts"

contract(guardCases)

test.run()
