import { crc32, inflateSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { pngOf } from "../../../server/images/Png.ts"

/** A PNG's chunks by name, each held against its check sum. */
const chunksOf = (png: Buffer): ReadonlyMap<string, Buffer> => {
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < png.length;) {
    const end = at + 8 + png.readUInt32BE(at)
    expect(png.readUInt32BE(end)).toBe(crc32(png.subarray(at + 4, end)))
    chunks.set(png.toString("latin1", at + 4, at + 8), png.subarray(at + 8, end))
    at = end + 4
  }
  return chunks
}

const PIXELS = { width: 3, height: 2, bytes: Uint8Array.from({ length: 24 }, (_, index) => index) }

describe("a PNG", () => {
  const png = Buffer.from(pngOf(PIXELS))

  it("begins as one, and has a head, a picture and an end, all sound", () => {
    expect(png.subarray(0, 8).toString("latin1")).toBe("\x89PNG\r\n\x1a\n")
    expect([...chunksOf(png).keys()]).toEqual(["IHDR", "IDAT", "IEND"])
  })

  it("says how large it is, and that it has four bytes a pixel", () => {
    expect(chunksOf(png).get("IHDR")?.toString("hex")).toBe("00000003000000020806000000")
  })

  it("has every row as it was, behind the zero that says so", () => {
    const rows = inflateSync(chunksOf(png).get("IDAT") ?? Buffer.alloc(0))
    expect([...rows]).toEqual([0, ...PIXELS.bytes.subarray(0, 12), 0, ...PIXELS.bytes.subarray(12)])
  })
})
