import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { setting } from "../../config/Setting.ts"

/** A bucket of an S3-compatible store, and a prefix in it. */
export interface ObjectLocation {
  /** Without a trailing slash; the bucket is the first part of the path. */
  readonly endpoint: string
  readonly bucket: string
  /** Empty, or ends with a slash. */
  readonly prefix: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: Redacted.Redacted
  /** Of temporary credentials; `null` for a key that does not expire. */
  readonly sessionToken: Redacted.Redacted | null
}

interface BucketPrefix {
  readonly bucket: string
  readonly prefix: string
}

/** Names that need no escaping in a URL. */
const BUCKET_URL = /^s3:\/\/([a-z\d][a-z\d.-]{1,61}[a-z\d])(?:\/([\w./-]{0,200}))?$/u

const withoutSlash = (text: string): string => (text.endsWith("/") ? text.slice(0, -1) : text)

const parseBucket = (text: string): Result.Result<BucketPrefix | null, string> => {
  if (text === "") return Result.succeed(null)
  const [, bucket, prefix = ""] = BUCKET_URL.exec(text) ?? []
  if (
    bucket === undefined ||
    prefix
      .split("/")
      .some((part, index, parts) => part === "." || part === ".." || (part === "" && index < parts.length - 1))
  )
    return Result.fail("give s3://BUCKET or s3://BUCKET/PREFIX")
  return Result.succeed({ bucket, prefix: prefix === "" ? "" : `${withoutSlash(prefix)}/` })
}

const parseEndpoint = (text: string): Result.Result<string | null, string> => {
  if (text === "") return Result.succeed(null)
  const url = URL.parse(text)
  return url !== null &&
    /^https?:$/u.test(url.protocol) &&
    url.search === "" &&
    url.hash === "" &&
    url.username === "" &&
    url.password === ""
    ? Result.succeed(withoutSlash(url.href))
    : Result.fail("give an http or https URL, such as https://s3.example.com")
}

const REGION = "AWS_REGION"

const parseRegion = (text: string): Result.Result<string, string> =>
  /^[a-z\d-]{1,40}$/u.test(text) ? Result.succeed(text) : Result.fail("give a region, such as eu-central-1")

const text = (name: string): Config.Config<string> => Config.withDefault(Config.String(name), "")

const KEY = "AWS_ACCESS_KEY_ID"
const SECRET = "AWS_SECRET_ACCESS_KEY"

/** `DOCGAUGE_OBJECT_STORE`, with endpoint and credentials under the names that AWS clients use; `null` if it is not set. */
export const objectLocation: Config.Config<ObjectLocation | null> = Config.mapEffect(
  Config.all({
    bucket: setting("DOCGAUGE_OBJECT_STORE", "", parseBucket),
    endpoint: setting("AWS_ENDPOINT_URL_S3", "", parseEndpoint),
    region: setting(REGION, "us-east-1", parseRegion),
    accessKeyId: text(KEY),
    secretAccessKey: text(SECRET),
    sessionToken: text("AWS_SESSION_TOKEN")
  }),
  ({ accessKeyId, bucket, endpoint, region, secretAccessKey, sessionToken }) => {
    if (bucket === null) return Config.succeed(null)
    const missing = accessKeyId === "" ? KEY : secretAccessKey === "" ? SECRET : null
    if (missing !== null) return Config.fail(new SourceError({ message: `${missing}: DOCGAUGE_OBJECT_STORE needs it` }))
    return Config.succeed({
      ...bucket,
      region,
      endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
      accessKeyId,
      secretAccessKey: Redacted.make(secretAccessKey),
      sessionToken: sessionToken === "" ? null : Redacted.make(sessionToken)
    })
  }
)
