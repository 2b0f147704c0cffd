import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Answer } from "../../engine/evidence/Exchange.ts"
import { textOf } from "../../engine/evidence/BodyText.ts"

const answer = (body: Uint8Array | string, contentType?: string): Answer => ({
  _tag: "Answer",
  asked: { method: "GET", url: "https://docs.example.com/", accept: "*/*", agent: "docgauge" },
  url: "https://docs.example.com/",
  status: 200,
  headers: contentType === undefined ? [] : [["content-type", contentType]],
  body: typeof body === "string" ? new TextEncoder().encode(body) : body,
  cut: false,
  wireBytes: 0,
  redirects: []
})

const bytes = (...values: ReadonlyArray<number | string>): Uint8Array =>
  Uint8Array.from(
    values.flatMap((value) => (typeof value === "string" ? [...new TextEncoder().encode(value)] : [value]))
  )

const HANGUL = [0xc7, 0xd1, 0xb1, 0xdb]

describe("textOf", () => {
  it.each([
    ["a header", bytes(...HANGUL), "text/html; charset=EUC-KR", "한글", "euc-kr", "header"],
    ["a quoted header", bytes(0xe9), 'text/plain; x=1; Charset = "ISO-8859-1"', "é", "windows-1252", "header"],
    ["a header, for euro", bytes(0xa4), "text/plain;charset=iso-8859-15", "€", "iso-8859-15", "header"],
    [
      "a header, for Japanese",
      bytes(0x93, 0xfa, 0x96, 0x7b, 0x87, 0x40),
      "text/plain; charset=Shift_JIS",
      "日本①",
      "shift_jis",
      "header"
    ],
    ["a header, for Chinese", bytes(0xc4, 0xe3, 0xba, 0xc3), "text/html; charset=gb2312", "你好", "gbk", "header"],
    ["the whole of EUC-KR", bytes(0x8c, 0x63), "text/html; charset=euc-kr", "똠", "euc-kr", "header"],
    [
      "<meta charset>",
      bytes("<!doctype html><meta charset=euc-kr><p>", ...HANGUL),
      "text/html",
      "<!doctype html><meta charset=euc-kr><p>한글",
      "euc-kr",
      "meta"
    ],
    [
      "<meta http-equiv>",
      bytes("<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-2'>", 0xb1),
      "text/html",
      "<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-2'>ą",
      "iso-8859-2",
      "meta"
    ],
    [
      "the XML declaration",
      bytes("<?xml version='1.0' encoding='iso-8859-1'?><a>", 0xe9),
      "application/xml",
      "<?xml version='1.0' encoding='iso-8859-1'?><a>é",
      "windows-1252",
      "meta"
    ],
    ["a byte order mark", bytes(0xef, 0xbb, 0xbf, "é"), "text/plain; charset=iso-8859-1", "é", "utf-8", "bom"],
    ["a byte order mark of UTF-16", bytes(0xff, 0xfe, 0x41, 0, 0xac, 0x20), "text/plain", "A€", "utf-16le", "bom"],
    ["a byte order mark, big end first", bytes(0xfe, 0xff, 0, 0x41), undefined, "A", "utf-16be", "bom"],
    ["nothing", "é", undefined, "é", "utf-8", "none"],
    ["nothing that is known", "é", "text/html; charset=klingon", "é", "utf-8", "none"],
    ["nothing, in bytes that are not UTF-8", bytes(0xe9, 0x61), "text/html", "\ufffda", "utf-8", "none"]
  ])("goes by %s", (_what, body, contentType, text, charset, declared) => {
    expect(textOf(answer(body, contentType))).toEqual({ text, charset, declared })
  })

  it("finds a <meta charset> in a head that begins with 3 kB of scripts, as browsers do", () => {
    const page = bytes(
      "<!doctype html><html><head><script>",
      "x".repeat(3_000),
      "</script><meta charset=euc-kr></head><body>",
      ...HANGUL
    )
    expect(textOf(answer(page, "text/html"))).toMatchObject({ charset: "euc-kr", declared: "meta" })
  })

  it("takes no <meta charset> that is shown in the body for the document's own", () => {
    const page = bytes(
      "<!doctype html><html><head></head><body><p>",
      "x".repeat(3_000),
      "<!-- --><textarea><meta charset=euc-kr></textarea>é"
    )
    expect(textOf(answer(page, "text/html"))).toMatchObject({ charset: "utf-8", declared: "none" })
  })

  it("prefers the header to the document", () => {
    expect(textOf(answer(bytes("<meta charset=utf-8>", 0xe9), "text/html; charset=windows-1252"))).toMatchObject({
      charset: "windows-1252",
      declared: "header"
    })
  })

  it("passes over a header that names no charset there is", () => {
    expect(textOf(answer("<meta charset=koi8-r>", "text/html; charset=none"))).toMatchObject({
      charset: "koi8-r",
      declared: "meta"
    })
  })

  it("looks no further than 1024 bytes, nor into comments", () => {
    expect(textOf(answer(`${" ".repeat(1_024)}<meta charset=koi8-r>`, "text/html")).declared).toBe("none")
    expect(textOf(answer("<!-- <meta charset=koi8-r> -->", "text/html")).declared).toBe("none")
  })

  it("takes examples in Markdown for what they are", () => {
    expect(textOf(answer("<meta charset=koi8-r>", "text/markdown")).charset).toBe("utf-8")
  })

  it("reads UTF-16 declared in a page that is plainly not UTF-16 as UTF-8", () => {
    expect(textOf(answer("<meta charset=utf-16>é", "text/html")).text).toBe("<meta charset=utf-16>é")
  })

  it("decodes an answer once", () => {
    const one = answer("text")
    expect(textOf(one)).toBe(textOf(one))
  })

  it("reads whatever UTF-8 it is given", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        fc.pre(!text.startsWith("\ufeff"))
        expect(textOf(answer(text, "text/plain; charset=utf-8")).text).toBe(text)
      })
    )
  })

  it.each(['charset="', "charset=", 'http-equiv=content-type content="'])(
    "reads a head with a name of 500,000 characters as UTF-8: <meta %s",
    (attribute) => {
      const page = `<!doctype html><html><head><meta ${attribute}${"a".repeat(500_000)}"></head><body>é`
      expect(textOf(answer(page, "text/html"))).toEqual({ text: page, charset: "utf-8", declared: "none" })
    }
  )

  it("never throws", () => {
    fc.assert(
      fc.property(
        fc.uint8Array(),
        fc.oneof(fc.string(), fc.constantFrom("text/html", "text/html; charset=big5", "text/xml; charset=replacement")),
        (body, type) => {
          expect(typeof textOf(answer(body, type)).text).toBe("string")
        }
      )
    )
  })
})
