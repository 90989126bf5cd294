/** A local provider that can be made to fail. Import this before the application, which reads its URL. */
import "./env.ts"
import { OAuth2Server } from "oauth2-mock-server"

const server = new OAuth2Server()
await server.issuer.keys.generate("RS256")
await server.start(0, "127.0.0.1")

export const provider = server
export const callback = "http://localhost/api/auth/google/callback"

Object.assign(process.env, {
  GOOGLE_ISSUER: server.issuer.url,
  GOOGLE_CLIENT_ID: "the client",
  GOOGLE_CLIENT_SECRET: "the secret of the client",
})
