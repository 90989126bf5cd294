/** The contract suite on node-26, over real sockets. */
import { test } from "uvu"
import { drive } from "../support/contract/drive.ts"
import { startProgram } from "../support/contract/start.ts"

drive("node-26", () => startProgram("node-26", "node"))
test.run()
