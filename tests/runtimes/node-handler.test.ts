/** The contract suite on node-handler, over real sockets, with both forms of requests. */
import { test } from "uvu"
import { drive } from "../support/contract/drive.ts"
import { startProgram } from "../support/contract/start.ts"

drive("node-handler", () => startProgram("node", "handler"), { sockets: false })
drive("node-handler with FW_FAST=false", () => startProgram("node", "handler", { FW_FAST: "false" }), {
  sockets: false,
})
test.run()
