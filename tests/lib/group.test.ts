/** The middleware of a group, and mounted handlers, through every entry. */
import { test } from "uvu"
import { guardCases } from "../support/contract/guards.ts"
import { contract } from "../support/contract/runner.ts"

contract(guardCases)

test.run()
