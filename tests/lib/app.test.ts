/**
 * Runs the contract's cases of routes, groups, global middleware and mounted handlers, in every way to send a
 * request.
 */
import { test } from "uvu"
import { appCases } from "../support/contract/app.ts"
import { contract } from "../support/contract/runner.ts"

contract(appCases)

test.run()
