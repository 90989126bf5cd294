/** Runs the contract's cases of answers that come from another server. */
import { test } from "uvu"
import { gatewayCases } from "../../support/contract/gateway.ts"
import { contract } from "../../support/contract/runner.ts"

contract(gatewayCases)
test.run()
