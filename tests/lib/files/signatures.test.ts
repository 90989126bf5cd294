/** Tests of S3 signatures with the test suite of AWS and the examples in its documentation. */
import { createHmac } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { test } from "uvu"
import * as assert from "uvu/assert"
import { s3Files } from "../../../lib/files/s3.ts"
import { S3Client, type S3FilesOptions, type S3Request } from "../../../lib/files/s3-client.ts"
import { AwsV4Signer } from "../../../vendor/aws4fetch.ts"
import { catchFailure } from "../../support/files/contract.ts"
import { root } from "../../support/tsc.ts"

interface SuiteCase {
  readonly name: string
  readonly request: string
  readonly authorization: string
}

const file = join(root, "tests/fixtures/signatures/aws4-suite.json")
for (const { name, request, authorization } of JSON.parse(readFileSync(file, "utf8")) as readonly SuiteCase[])
  test(`the signature of ${name} is that of AWS`, async () => {
    const [head = "", body = ""] = request.split(/\n\n/, 2)
    const [first = "", ...lines] = head.replace(/\n +/g, "\n\t").split(/\n(?!\t)/)
    const [, method = "", target = ""] = /^(\S+) (.*) HTTP\/1\.1$/.exec(first) ?? []
    const headers = new Headers()
    for (const line of lines) {
      const [, field = "", value = ""] = /^([^:]+):(.*)$/s.exec(line) ?? []
      // To sign several values, they are joined with a comma without a space.
      const values = [headers.get(field), value.trim().split(/\n\s*/).join(",")]
      headers.set(field, values.filter((one) => one !== null).join(","))
    }
    const signer = new AwsV4Signer({
      ...{ method, url: `https://example.amazonaws.com${target}`, headers, body },
      ...{
        accessKeyId: "AKIDEXAMPLE",
        secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
        service: "service",
      },
      ...{ sessionToken: headers.get("x-amz-security-token") ?? "", datetime: "20150830T123600Z" },
      ...{ allHeaders: true, singleEncode: true },
    })
    assert.is(await signer.authHeader(), authorization)
  })

/** The keys of the examples, which give access to nothing. */
const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
}
const example: S3FilesOptions = {
  bucket: "examplebucket",
  endpoint: "https://examplebucket.s3.amazonaws.com",
  region: "us-east-1",
  credentials,
}

/** Runs a function at a given time. */
async function runAt<Result>(time: string, body: () => Promise<Result>): Promise<Result> {
  const RealDate = Date
  const now = RealDate.parse(time)
  globalThis.Date = class extends RealDate {
    constructor(...given: readonly unknown[]) {
      super(...((given.length > 0 ? given : [now]) as [number]))
    }
    static override now = () => now
  } as DateConstructor
  try {
    return await body()
  } finally {
    globalThis.Date = RealDate
  }
}

// See "Authenticating Requests: Using Query Parameters" in the Amazon S3 API Reference.
test("url() is the documented presigned URL", async () => {
  const url = await runAt("2013-05-24T00:00:00Z", () => s3Files(example).url("test.txt", { expires: 86_400 }))
  assert.is(url.split("?")[0], "https://examplebucket.s3.amazonaws.com/test.txt")
  assert.equal(Object.fromEntries(new URL(url).searchParams), {
    "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
    "X-Amz-Credential": "AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request",
    "X-Amz-Date": "20130524T000000Z",
    "X-Amz-Expires": "86400",
    "X-Amz-SignedHeaders": "host",
    "X-Amz-Signature": "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404",
  })
})

