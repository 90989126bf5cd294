/**
 * Runs the contract's cases of headers about bodies and caches, for every outcome and every way to send a request.
 */
import { test } from "uvu"
import { outcomeCases } from "../support/contract/outcomes.ts"
import { contract } from "../support/contract/runner.ts"
import { varyCases } from "../support/contract/vary.ts"

contract([...outcomeCases, ...varyCases])

test.run()
