import * as fc from "fast-check"
import {
  brotliCompressSync,
  constants,
  createGzip,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync
} from "node:zlib"
import { describe, expect, it } from "vitest"
import { readResponseBody } from "../../../engine/evidence/http/ContentCoding.ts"
import { HopFailure } from "../../../engine/evidence/http/HopFailure.ts"

type Compress = (body: Uint8Array) => Uint8Array

const CODINGS: ReadonlyArray<readonly [name: string, header: string, compress: Compress]> = [
  ["identity", "identity", (body) => body],
  ["gzip", "gzip", gzipSync],
  ["x-gzip in capitals", " X-GZIP ", gzipSync],
  ["gzip in two members", "gzip", (body) => Buffer.concat([gzipSync(body.subarray(0, 7)), gzipSync(body.subarray(7))])],
  ["deflate", "deflate", deflateSync],
  ["deflate without its frame", "deflate", deflateRawSync],
  ["br", "br", (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ["zstd", "zstd", zstdCompressSync],
  ["br in gzip", "br, gzip", (body) => gzipSync(brotliCompressSync(body))],
  ["a word that is no coding", "utf-8", (body) => body]
]

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array, void, undefined> {
  for (let offset = 0; offset < bytes.length; offset += size) yield bytes.subarray(offset, offset + size)
}

const read = (bytes: Uint8Array, coding: string | null, limit: number, size = 1_000) =>
  readResponseBody(inPieces(bytes, size), coding, limit)

/** Does not compress to next to nothing. */
const noise = (length: number): Uint8Array =>
  Uint8Array.from({ length }, (_, index) => (index * index * 2_654_435_761) >>> 13)

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => "no failure",
    (error: unknown) => (error instanceof HopFailure ? error.kind : error)
  )

describe.each(CODINGS)("%s", (_name, header, compress) => {
  const body = noise(50_000)

  it("comes out as it went in", async () => {
    const sent = compress(body)
    expect(await read(sent, header, 100_000)).toEqual({ body, cut: false, wireBytes: sent.length })
  })

  it("may be as long as the limit", async () => {
    expect(await read(compress(body.subarray(0, 30_000)), header, 40_000)).toMatchObject({ cut: false })
  })

  it("is cut at the limit, and its beginning kept", async () => {
    const cut = await read(compress(new Uint8Array(500_000).fill(65)), header, 10_000)
    expect(cut.cut).toBe(true)
    expect(cut.body).toEqual(new Uint8Array(10_000).fill(65))
  })

  it("gives the same however it arrives", async () => {
    const sent = compress(noise(200_000))
    const whole = await read(sent, header, 70_000, sent.length)
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40_000 }), async (size) => {
        expect(await read(sent, header, 70_000, size)).toEqual(whole)
      }),
      { numRuns: 8, examples: [[16_384], [16_383], [1_460]] }
    )
  })

  it("may be empty", async () => {
    expect(await read(new Uint8Array(0), header, 1_000)).toEqual({ body: new Uint8Array(0), cut: false, wireBytes: 0 })
    expect(await read(compress(new Uint8Array(0)), header, 1_000)).toMatchObject({
      body: new Uint8Array(0),
      cut: false
    })
  })
})

describe("a frame that browsers forgive", () => {
  const body = noise(50_000)
  const gzip = gzipSync(body)
  const ANY_SIZES = [1, 7, 1_460, 16_384, 100_000]

  it.each<readonly [string, string, Uint8Array]>([
    ["gzip without its trailer", "gzip", gzip.subarray(0, -8)],
    ["gzip with half of its trailer", "gzip", gzip.subarray(0, -3)],
    ["gzip before bytes of another kind", "gzip", Buffer.concat([gzip, Buffer.from("<!-- cached -->")])],
    ["gzip before zeros", "gzip", Buffer.concat([gzip, Buffer.alloc(40_000)])],
    ["gzip before a member that is cut", "gzip", Buffer.concat([gzip, gzipSync("more").subarray(0, 11)])],
    ["deflate without its checksum", "deflate", deflateSync(body).subarray(0, -4)],
    ["deflate before other bytes", "deflate", Buffer.concat([deflateSync(body), Buffer.from("more")])]
  ])("%s", async (_, header, sent) => {
    for (const size of ANY_SIZES) expect((await read(sent, header, 200_000, size)).body).toEqual(body)
  })

  it("has a name, a comment, an extra field and a checksum of its own", async () => {
    const fields = Buffer.from([0x1f, 0x8b, 8, 0x1e, 0, 0, 0, 0, 0, 3, 2, 0, 1, 2, 0x61, 0, 0x62, 0, 9, 9])
    expect((await read(Buffer.concat([fields, gzip.subarray(10)]), "gzip", 200_000)).body).toEqual(body)
  })
})

