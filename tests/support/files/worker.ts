/** A worker without a disk that stores files in S3. */
import { diskFiles, r2Files, s3Files } from "../../../adapters/files.ts"
import { serve } from "../../../adapters/workers.ts"
import { App } from "../../../lib/index.ts"

const app = new App({ logger: false })
const open = (endpoint: string) =>
  s3Files({ bucket: "photos", endpoint, credentials: { accessKeyId: "S3RVER", secretAccessKey: "S3RVER" } })

app.post("/photos", async (c) => {
  for await (const part of c.parts()) await part.save(open(c.query("s3")), `photos/${part.name}.txt`)
  return c.noContent()
})
app.get("/photos/{name}", (c) => c.file(open(c.query("s3")), `photos/${c.param("name")}`))
app.get("/url", async (c) => c.string(200, await open(c.query("s3")).url("photos/a.txt")))
app.get("/errors", (c) => {
  const errors = [() => diskFiles("data"), () => r2Files(c.env.BUCKET as never)].map((call) => {
    try {
      return call()
    } catch (error) {
      return (error as Error).message
    }
  })
  return c.json(200, errors)
})

export default serve(app)