// See "Authenticating Requests: Using the Authorization Header". Its example that signs Range is left out.
const empty = { "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" }
const requests: readonly (readonly [what: string, request: S3Request, signature: string])[] = [
  [
    "a file that is stored",
    {
      ...{ method: "PUT", name: "test$file.text" },
      headers: {
        date: "Fri, 24 May 2013 00:00:00 GMT",
        "x-amz-content-sha256": "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
        "x-amz-storage-class": "REDUCED_REDUNDANCY",
      },
    },
    "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  ],
  [
    "a list",
    { method: "GET", query: { "max-keys": "2", prefix: "J" }, headers: empty },
    "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  ],
]
for (const [what, request, signature] of requests)
  test(`the signature of ${what} is the documented one`, async () => {
    const signer = await runAt("2013-05-24T00:00:00Z", () => new S3Client(example).createSigner(request))
    assert.is(await signer.signature(), signature)
  })

// See "Example: Browser-Based Upload using HTTP POST (Using AWS Signature Version 4)".
test("the signature of a policy is the documented one", async () => {
  const policy = [
    '{ "expiration": "2015-12-30T12:00:00.000Z",',
    '  "conditions": [',
    '    {"bucket": "sigv4examplebucket"},',
    '    ["starts-with", "$key", "user/user1/"],',
    '    {"acl": "public-read"},',
    '    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},',
    '    ["starts-with", "$Content-Type", "image/"],',
    '    {"x-amz-meta-uuid": "14365123651274"},',
    '    {"x-amz-server-side-encryption": "AES256"},',
    '    ["starts-with", "$x-amz-meta-tag", ""],',
    "",
    '    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},',
    '    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},',
    '    {"x-amz-date": "20151229T000000Z" }',
    "  ]",
    "}",
  ].join("\r\n")
  const signer = await runAt("2015-12-29T00:00:00Z", () => new S3Client(example).createSigner({ method: "POST" }))
  signer.stringToSign = async () => btoa(policy)
  assert.is(await signer.signature(), "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e")
})

test("form() returns a signed policy for one name, type and size", async () => {
  const sessionToken = "token"
  const files = s3Files({ ...example, credentials: async () => ({ ...credentials, sessionToken }) })
  const given = { maxSize: 1000, expires: 60, redirect: "https://shop.example/done" }
  const { url, fields } = await runAt("2026-11-29T10:00:00Z", () => files.form("ä b/1.png", given))
  assert.is(url, "https://examplebucket.s3.amazonaws.com")
  const { policy = "", "x-amz-signature": signature, ...signed } = fields
  assert.equal(signed, {
    key: "ä b/1.png",
    "Content-Type": "image/png",
    success_action_redirect: "https://shop.example/done",
    "x-amz-algorithm": "AWS4-HMAC-SHA256",
    "x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20261129/us-east-1/s3/aws4_request",
    "x-amz-date": "20261129T100000Z",
    "x-amz-security-token": "token",
  })
  const exact = Object.entries({ bucket: "examplebucket", ...signed }).map(([key, value]) => ({ [key]: value }))
  assert.equal(JSON.parse(atob(policy)), {
    expiration: "2026-11-29T10:01:00.000Z",
    conditions: [...exact, ["content-length-range", 0, 1000]],
  })
  const key = ["20261129", "us-east-1", "s3", "aws4_request"].reduce<string | Buffer>(
    (secret, text) => createHmac("sha256", secret).update(text).digest(),
    `AWS4${credentials.secretAccessKey}`,
  )
  assert.is(signature, createHmac("sha256", key).update(policy).digest("hex"))
})

for (const [endpoint, url] of [
  [undefined, "https://s3.us-east-1.amazonaws.com/examplebucket"],
  ["http://127.0.0.1:9000", "http://127.0.0.1:9000/examplebucket"],
  ["https://files.example/s3/", "https://files.example/s3/examplebucket"],
  ["https://examplebucket.files.example/", "https://examplebucket.files.example"],
] as const)
  test(`with the endpoint ${endpoint}, the URL of the bucket is ${url}`, () => {
    const { endpoint: _, ...others } = example
    assert.is(new S3Client({ ...others, ...(endpoint && { endpoint }) }).url, url)
  })

for (const [what, options] of Object.entries<Partial<S3FilesOptions>>({
  "no bucket": { bucket: undefined as never },
  "a bucket with a slash": { bucket: "a/b" },
  "an endpoint without a scheme": { endpoint: "s3.amazonaws.com" },
  "an endpoint with a password": { endpoint: "https://key:secret@s3.amazonaws.com" },
  "a timeout of 0": { timeout: 0 },
  "an unknown option": { secret: "x" } as never,
}))
  test(`${what} is an error when s3Files() is called, and shows no secret`, async () => {
    assert.is(await catchFailure(() => s3Files({ ...example, ...options })), "files")
    try {
      s3Files({ ...example, ...options })
    } catch (error) {
      assert.not.match(String(error), "secret@")
    }
  })

test("without credentials, the error names the variables that are read", async () => {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env
  delete process.env.AWS_ACCESS_KEY_ID
  const files = s3Files({ bucket: "examplebucket" })
  try {
    await files.head("a")
    assert.unreachable()
  } catch (error) {
    assert.match((error as { fix: string }).fix, "AWS_ACCESS_KEY_ID")
  }
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: credentials.accessKeyId, AWS_SECRET_ACCESS_KEY: "x" })
  assert.match(await files.url("a"), "AKIAIOSFODNN7EXAMPLE")
  for (const [name, value] of Object.entries({ AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY })) {
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  }
})

test.run()
