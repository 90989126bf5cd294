/** Files in a directory, where there is no disk. */
import { filesFault } from "../../lib/files/fault.ts"
import type * as disk from "./disk.ts"

/** @throws FwError `files` */
export const openDirectory: typeof disk.openDirectory = () => {
  throw filesFault("files.disk")
}