describe("a body that is not what its coding says", () => {
  it.each(["gzip", "deflate", "br", "zstd"])("%s", async (coding) => {
    expect(await failureOf(read(new TextEncoder().encode("<!doctype html><title>plain</title>"), coding, 1_000))).toBe(
      "malformed"
    )
  })

  it.each(CODINGS.filter(([name]) => ["gzip", "deflate", "br", "zstd"].includes(name)))(
    "%s, truncated",
    async (_name, header, compress) => {
      const sent = compress(noise(50_000))
      expect(await failureOf(read(sent.subarray(0, sent.length - 20), header, 100_000))).toBe("malformed")
    }
  )

  it.each(["constructor", "__proto__", "identity, toString"])(
    "is read as it is where the header says %s, which is no coding",
    async (header) => {
      expect(await read(new TextEncoder().encode("plain"), header, 1_000)).toMatchObject({
        body: new TextEncoder().encode("plain"),
        cut: false
      })
    }
  )

  it("compressed three times over", async () => {
    expect(await failureOf(read(new Uint8Array(10), "gzip, gzip, gzip", 1_000))).toBe("malformed")
  })

  it("never ends in anything but a failure that tells it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 300 }),
        fc.constantFrom("gzip", "deflate", "br", "zstd", "br, gzip"),
        async (bytes, coding) => {
          expect(["malformed", "no failure"]).toContain(await failureOf(read(bytes, coding, 1_000)))
        }
      )
    )
  })
})

describe("a bomb", () => {
  const MB = 1024 * 1024

  const gzipped = async (megabytes: number): Promise<Uint8Array> => {
    const stream = createGzip({ level: 9 })
    const zeros = Buffer.alloc(MB)
    const pieces: Array<Uint8Array> = []
    stream.on("data", (piece: Uint8Array) => pieces.push(piece))
    for (let count = 0; count < megabytes; count++)
      await new Promise((resolve) => {
        stream.write(zeros, resolve)
      })
    await new Promise((resolve) => {
      stream.end(resolve)
    })
    return Buffer.concat(pieces)
  }

  it.each([
    ["gzip", "gzip", () => gzipped(64)],
    ["gzip in gzip", "gzip, gzip", async () => gzipSync(await gzipped(64))],
    ["deflate", "deflate", async () => deflateSync(Buffer.alloc(64 * MB))],
    [
      "br",
      "br",
      async () => brotliCompressSync(Buffer.alloc(64 * MB), { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })
    ],
    ["zstd", "zstd", async () => zstdCompressSync(Buffer.alloc(64 * MB))]
  ])("of %s is cut without ever being held", async (_name, coding, make) => {
    const bomb = await make()
    const before = process.memoryUsage()
    const { body, cut } = await read(bomb, coding, MB)
    const after = process.memoryUsage()
    expect([cut, body.length]).toEqual([true, MB])
    expect(after.arrayBuffers + after.external - before.arrayBuffers - before.external).toBeLessThan(40 * MB)
  })

  it("of zstd that asks for a huge window is refused", async () => {
    const wide = zstdCompressSync(noise(100_000), {
      params: { [constants.ZSTD_c_windowLog]: 27, [constants.ZSTD_c_contentSizeFlag]: 0 }
    })
    const frame = Buffer.from(wide)
    // The window descriptor follows the magic number and the frame header: exponent 27, which is 128 MB.
    expect(frame.readUInt32LE(0)).toBe(0xfd2fb528)
    frame[4] = (frame[4] ?? 0) & ~0x20
    frame[5] = (27 - 10) << 3
    expect(await failureOf(read(frame, "zstd", 1_000_000))).toBe("malformed")
  })
})

describe("the wire", () => {
  it("is read no further than needed", async () => {
    let pulled = 0
    async function* endless(): AsyncGenerator<Uint8Array, void, undefined> {
      for (;;) {
        pulled += 1
        yield new Uint8Array(1_000)
      }
    }
    expect(await readResponseBody(endless(), null, 50_000)).toMatchObject({ cut: true, wireBytes: 50_000 })
    expect(pulled).toBe(51)
  })

  it("fails as itself, not as a coding", async () => {
    async function* failing(): AsyncGenerator<Uint8Array, void, undefined> {
      yield gzipSync("start")
      throw new Error("the wire broke")
    }
    expect(await failureOf(readResponseBody(failing(), "gzip", 1_000))).toMatchObject({ message: "the wire broke" })
  })
})
