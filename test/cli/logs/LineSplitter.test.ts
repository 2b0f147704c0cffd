import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { lineSplitter } from "../../../cli/logs/ReadLogs.ts"

const split = (pieces: Iterable<Uint8Array>) => {
  const lines: Array<string> = []
  let overlong = 0
  const splitter = lineSplitter(
    (line) => lines.push(line),
    () => (overlong += 1)
  )
  // As a file is read: each piece into the memory of the one before.
  const memory = Buffer.alloc(4 * 2 ** 20)
  for (const piece of pieces) {
    memory.fill(0)
    memory.set(piece)
    splitter.push(memory.subarray(0, piece.length))
  }
  splitter.end()
  return { lines, overlong }
}

const pieces = (text: string, sizes: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const bytes = Buffer.from(text)
  const cut: Array<Uint8Array> = []
  for (let from = 0, index = 0; from < bytes.length; index++) {
    const size = sizes[index % sizes.length] ?? 1
    cut.push(bytes.subarray(from, from + size))
    from += size
  }
  return cut
}

describe("the splitter of lines", () => {
  it("gives the lines of a text, however it is cut into pieces, characters of several bytes too", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 30 }), { maxLength: 40 }),
        fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 5 }),
        (texts, sizes) => {
          const lines = texts.map((text) => text.replaceAll("\n", " "))
          const { lines: found } = split(pieces(lines.map((line) => `${line}\n`).join(""), sizes))
          expect(found.filter((line) => line !== "")).toEqual(lines.filter((line) => line !== ""))
        }
      ),
      { numRuns: 300, seed: 39 }
    )
  })

  it("gives the lines of a piece that is longer than what is decoded at once, and a last one without an end", () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `${index} ${"ü".repeat(index % 90)}`)
    lines[2_500] = "x".repeat(100_000)
    for (const size of [2 ** 20, 64 * 1024, 9_000]) expect(split(pieces(lines.join("\n"), [size])).lines).toEqual(lines)
  })

  it("leaves out lines of more than a megabyte, and goes on with the next", () => {
    const text = `a\n${"x".repeat(3_000_000)}\nb\n${"y".repeat(1_100_000)}`
    for (const size of [2 ** 20, 64 * 1024])
      expect(split(pieces(text, [size]))).toEqual({ lines: ["a", "b"], overlong: 2 })
  })
})
