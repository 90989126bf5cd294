/** Runs the contract as one worker under workerd. */
import { test } from "uvu"
import { drive } from "../support/contract/drive.ts"
import { startContractWorker } from "../support/contract/start.ts"

drive("workerd", startContractWorker)
test.run()
