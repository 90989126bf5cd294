/** The contract suite on node-26, over real sockets, with both forms of requests. */
import { test } from "uvu"
import { drive } from "../support/contract/drive.ts"
import { startProgram } from "../support/contract/start.ts"

drive("node-26", () => startProgram("node-26", "node"))
drive("node-26 with FW_FAST=false", () => startProgram("node-26", "node", { FW_FAST: "false" }))
test.run()
