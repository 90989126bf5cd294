/** Takes the place of `disk.ts` on runtimes that have no disk. */
import { filesFault } from "../../lib/files/fault.ts"
import type * as disk from "./disk.ts"

/** @throws FwError `files` */
export const openDirectory: typeof disk.openDirectory = () => {
  throw filesFault("files.disk")
}
