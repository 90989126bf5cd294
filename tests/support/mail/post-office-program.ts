/** The post office as a program on a server runtime, which prints its address. */
import { createPostOffice } from "./post-office.ts"

const app = await createPostOffice(process.env.MAIL_SERVICE ?? "")
await app.listen("127.0.0.1:0")
process.stdout.write(`${app.addr}\n`)
process.once("SIGTERM", async () => {
  await app.shutdown()
  process.exit()
})
