/** The contract suite in an executable that `fw build` made, over real sockets. */
import { test } from "uvu"
import { drive } from "../support/contract/drive.ts"
import { startContractExecutable } from "../support/contract/start.ts"

drive("executable", startContractExecutable)
test.run()
