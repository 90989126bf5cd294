/** Runs the contract of file stores in memory. */
import { memoryFiles } from "../../../lib/files/memory.ts"
import { driveFiles } from "../../support/files/contract.ts"

process.env.FW_SECRETS = "0123456789abcdef0123456789abcdefXYZ"

driveFiles("memory", async () => memoryFiles({ path: "/files" }))
