import { assert, describe, it } from "@effect/vitest"
import { undecided } from "../../engine/audit/Assemble.ts"
import type { Finding } from "../../engine/plugin/Criterion.ts"
import type { Answer, Exchange } from "../../engine/evidence/Exchange.ts"

const asked = (path: string) =>
  ({ method: "GET", url: `https://docs.example.com${path}`, accept: "*/*", agent: "docgauge" }) as const

const limited = (path: string): Answer => {
  const { url } = asked(path)
  return {
    _tag: "Answer",
    asked: asked(path),
    url,
    status: 429,
    headers: [],
    body: new Uint8Array(),
    cut: false,
    wireBytes: 0,
    redirects: []
  }
}

const late = (path: string): Exchange => ({
  _tag: "Fault",
  asked: asked(path),
  url: asked(path).url,
  kind: "first_byte_timeout",
  message: "no answer within 15 s",
  redirects: []
})

const BASE = "https://docs.example.com/guide"

const seen: Finding = { good: true, message: "Some pages have it.", proof: limited("/") }

describe("the findings of a criterion that missing responses leave open", () => {
  it("begin with those responses, by name, and cite them", () => {
    const [summary, second, third] = undecided({ findings: [seen], unanswered: [limited("/a"), late("/b")] }, BASE)
    assert.strictEqual(
      summary.message,
      "The result depends on what we could not read: /a returned 429 and /b could not be fetched (no answer within 15 s)."
    )
    assert.deepStrictEqual([summary.good, summary.proof.asked.url], [false, "https://docs.example.com/a"])
    assert.deepStrictEqual(
      [second?.message, third?.proof.asked.url],
      ["Some pages have it.", "https://docs.example.com/b"]
    )
  })

  it("name the host of those on another one", () => {
    const [summary] = undecided({ findings: [seen], unanswered: [late("/api")] }, "https://www.example.com/")
    assert.include(summary.message, "docs.example.com/api could not be fetched")
  })

  it("name three of many, each once", () => {
    const unanswered = ["/a", "/a", "/b", "/c", "/d", "/e"].map(limited)
    const [summary] = undecided({ findings: [seen], unanswered }, BASE)
    assert.strictEqual(
      summary.message,
      "The result depends on what we could not read: /a returned 429, /b returned 429, /c returned 429 and 2 more URLs."
    )
  })

  it("tell a response that was refused from one whose text was read in part", () => {
    const [summary] = undecided(
      {
        findings: [seen],
        unanswered: [
          { ...limited("/a"), cut: true },
          { ...limited("/b"), status: 200, cut: true }
        ]
      },
      BASE
    )
    assert.strictEqual(
      summary.message,
      "The result depends on what we could not read: /a returned 429 and /b has more than we read."
    )
  })

  it("stay as they are if a plugin names no missing response", () => {
    assert.deepStrictEqual(undecided({ findings: [seen], unanswered: [] }, BASE), [seen])
  })
})
