/** Signs requests to S3. Bundled into dist/vendor/; `s3Files()` imports it with the first request. */
export { AwsV4Signer } from "aws4fetch"
