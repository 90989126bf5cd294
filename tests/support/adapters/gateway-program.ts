/** An app that passes on the answers of another server, whose URL is the argument. Prints its port. */
import { App, compress, type HandlerFunc } from "../../../lib/index.ts"

const other = process.argv[2] as string
const app = new App({ logger: false })

/** Sends a request to the other server. Redirects are left to the client. */
const ask = (method: string, path: string) => fetch(`${other}/${path}`, { method, redirect: "manual" })
const passOn: HandlerFunc = (c) => ask(c.method, c.param("*"))

app.get("/handler/*", passOn)
app.get("/clone/*", async (c) => (await ask(c.method, c.param("*"))).clone())
app.get("/compressed/*", compress(), passOn)
app.mountHandler("/mounted", ({ method, url }) => ask(method, new URL(url).pathname.slice(1)))

await app.listen("127.0.0.1:0")
console.log(app.addr.split(":").at(-1))
process.stdin.on("end", () => process.exit()).resume()
