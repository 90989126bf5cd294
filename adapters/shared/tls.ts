/**
 * Checks a server's certificate and its private key before the server starts, because the error messages of OpenSSL
 * explain little.
 */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from "node:crypto"
import type { TLSOptions } from "../../lib/platform.ts"
import { startFault } from "./start-fault.ts"

/** The names of the certificate and of the key, for messages. */
interface Names {
  readonly cert: string
  readonly key: string
}

/** The beginning of an encrypted key, in PKCS #8 or in an older format. */
const encryptedKey = /^(?:-----BEGIN ENCRYPTED|Proc-Type:.*ENCRYPTED)/m

/**
 * Returns a key without its passphrase, because the runtimes take the passphrase in different ways, or not at all.
 *
 * @param names the names of the key and the passphrase in messages.
 * @throws FwError `tls` without a passphrase, and for a wrong one.
 */
export function decryptKey(key: string, passphrase: string, names: [key: string, passphrase: string]): string {
  if (!encryptedKey.test(key)) return key
  if (passphrase === "") throw startFault("tls.encrypted", names)
  try {
    return createPrivateKey({ key, passphrase }).export({ type: "pkcs8", format: "pem" }).toString()
  } catch {
    throw startFault("tls.passphrase", names)
  }
}

/** Checks that a key belongs to a certificate. @throws FwError `tls`. */
export function checkTLS({ cert, key }: TLSOptions, names: Names = { cert: "tls.cert", key: "tls.key" }): void {
  if (!cert || !key) throw startFault("tls", cert ? [names.cert, names.key] : [names.key, names.cert])
  const certificateKey = parseKey(() => new X509Certificate(cert).publicKey, names.cert, "certificate")
  if (encryptedKey.test(key)) throw startFault("tls.encrypted", [names.key])
  const publicKey = parseKey(() => createPublicKey(createPrivateKey(key)), names.key, "private key")
  if (!exportKeyBytes(certificateKey).equals(exportKeyBytes(publicKey)))
    throw startFault("tls.match", [names.cert, names.key])
}

function exportKeyBytes(key: KeyObject): Buffer {
  return key.export({ type: "spki", format: "der" })
}

/** Parses a certificate or a key. @throws FwError without the message of OpenSSL, which may quote the secret text. */
function parseKey(read: () => KeyObject, name: string, kind: "certificate" | "private key"): KeyObject {
  try {
    return read()
  } catch {
    throw startFault("tls.pem", [name, kind])
  }
}
