/** Answers that another program made: the contract cases. */
import { test } from "uvu"
import { gatewayCases } from "../../support/contract/gateway.ts"
import { contract } from "../../support/contract/runner.ts"

contract(gatewayCases)
test.run()
