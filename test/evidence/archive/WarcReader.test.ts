import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { warcRecords, type WarcLimits } from "../../../engine/evidence/archive/WarcReader.ts"

const LIMITS: WarcLimits = { totalBytes: 10_000, records: 10, blockBytes: 100 }

const record = (block: string, headers = ""): string =>
  `WARC/1.1\r\nWARC-Type: response\r\n${headers}Content-Length: ${block.length}\r\n\r\n${block}\r\n\r\n`

const read = async (bytes: Uint8Array, limits: Partial<WarcLimits> = {}, size = 7) => {
  const pieces = (async function* () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  })()
  const records: Array<readonly [block: string, cut: boolean]> = []
  for await (const { block, cut } of warcRecords(pieces, { ...LIMITS, ...limits }))
    records.push([Buffer.from(block).toString(), cut])
  return records
}

describe("the records of an archive", () => {
  it.each([
    ["plain", (text: string) => Buffer.from(text)],
    ["gzipped as one", (text: string) => gzipSync(text)],
    ["gzipped one by one", (text: string) => Buffer.concat(text.split(/(?=WARC\/)/).map((each) => gzipSync(each)))]
  ])("are read in any pieces: %s", async (_, pack) => {
    expect(await read(pack(record("one") + record("two\n\nlines")))).toEqual([
      ["one", false],
      ["two\n\nlines", false]
    ])
  })

  it("are cut where their content is longer than what is kept", async () => {
    expect(await read(Buffer.from(record("1234567890") + record("next")), { blockBytes: 4 })).toEqual([
      ["1234", true],
      ["next", false]
    ])
  })

  it("have their headers by name in lower case, repeated ones too", async () => {
    const [first] = await Array.fromAsync(
      warcRecords(
        (async function* () {
          yield await Promise.resolve(Buffer.from(record("x", "WARC-Protocol: h2\r\nwarc-protocol: tls/1.3\r\n")))
        })(),
        LIMITS
      )
    )
    expect(first?.headers.get("warc-protocol")).toEqual(["h2", "tls/1.3"])
  })

  it("are none in an empty file", async () => expect(await read(new Uint8Array())).toEqual([]))
})

describe("an archive is refused that", () => {
  it.each([
    ["is none", Buffer.from("<!doctype html>"), {}, "malformed"],
    ["ends in the middle of a record", Buffer.from(record("1234567890")).subarray(0, -8), {}, "malformed"],
    ["does not say how long a record is", Buffer.from("WARC/1.1\r\nWARC-Type: response\r\n\r\n"), {}, "malformed"],
    ["has a header without a value", Buffer.from("WARC/1.1\r\nnonsense\r\n\r\n"), {}, "malformed"],
    [
      "has headers without end",
      Buffer.from(`WARC/1.1\r\nX: ${"x".repeat(70_000)}`),
      { totalBytes: 1_000_000 },
      "malformed"
    ],
    [
      "is compressed wrongly",
      Buffer.concat([gzipSync(record("one")).subarray(0, 20), Buffer.alloc(20)]),
      {},
      "malformed"
    ],
    ["inflates to more than the limit", gzipSync(record("x".repeat(20_000))), {}, "too_large"],
    ["has more records than the limit", Buffer.from(record("x").repeat(11)), {}, "too_large"]
  ] as const)("%s", async (_, bytes, limits, reason) => {
    await expect(read(bytes, limits, 1_000)).rejects.toMatchObject({ reason })
  })
})
