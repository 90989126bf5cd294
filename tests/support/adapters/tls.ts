/** A certificate for localhost and its key, which only the tests use. */
import type { TLSOptions } from "../../../lib/platform.ts"

/** The certificate is valid for a hundred years. */
export const tls: TLSOptions = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBnDCCAUGgAwIBAgIUNPdhAmKZiYdZALD2HCl/HWzi48wwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMTE0MzI0N1oYDzIxMjYxMDI4
MTQzMjQ3WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAATrpCndeLzvqvvfIvVGwkrCBckbI81C6D1/6DBzwf8vHkk4XBiv5Qdk
hXKeZCm5TC+4oraszQi31Y6sSE2hx/rxo28wbTAdBgNVHQ4EFgQUSnQxY85dip7E
FCNYwix+la3qDJowHwYDVR0jBBgwFoAUSnQxY85dip7EFCNYwix+la3qDJowDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDSQAwRgIhALqHqonJL1ShICF/Btbrup8vpY/0sDPlIUzTW8AUScRQAiEA
5lRaFDDe3viDC7cnJWkcopiB88+suZbe4FasUeenEZc=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCpQqRelSZRKl/p3n
BQbpqEqZg3QWdzJ4uPhLtZz1ZLmhRANCAATrpCndeLzvqvvfIvVGwkrCBckbI81C
6D1/6DBzwf8vHkk4XBiv5QdkhXKeZCm5TC+4oraszQi31Y6sSE2hx/rx
-----END PRIVATE KEY-----
`,
}
