/** Stores files on a disk, in memory, or in a bucket of S3 or R2. Exported as `fw/files`. */

export { type LocalFilesOptions, serveFiles } from "../lib/files/local-addresses.ts"
export { memoryFiles } from "../lib/files/memory.ts"
export { type R2Binding, r2Files } from "../lib/files/r2.ts"
export { type S3Files, type S3Upload, s3Files, type UploadOptions } from "../lib/files/s3.ts"
export type { S3Credentials, S3FilesOptions } from "../lib/files/s3-client.ts"
export type * from "../lib/files/types.ts"
export { diskFiles } from "./files/disk-files.ts"
