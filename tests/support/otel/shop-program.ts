/** The shop as a program on a server runtime. It prints its address. */
import { createShop } from "./shop.ts"

const app = createShop(process.env.NEXT ?? "")
await app.listen("127.0.0.1:0")
process.stdout.write(`${app.addr}\n`)
process.once("SIGTERM", async () => {
  await app.shutdown()
  process.exit()
})
