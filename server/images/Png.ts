import { crc32, deflateSync } from "node:zlib"

/** Pixels of an opaque picture, row by row, four bytes each: red, green, blue, and 255. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly bytes: Uint8Array
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Eight bits a channel, red, green, blue and alpha; the only compression, filters and order of rows that there are. */
const FORMAT = [8, 6, 0, 0, 0]

/** Of 9: areas of one colour become no smaller by more, and take several times as long. */
const EFFORT = 3

/** A length, a name, the content, and a check sum of the latter two. */
const chunk = (name: string, content: Uint8Array): Buffer => {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Each row behind a zero: as it is, for filters are there for photographs. */
const rowsOf = ({ bytes, height, width }: Pixels): Buffer => {
  const [from, to] = [4 * width, 4 * width + 1]
  const rows = Buffer.alloc(height * to)
  for (let row = 0; row < height; row++) rows.set(bytes.subarray(row * from, (row + 1) * from), row * to + 1)
  return rows
}

/** A picture of few colours as PNG. resvg's own encoder makes one no smaller, and takes as long for it as all the rest of a share image. */
export const pngOf = (pixels: Pixels): Uint8Array<ArrayBuffer> => {
  const size = Buffer.alloc(8)
  size.writeUInt32BE(pixels.width)
  size.writeUInt32BE(pixels.height, 4)
  return new Uint8Array(Buffer.concat([
    SIGNATURE,
    chunk("IHDR", Buffer.concat([size, Buffer.from(FORMAT)])),
    chunk("IDAT", deflateSync(rowsOf(pixels), { level: EFFORT })),
    chunk("IEND", Buffer.alloc(0))
  ]))
}
