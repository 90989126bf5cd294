/** The post office as a worker. */
import { createPostOffice } from "./post-office.ts"

export default await createPostOffice(process.env.MAIL_SERVICE ?? "")
