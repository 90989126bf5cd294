/**
 * Runs the contract's cases of the middleware of a group, and of mounted handlers, in every way to send a request.
 */
import { test } from "uvu"
import { guardCases } from "../support/contract/guards.ts"
import { contract } from "../support/contract/runner.ts"

contract(guardCases)

test.run()
