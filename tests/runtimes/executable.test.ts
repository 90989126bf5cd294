/** Runs the server cases of the contract in an executable that `fw build` made, over real sockets. */
import { test } from "uvu"
import { servedCases } from "../support/contract/all.ts"
import { drive } from "../support/contract/drive.ts"
import { startContractExecutable } from "../support/contract/start.ts"

drive("executable", startContractExecutable, { cases: servedCases })
test.run()
