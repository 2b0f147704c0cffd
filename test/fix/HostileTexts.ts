import * as fc from "fast-check"
import type { Answer } from "../../engine/evidence/Exchange.ts"
import type { Page } from "../../engine/page/Page.ts"
import { readPage } from "../../engine/page/read/ReadPage.ts"

export const URL_OF_PAGE = "https://docs.example.com/guide/"

export const answerOf = (url: string, type: string, body: string): Answer => ({
  _tag: "Answer",
  url,
  status: 200,
  headers: [["content-type", type]],
  body: new TextEncoder().encode(body),
  cut: false,
  wireBytes: body.length,
  redirects: [],
  asked: { method: "GET", url, accept: "*/*", agent: "docgauge" }
})

export const pageOf = (html: string, url = URL_OF_PAGE): Page =>
  readPage({ answer: answerOf(url, "text/html; charset=utf-8", html) })

/** Text with what means something in one syntax or another. */
export const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "](",
        ")",
        "[",
        "]",
        "`",
        "```",
        "\n",
        "\n# ",
        "\n---\n",
        "<",
        ">",
        "</script>",
        "<script>",
        "-->",
        '"',
        "'",
        "\\",
        "&lt;",
        "&#10;",
        "${x}",
        ";",
        "}",
        "{",
        "#",
        "|",
        "*",
        "_",
        "~",
        "://",
        "javascript:",
        "\u2028",
        "\0",
        "\u202e",
        "]]>",
        "%0a",
        "http://evil.example"
      ),
      fc.string({ maxLength: 6 }),
      fc.string({ unit: "grapheme", maxLength: 6 })
    ),
    { maxLength: 14 }
  )
  .map((parts) => parts.join(""))

/** URLs of a site whose paths are such texts, as an audit has them. */
export const hostileUrl = hostile
  .map((text) => URL.parse(`https://docs.example.com/${text}`))
  .filter((url) => url !== null && url.host === "docs.example.com")
  .map((url) => url?.href.replace(/#.*/, "") ?? "")
