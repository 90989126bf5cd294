/** The files of the application, such as those that mails attach. The directory is made for the first one. */
import { diskFiles } from "fw/files"

export const files = diskFiles("data/files")
