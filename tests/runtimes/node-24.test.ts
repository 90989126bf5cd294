/** The contract suite on node-24, over real sockets, with both forms of requests. */
import { test } from "uvu"
import { drive } from "../support/contract/drive.ts"
import { startProgram } from "../support/contract/start.ts"

drive("node-24", () => startProgram("node-24", "node"))
drive("node-24 with FW_FAST=false", () => startProgram("node-24", "node", { FW_FAST: "false" }))
test.run()
