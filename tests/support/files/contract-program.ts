/**
 * Runs the contract of file stores on any runtime: `contract-program disk /tmp/files`, `contract-program s3
 * http://…`.
 */
import { diskFiles, memoryFiles, s3Files } from "../../../adapters/files.ts"
import { driveFiles } from "./contract.ts"

process.env.FW_SECRETS = "0123456789abcdef0123456789abcdefXYZ"

const [engine = "", place = ""] = process.argv.slice(2)
const credentials = { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" }
const openers = {
  memory: () => memoryFiles({ path: "/files" }),
  disk: () => diskFiles(place, { path: "/files" }),
  s3: () => s3Files({ bucket: "photos", endpoint: place, credentials }),
}
driveFiles(engine, async () => openers[engine as keyof typeof openers]())
