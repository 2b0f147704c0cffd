import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeLogReader, newLineCounts } from "../../engine/logs/read/LogReader.ts"
import { summarise } from "../../engine/logs/summary/Summarise.ts"
import { Tally } from "../../engine/logs/summary/Tally.ts"
import { isMadeFormat, madeLog, madeRequests, randomFrom, WRITERS } from "./MadeLog.ts"

const summaryOf = (lines: Iterable<string>) => {
  const counts = newLineCounts()
  const tally = new Tally({ host: null, isPublished: () => null })
  const readLine = makeLogReader(counts, tally.add)
  for (const line of lines) readLine(line)
  return summarise(tally, counts, { report: null, listOf: () => null })
}

const FORMATS = Object.keys(WRITERS).filter(isMadeFormat)

const piece = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    '"',
    "\\",
    " [",
    '] "',
    "{",
    "[",
    "<134>",
    ": ",
    "#Fields: ",
    "\t",
    "__proto__",
    '{"request":{"uri":"/a"},"status":200}',
    "GET /a HTTP/1.1",
    " 200 12 ",
    "\u202e",
    "\u001b[31m",
    "%",
    "GPTBot/1.2"
  )
)

describe("a hostile log", () => {
  it("never stops the reader, and every line is counted once", () => {
    fc.assert(
      fc.property(fc.array(fc.array(piece, { maxLength: 12 }), { maxLength: 20 }), (made) => {
        const lines = made.map((pieces) => pieces.join(""))
        const { lines: counts, requests } = summaryOf(lines)
        const counted = counts.others + counts.unreadable + requests.all
        const isBatch = lines.some((line) => line.startsWith("["))
        expect(isBatch ? counted >= 0 : counted === counts.read).toBe(true)
      }),
      { numRuns: 500, seed: 39 }
    )
  })

  it.each(FORMATS)("of changed bytes is read or counted, in the format: %s", (format) => {
    const random = randomFrom(39)
    const lines = madeLog(format, madeRequests(200, 5)).split("\n")
    const changed = lines.map((line) => {
      if (line.startsWith("#") || random() < 0.5) return line
      const at = Math.floor(random() * line.length)
      return (
        line.slice(0, at) + (random() < 0.5 ? "" : String.fromCharCode(Math.floor(random() * 256))) + line.slice(at + 1)
      )
    })
    const { lines: counts, requests } = summaryOf(changed)
    expect(counts.others + counts.unreadable + requests.all).toBe(counts.read)
    expect(requests.all).toBeGreaterThan(100)
  })

  it("shows nothing of a path or an unreadable line that moves a cursor or turns writing around", () => {
    const line = (path: string): string =>
      JSON.stringify({ url: path, status: 404, user_agent: "GPTBot/1.2", host: "a\u202eb" })
    const text = JSON.stringify(summaryOf([line("/a\u001b[2J\u202e\u{e0041}/b"), "\u001b[31mred\u202e"]))
    expect(text).not.toMatch(/[\u202e\u001b]|\\u001b|[\u{e0000}-\u{e007f}]/u)
    expect(text).toContain("/a [2J")
  })

  it("takes time in proportion to its length: quotes, backslashes and brackets without end", () => {
    const long = (text: string, times: number): string => text.repeat(times)
    for (const text of ['"', "\\", '\\"', " [", '] "', "<1>a: ", ":", "1.", "a@", "{", "[", '{"a":', "?"]) {
      const { lines } = summaryOf([long(text, 200_000 / text.length), `x [y] "${long(text, 200_000 / text.length)}`])
      expect(lines.unreadable + lines.others).toBeGreaterThan(0)
    }
  })
})
