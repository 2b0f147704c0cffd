import { AwsClient } from "aws4fetch"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHash } from "node:crypto"
import * as Metric from "effect/Metric"
import { sha256 } from "../../evidence/LargeBytes.ts"
import { rootMessage, StoreUnavailable } from "../database/StoreUnavailable.ts"
import type { BlobDigest, BlobStore } from "./BlobStore.ts"
import * as Config from "effect/Config"
import { SourceError } from "effect/ConfigProvider"
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

/** How long one request may take, with its body: an object has at most 10 MB. */
export const ObjectTimeout = Context.Reference<Duration.Input>("docgauge/store/ObjectTimeout", {
  defaultValue: () => "60 seconds"
})

/** Objects below the prefix of a bucket, whose name is the first part of the path: every S3-compatible store takes that. */
export const makeS3 = (location: ObjectLocation): Effect.Effect<BlobStore> =>
  Effect.map(ObjectTimeout, (timeout) => {
    const { accessKeyId, bucket, endpoint, prefix, region, secretAccessKey, sessionToken } = location
    const client = new AwsClient({
      accessKeyId,
      secretAccessKey: Redacted.value(secretAccessKey),
      ...(sessionToken === null ? {} : { sessionToken: Redacted.value(sessionToken) }),
      region,
      service: "s3"
    })

    /** Signs and sends a request. `signal` ends its body, too. */
    const send = async (
      method: string,
      key: string,
      signal: AbortSignal,
      content: { readonly headers?: Readonly<Record<string, string>>; readonly body?: Uint8Array<ArrayBuffer> } = {}
    ): Promise<Response> => {
      const signed = await client.sign(`${endpoint}/${bucket}/${prefix}${key}`, { method, ...content })
      return fetch(signed.url, { ...content, method, headers: signed.headers, redirect: "error", signal }).catch(
        (error: unknown) => {
          throw new Error(`the object store did not answer: ${rootMessage(error)}`)
        }
      )
    }

    const attempt = <A>(
      operation: ObjectOperation,
      run: (signal: AbortSignal) => Promise<A>
    ): Effect.Effect<A, StoreUnavailable> =>
      Effect.tryPromise({
        try: (signal) => run(AbortSignal.any([signal, AbortSignal.timeout(Duration.toMillis(timeout))])),
        catch: (cause) => new StoreUnavailable({ cause })
      }).pipe(
        Effect.tapError(() => countObjectRequest(operation, "failure")),
        Effect.tap(() => countObjectRequest(operation, "success"))
      )

    return {
      put: (key, content, digest) =>
        attempt("put", async (signal) => {
          const md5 = createHash("md5").update(content).digest()
          // The store checks both digests, and refuses what was changed on its way.
          const headers = { "content-md5": md5.toString("base64"), "x-amz-content-sha256": digest.sha256 }
          const response = await send("PUT", key, signal, { headers, body: new Uint8Array(content) })
          if (!response.ok) throw (await refusalOf(response)).error
          await response.body?.cancel()
          const etag = plainTag(response)
          if (etag !== null && etag !== md5.toString("hex"))
            throw new Error("the object store stored other bytes than it was sent")
        }),

      read: (key, digest) =>
        attempt("get", async (signal) => {
          const response = await send("GET", key, signal)
          if (!(await isFound(response))) return null
          if (response.body === null) throw new Error("the object store sent no body")
          return wholeOf(response.body, digest)
        }),

      remove: (key) =>
        attempt("delete", async (signal) => {
          const response = await send("DELETE", key, signal)
          if (await isFound(response)) await response.body?.cancel()
        })
    }
  })

/** Longest part of an error's body that is read, in characters. */
const LONGEST_ERROR = 2_000

/** Status and code of a refusal, which S3 sends as XML. */
const refusalOf = async (response: Response) => {
  const text = (await response.text().catch(() => "unreadable")).slice(0, LONGEST_ERROR)
  const code = /<Code>(\w{1,60})<\/Code>/u.exec(text)?.[1]
  return {
    code,
    isEmpty: text === "",
    error: new Error(`the object store answered ${response.status}${code === undefined ? "" : ` ${code}`}`)
  }
}

/** False if there is no such object. S3 also answers 404 if there is no such bucket, which is a failure like every other. */
const isFound = async (response: Response): Promise<boolean> => {
  if (response.ok) return true
  const { code, error, isEmpty } = await refusalOf(response)
  if (response.status === 404 && (code === "NoSuchKey" || isEmpty)) return false
  throw error
}

/** The ETag where it is the MD5 of the object: it is not with keys of a key service or of the customer. */
const plainTag = ({ headers }: Response): string | null => {
  const isKeyed =
    headers.get("x-amz-server-side-encryption")?.startsWith("aws:") === true ||
    headers.has("x-amz-server-side-encryption-customer-algorithm")
  return isKeyed ? null : (/^"([\da-f]{32})"$/u.exec(headers.get("etag") ?? "")?.[1] ?? null)
}

/** The bytes of a body; throws if they turn out to be others than expected. */
const wholeOf = async (body: AsyncIterable<Uint8Array>, digest: BlobDigest): Promise<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  let length = 0
  for await (const piece of body) {
    length += piece.length
    if (length > digest.bytes) break
    pieces.push(piece)
  }
  const content = Buffer.concat(pieces)
  if (length !== digest.bytes || (await sha256(content)) !== digest.sha256)
    throw new Error("the object store sent other bytes than were stored")
  return content
}

type ObjectOperation = "put" | "get" | "delete"

type ObjectOutcome = "success" | "failure"

const OPERATIONS = ["put", "get", "delete"] as const satisfies ReadonlyArray<ObjectOperation>

const requests = Metric.counter("docgauge_object_requests_total", {
  description: "Requests to the object store, by operation and outcome.",
  incremental: true
})

const waiting = Metric.gauge("docgauge_object_backlog", {
  description: "Archives in the local folder that are not yet in the object store."
})

const ofRequest = (operation: ObjectOperation, outcome: ObjectOutcome) =>
  Metric.withAttributes(requests, { operation, outcome })

const countObjectRequest = (operation: ObjectOperation, outcome: ObjectOutcome): Effect.Effect<void> =>
  Metric.update(ofRequest(operation, outcome), 1)

export const noteBacklog = (count: number): Effect.Effect<void> => Metric.update(waiting, count)

/** Registers all series at zero, before anything has been counted. */
export const announceObjectMetrics: Effect.Effect<void> = Effect.forEach(
  OPERATIONS.flatMap((operation) => (["success", "failure"] as const).map((outcome) => ofRequest(operation, outcome))),
  (series) => Metric.update(series, 0),
  { discard: true }
)
