/** Signatures of requests to S3. Bundled into dist/vendor/; imported by `s3Files()` with the first request. */
export { AwsV4Signer } from "aws4fetch"
