/** The contract suite on node-handler, over real sockets. */
import { test } from "uvu"
import { drive } from "../support/contract/drive.ts"
import { startProgram } from "../support/contract/start.ts"

drive("node-handler", () => startProgram("node", "handler"), { sockets: false })
test.run()
