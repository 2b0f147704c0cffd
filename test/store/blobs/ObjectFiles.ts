import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** What an S3 server answers about an object. */
export interface ObjectAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

export const refusal = (status: number, code: string): ObjectAnswer => ({
  status,
  headers: { "content-type": "application/xml" },
  body: Buffer.from(`<Error><Code>${code}</Code></Error>`)
})

/** The end of the files that hold objects, as s3rver names them: saved databases of released versions have such. */
const CONTENT = "._S3rver_object"

const etagOf = (body: Uint8Array): string => `"${createHash("md5").update(body).digest("hex")}"`

/**
 * The objects of one bucket in a folder, a file for each, and what S3 answers about them: the three requests that docgauge sends and no more.
 * test/long/S3rver.test.ts sends the same to an S3 server of others.
 */
export class ObjectFiles {
  readonly #folder: string
  readonly #bucket: string

  constructor(folder: string, bucket: string) {
    this.#folder = join(folder, bucket)
    this.#bucket = bucket
    mkdirSync(this.#folder, { recursive: true })
  }

  /** `path` begins with the bucket. */
  answer(method: string, path: string, body: Uint8Array): ObjectAnswer {
    const [, bucket, ...parts] = path.split("/").map(decodeURIComponent)
    if (bucket !== this.#bucket) return refusal(404, "NoSuchBucket")
    const file = join(this.#folder, ...parts) + CONTENT
    if (method === "PUT") return this.#put(file, body)
    if (method === "GET") return this.#get(file)
    if (method !== "DELETE") return refusal(405, "MethodNotAllowed")
    rmSync(file, { force: true })
    return { status: 204, headers: {}, body: new Uint8Array() }
  }

  /** It does not check `Content-MD5`, so that what compares the ETag with it has something to find. */
  #put(file: string, body: Uint8Array): ObjectAnswer {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, body)
    return { status: 200, headers: { etag: etagOf(body) }, body: new Uint8Array() }
  }

  #get(file: string): ObjectAnswer {
    try {
      const body = readFileSync(file)
      return { status: 200, headers: { etag: etagOf(body) }, body }
    } catch {
      return refusal(404, "NoSuchKey")
    }
  }

  keys(): ReadonlyArray<string> {
    return readdirSync(this.#folder, { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(CONTENT))
      .map((name) => name.slice(0, -CONTENT.length))
  }
}
