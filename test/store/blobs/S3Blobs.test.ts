import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { createHash } from "node:crypto"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { makeS3, type ObjectLocation, objectLocation, ObjectTimeout } from "../../../engine/store/blobs/S3Blobs.ts"
import type { BlobDigest, BlobStore } from "../../../engine/store/blobs/BlobStore.ts"
import { type ObjectFault, type S3Server, startS3 } from "./S3Server.ts"

let server: S3Server
beforeAll(async () => {
  server = await startS3()
})
afterEach(() => server.fault("none"))
afterAll(() => server.stop())

const CONTENT = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251)

/** How long a request may take: on a busy machine an answer takes long, too. */
let timeout: "20 seconds" | "500 millis" = "20 seconds"
afterEach(() => {
  timeout = "20 seconds"
})

const run = <A, E>(use: (objects: BlobStore) => Effect.Effect<A, E>, location: ObjectLocation = server.location) =>
  Effect.runPromise(
    Effect.flatMap(makeS3(location), use).pipe(Effect.result, Effect.provideService(ObjectTimeout, timeout))
  )

const put = (key: string) => (objects: BlobStore) => objects.put(key, CONTENT, DIGEST)

const readWhole = (key: string, digest: BlobDigest) => (objects: BlobStore) => objects.read(key, digest)

const DIGEST = { bytes: CONTENT.length, sha256: createHash("sha256").update(CONTENT).digest("hex") }

const messageOf = <A>(result: Result.Result<A, Error>): string =>
  Result.isFailure(result) ? result.failure.message : "it succeeded"

describe("an object in an S3 server", () => {
  it("is read as it was written, replaced, and gone after it is removed", async () => {
    expect(await run(put("some/object"))).toEqual(Result.succeed(undefined))
    await run(put("some/object"))
    expect(await run(readWhole("some/object", DIGEST))).toEqual(Result.succeed(Buffer.from(CONTENT)))
    expect(server.requests).toContain("PUT /archives/docgauge/some/object")
    const remove = (objects: BlobStore) => objects.remove("some/object")
    await run(remove)
    expect(await run(readWhole("some/object", DIGEST))).toEqual(Result.succeed(null))
    expect(Result.isSuccess(await run(remove))).toBe(true)
  })

  it.each<[ObjectFault, RegExp]>([
    ["answers_500", /answered 500/],
    ["hangs", /timeout/],
    ["refuses_expired_credentials", /^the object store answered 400 ExpiredToken$/],
    ["breaks_off_uploads", /./],
    ["changes_uploads", /stored other bytes/]
  ])("is not taken as stored if the line %s", async (fault, message) => {
    server.fault(fault)
    if (fault === "hangs") timeout = "500 millis"
    expect(messageOf(await run(put(`upload/${fault}`)))).toMatch(message)
    server.fault("none")
    timeout = "20 seconds"
    expect(await run(put(`upload/${fault}`))).toEqual(Result.succeed(undefined))
  })

  it.each<[ObjectFault, RegExp]>([
    ["answers_500", /answered 500/],
    ["hangs", /timeout/],
    ["refuses_expired_credentials", /answered 400 ExpiredToken/],
    ["answers_404_NoSuchBucket", /^the object store answered 404 NoSuchBucket$/],
    ["breaks_off_downloads", /./],
    ["changes_downloads", /other bytes/]
  ])("is never read as something else if the line %s", async (fault, message) => {
    await run(put("download"))
    server.fault(fault)
    if (fault === "hangs") timeout = "500 millis"
    expect(messageOf(await run(readWhole("download", DIGEST)))).toMatch(message)
  })

  it("is not taken as deleted if there is no such bucket", async () => {
    await run(put("kept"))
    const remove = (objects: BlobStore) => objects.remove("kept")
    server.fault("answers_404_NoSuchBucket")
    expect(messageOf(await run(remove))).toBe("the object store answered 404 NoSuchBucket")
    server.fault("none")
    expect(await run(readWhole("kept", DIGEST))).toEqual(Result.succeed(Buffer.from(CONTENT)))
  })

  it("is not read where another was expected", async () => {
    await run(put("download"))
    for (const digest of [
      { ...DIGEST, bytes: 299_999 },
      { ...DIGEST, bytes: 300_001 },
      { ...DIGEST, sha256: "0".repeat(64) }
    ]) {
      expect(messageOf(await run(readWhole("download", digest)))).toMatch(/other bytes/)
    }
  })

  it("is refused with a wrong secret, and the message names no secret", async () => {
    const message = messageOf(
      await run(put("refused"), { ...server.location, secretAccessKey: Redacted.make("another secret") })
    )
    expect(message).toBe("the object store answered 403 SignatureDoesNotMatch")
  })
})

describe("DOCGAUGE_OBJECT_STORE", () => {
  const parsed = (environment: Record<string, string>) =>
    Effect.runPromise(Effect.result(objectLocation.parse(ConfigProvider.fromEnvRecord(environment))))

  const KEYS = { AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" }

  it("is off by default, whatever credentials the environment has", async () => {
    expect(await parsed({})).toEqual(Result.succeed(null))
    expect(await parsed(KEYS)).toEqual(Result.succeed(null))
  })

  it.each([
    [
      { DOCGAUGE_OBJECT_STORE: "s3://docs" },
      { bucket: "docs", prefix: "", endpoint: "https://s3.us-east-1.amazonaws.com", sessionToken: null }
    ],
    [
      { DOCGAUGE_OBJECT_STORE: "s3://docs/a/b/", AWS_REGION: "eu-central-1" },
      { bucket: "docs", prefix: "a/b/", endpoint: "https://s3.eu-central-1.amazonaws.com" }
    ],
    [{ DOCGAUGE_OBJECT_STORE: "s3://docs", AWS_ENDPOINT_URL_S3: "http://s3:4568/" }, { endpoint: "http://s3:4568" }]
  ])("reads %j", async (environment, location) => {
    expect(await parsed({ ...KEYS, ...environment })).toMatchObject({ success: location })
  })

  it.each([
    [
      { ...KEYS, DOCGAUGE_OBJECT_STORE: "https://docs" },
      "DOCGAUGE_OBJECT_STORE: give s3://BUCKET or s3://BUCKET/PREFIX"
    ],
    [
      { ...KEYS, DOCGAUGE_OBJECT_STORE: "s3://docs/../other" },
      "DOCGAUGE_OBJECT_STORE: give s3://BUCKET or s3://BUCKET/PREFIX"
    ],
    [
      { ...KEYS, DOCGAUGE_OBJECT_STORE: "s3://docs", AWS_ENDPOINT_URL_S3: "s3.example.com" },
      "AWS_ENDPOINT_URL_S3: give an http or https URL, such as https://s3.example.com"
    ],
    [{ DOCGAUGE_OBJECT_STORE: "s3://docs" }, "AWS_ACCESS_KEY_ID: DOCGAUGE_OBJECT_STORE needs it"],
    [
      { DOCGAUGE_OBJECT_STORE: "s3://docs", AWS_ACCESS_KEY_ID: "id" },
      "AWS_SECRET_ACCESS_KEY: DOCGAUGE_OBJECT_STORE needs it"
    ]
  ])("refuses %j in one line that names the variable", async (environment, message) => {
    const result = await parsed(environment)
    expect(Result.isFailure(result) ? result.failure.cause.message : "").toBe(message)
  })
})
