/** An authenticator for tests, in which a test can replace every field of the answers by another value. */
import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto"

const base64url = (bytes: Uint8Array | string) => Buffer.from(bytes).toString("base64url")
const sha256 = (bytes: Uint8Array | string) => createHash("sha256").update(bytes).digest()

/** The parts of an answer. */
export interface Answer {
  readonly challenge: string
  readonly origin: string
  readonly rpID: string
  readonly type: string
  /** Bits of authenticator data (WebAuthn §6.1): user present, user verified, may be backed up, is backed up. */
  readonly flags: number
  readonly counter: number
  readonly userHandle: string
}

/** User present and verified. */
export const verified = 0x05
const hasKey = 0x40

const defaults = { origin: "http://localhost", rpID: "localhost", flags: verified, counter: 0 }

/** A passkey on a device. */
export class Authenticator {
  readonly id = randomBytes(16)
  readonly #keys: { readonly publicKey: KeyObject; readonly privateKey: KeyObject }
  userHandle = ""

  constructor() {
    this.#keys = generateKeyPairSync("ec", { namedCurve: "P-256" })
  }

  /** Returns the answer to options to create a passkey. */
  create(
    options: { readonly challenge: string; readonly user: { readonly id: string } },
    overrides: Partial<Answer> = {},
  ) {
    this.userHandle = options.user.id
    const data = { ...defaults, challenge: options.challenge, type: "webauthn.create", ...overrides }
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 16]), this.id, this.#coseKey()])
    const authData = Buffer.concat([header(data, hasKey), credential])
    const attestationObject = cborMap([
      ["fmt", cborText("none")],
      ["attStmt", cborMap([])],
      ["authData", cborBytes(authData)],
    ])
    return this.#json({
      clientDataJSON: clientData(data),
      attestationObject: base64url(attestationObject),
      transports: ["internal"],
    })
  }

  /** Returns the answer to options to sign in. */
  get(options: { readonly challenge: string }, overrides: Partial<Answer> = {}) {
    const { userHandle } = this
    const data = { ...defaults, challenge: options.challenge, type: "webauthn.get", userHandle, ...overrides }
    const clientDataJSON = clientData(data)
    const authData = header(data, 0)
    const signed = Buffer.concat([authData, sha256(Buffer.from(clientDataJSON, "base64url"))])
    return this.#json({
      clientDataJSON,
      authenticatorData: base64url(authData),
      signature: base64url(createSign("sha256").update(signed).sign(this.#keys.privateKey)),
      userHandle: data.userHandle,
    })
  }

  #json<Response>(response: Response) {
    const id = base64url(this.id)
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response }
  }

  /** The public key for ES256 in COSE (RFC 9053 §7.1.1). */
  #coseKey(): Buffer {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" })
    const [a5, es256] = [Buffer.from([0xa5]), Buffer.from([0x01, 0x02, 0x03, 0x26, 0x20, 0x01])]
    const coordinate = (name: number, text: string) =>
      Buffer.concat([Buffer.from([name]), cborBytes(Buffer.from(text, "base64url"))])
    return Buffer.concat([a5, es256, coordinate(0x21, x), coordinate(0x22, y)])
  }
}

function clientData({ type, challenge, origin }: Pick<Answer, "type" | "challenge" | "origin">): string {
  return base64url(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function header({ rpID, flags, counter }: Pick<Answer, "rpID" | "flags" | "counter">, more: number) {
  const rest = Buffer.alloc(5)
  rest[0] = flags | more
  rest.writeUInt32BE(counter, 1)
  return Buffer.concat([sha256(rpID), rest])
}

const cborText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])

function cborBytes(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x58, bytes.length]), bytes])
}

const cborMap = (entries: readonly (readonly [string, Buffer])[]) =>
  Buffer.concat([
    Buffer.from([0xa0 + entries.length]),
    ...entries.flatMap(([name, value]) => [cborText(name), value]),
  ])
