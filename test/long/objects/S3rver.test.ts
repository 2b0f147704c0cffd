import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { createHash } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import S3rver from "s3rver"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeS3, type ObjectLocation } from "../../../engine/store/blobs/S3Blobs.ts"
import type { BlobStore } from "../../../engine/store/blobs/BlobStore.ts"

/*
 * An S3 server of others. The other tests have one of our own (test/store/blobs/S3Server.ts), which checks signatures, as s3rver does not.
 */

const folder = mkdtempSync(join(tmpdir(), "docgauge-s3rver-"))
const server = new S3rver({
  port: 0,
  address: "127.0.0.1",
  silent: true,
  directory: folder,
  configureBuckets: [{ name: "archives", configs: [] }]
})
let port = 0

beforeAll(async () => {
  ;({ port } = await server.run())
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const run = <A, E>(use: (objects: BlobStore) => Effect.Effect<A, E>, bucket = "archives"): Promise<A> => {
  const location: ObjectLocation = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    prefix: "docgauge/",
    region: "us-east-1",
    accessKeyId: "S3RVER",
    secretAccessKey: Redacted.make("S3RVER"),
    sessionToken: null
  }
  return Effect.runPromise(Effect.flatMap(makeS3(location), use))
}

const CONTENT = Uint8Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251)
const DIGEST = { bytes: CONTENT.length, sha256: createHash("sha256").update(CONTENT).digest("hex") }

const put = (objects: BlobStore) => objects.put("some/object.gz", CONTENT, DIGEST)
const read = (objects: BlobStore) => objects.read("some/object.gz", DIGEST)
const remove = (objects: BlobStore) => objects.remove("some/object.gz")

describe("an object in s3rver", () => {
  it("is read as it was written, replaced, and gone after it is removed", async () => {
    await run(put)
    await run(put)
    expect(await run(read)).toEqual(Buffer.from(CONTENT))
    await run(remove)
    expect(await run(read)).toBeNull()
    await run(remove)
  })

  it("is not taken as missing if there is no such bucket", async () => {
    await expect(run(read, "others")).rejects.toThrow("the object store answered 404 NoSuchBucket")
    await expect(run(put, "others")).rejects.toThrow("the object store answered 404 NoSuchBucket")
  })
})
