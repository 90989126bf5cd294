/** Headers about bodies and caches, on every outcome and every way in. */
import { test } from "uvu"
import { outcomeCases } from "../support/contract/outcomes.ts"
import { contract } from "../support/contract/runner.ts"
import { varyCases } from "../support/contract/vary.ts"

contract([...outcomeCases, ...varyCases])

test.run()
