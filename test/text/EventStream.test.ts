import { describe, expect, it } from "vitest"
import { makeEventReader, responseAmong } from "../../engine/text/EventStream.ts"

const dataOf = (pieces: ReadonlyArray<string>): ReadonlyArray<string> => {
  const read = makeEventReader()
  return pieces.flatMap((piece) => read(piece)).map(({ data }) => data)
}

describe("a stream of events", () => {
  it.each(["\n", "\r\n", "\r"])("is read the same in pieces of any length, with lines that end in %j", (ending) => {
    const text = [": hello", "", "id: 1", "data", "", "event: message", "data: one", "data:two", "", "data: open"].join(
      ending
    )
    for (let size = 1; size <= text.length; size++) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
        text.slice(index * size, (index + 1) * size)
      )
      expect(dataOf(pieces)).toEqual(["", "one\ntwo"])
    }
  })

  it("says where each event ends", () => {
    const text = "data: a\n\ndata: b\n\nrest"
    expect(makeEventReader()(text).map(({ end }) => text.slice(0, end))).toEqual([
      "data: a\n\n",
      "data: a\n\ndata: b\n\n"
    ])
  })

  it("holds a response after notifications and requests of the server's own", () => {
    const sent = [{ method: "log" }, { id: 1, method: "ping" }, { id: 2, result: {} }, { id: 1, error: { code: 5 } }]
    const text = sent.map((message) => `data: ${JSON.stringify(message)}`).join("\n\n")
    expect(responseAmong(text, 1)).toEqual({ id: 1, error: { code: 5 } })
    expect(responseAmong(text, 3)).toBeUndefined()
  })
})
