/** The shop as a worker. */
import { createShop } from "./shop.ts"

export default createShop(process.env.NEXT ?? "")
