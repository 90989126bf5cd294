/** Runs the contract's cases of answers to HEAD. */
import { test } from "uvu"
import { headCases } from "../../support/contract/head.ts"
import { contract } from "../../support/contract/runner.ts"

contract(headCases)
test.run()
