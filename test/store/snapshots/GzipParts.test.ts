import * as fc from "fast-check"
import { createHash } from "node:crypto"
import { gunzipSync } from "node:zlib"
import { expect, it } from "vitest"
import { GZIP_HEAD, gzipTail, GzipWriter, partContent } from "../../../engine/store/snapshots/GzipParts.ts"

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex")

it("parts with head and tail are one gzip file, each can be decompressed alone, and the totals are those of the bytes", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: "grapheme", maxLength: 2_000 }), { maxLength: 8 }), async (texts) => {
      const writer = new GzipWriter()
      const parts: Array<Uint8Array> = []
      for (const [index, text] of texts.entries()) {
        const { content, number } = await writer.part(text)
        expect(number).toBe(index)
        parts.push(content)
      }
      const totals = writer.end()
      const [plain, file] = [Buffer.from(texts.join("")), Buffer.concat([GZIP_HEAD, ...parts, gzipTail(totals)])]
      expect(gunzipSync(file)).toEqual(plain)
      expect(await Promise.all(parts.map(async (part) => Buffer.from(await partContent(part)).toString()))).toEqual(
        texts.map((text) => Buffer.from(text).toString())
      )
      expect(totals).toMatchObject({
        parts: texts.length,
        bytes: plain.length,
        sha256: sha256(plain),
        gzipBytes: file.length,
        gzipSha256: sha256(file)
      })
    }),
    { numRuns: 50 }
  )
})
