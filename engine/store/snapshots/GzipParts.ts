import { createHash, type Hash } from "node:crypto"
import { promisify } from "node:util"
import { constants, crc32, deflateRaw, inflateRaw } from "node:zlib"

/*
 * One gzip file (RFC 1952) in parts that are each compressed on their own: a part ends with a full flush, so that the next one begins at a byte
 * and refers to nothing before. So the file is its head, the parts and its tail, and any part can be decompressed without the others.
 */

const toDeflate = promisify(deflateRaw)
const toInflate = promisify(inflateRaw)

/** Deflate, no name, no time, no system. */
export const GZIP_HEAD: Uint8Array = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff)

/** An empty last block, then checksum and length of what is compressed. */
export const gzipTail = ({ bytes, crc32 }: Pick<GzipTotals, "bytes" | "crc32">): Uint8Array => {
  const tail = Buffer.from([3, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  tail.writeUInt32LE(crc32, 2)
  tail.writeUInt32LE(bytes % 2 ** 32, 6)
  return tail
}

/** Decompresses one part. */
export const partContent = (part: Uint8Array): Promise<Uint8Array> =>
  toInflate(part, { finishFlush: constants.Z_SYNC_FLUSH })

/** Lengths in bytes and SHA-256, hexadecimal, of the file as it was before and after compression. */
export interface GzipTotals {
  readonly parts: number
  readonly bytes: number
  readonly sha256: string
  readonly gzipBytes: number
  readonly gzipSha256: string
  /** Of the content before compression. */
  readonly crc32: number
}

/** Compresses a file part by part, in order, and adds up its totals. */
export class GzipWriter {
  private parts = 0
  private bytes = 0
  private crc32 = 0
  private gzipBytes = 0
  private readonly hash: Hash = createHash("sha256")
  private readonly gzipHash: Hash = createHash("sha256")

  constructor() {
    this.count(GZIP_HEAD)
  }

  /** The next part, compressed off the main thread. */
  async part(text: string): Promise<{ readonly number: number; readonly content: Uint8Array }> {
    const plain = Buffer.from(text)
    const content = await toDeflate(plain, { finishFlush: constants.Z_FULL_FLUSH })
    this.bytes += plain.length
    this.crc32 = crc32(plain, this.crc32)
    this.hash.update(plain)
    this.count(content)
    return { number: this.parts++, content }
  }

  /** No part can follow. */
  end(): GzipTotals {
    const { bytes, crc32, parts } = this
    this.count(gzipTail({ bytes, crc32 }))
    return {
      parts,
      bytes,
      crc32,
      sha256: this.hash.digest("hex"),
      gzipBytes: this.gzipBytes,
      gzipSha256: this.gzipHash.digest("hex")
    }
  }

  private count(compressed: Uint8Array): void {
    this.gzipBytes += compressed.length
    this.gzipHash.update(compressed)
  }
}
