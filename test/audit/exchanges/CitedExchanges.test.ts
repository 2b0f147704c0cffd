import * as fc from "fast-check"
import { zstdCompressSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { citedExchanges, MOST_JSON_BYTES } from "../../../engine/audit/CitedExchanges.ts"
import type { Finding } from "../../../engine/plugin/Criterion.ts"
import type { Answer, Exchange, Fault } from "../../../engine/evidence/Exchange.ts"

const asked = (url: string, accept = "*/*") => ({ method: "GET", url, accept, agent: "docgauge" }) as const

const answer = (url: string, body: string | Uint8Array, parts: Partial<Answer> = {}): Answer => ({
  _tag: "Answer",
  asked: asked(url),
  url,
  status: 200,
  headers: [["content-type", "text/html; charset=utf-8"]],
  body: typeof body === "string" ? Buffer.from(body) : body,
  cut: false,
  wireBytes: body.length,
  redirects: [],
  ...parts
})

const finding = (proof: Exchange): Finding => ({ good: false, message: "Seen.", proof })

const only = (proof: Exchange) => citedExchanges([finding(proof)], []).exchanges[0]

const URL = "https://docs.example.com/a"

describe("the exchanges that a report cites", () => {
  it("never take more than 15 KB compressed and 256 KB as JSON, whatever a site sends", () => {
    const noise = fc.uint8Array({ minLength: 0, maxLength: 6_000 })
    const text = fc.string({ unit: "binary", maxLength: 3_000 })
    const exchange = fc.record({
      path: fc.string({ maxLength: 3_000 }),
      status: fc.integer({ min: 200, max: 599 }),
      body: fc.oneof(
        noise,
        text.map((body) => Buffer.from(body)),
        fc.base64String({ maxLength: 6_000 }).map((body) => Buffer.from(body))
      ),
      headers: fc.array(
        fc.tuple(fc.string({ minLength: 1, maxLength: 200 }), fc.string({ unit: "binary", maxLength: 2_000 })),
        { maxLength: 80 }
      )
    })
    fc.assert(
      fc.property(fc.array(exchange, { maxLength: 120 }), fc.nat(120), (all, first) => {
        const findings = all.map(({ body, headers, path, status }, index) =>
          finding(
            answer(
              `https://docs.example.com/${index}/${encodeURIComponent(path.toWellFormed())}`.slice(0, 4_096),
              body,
              { headers, status }
            )
          )
        )
        const { exchanges, indexOf, leftOut } = citedExchanges(findings.slice(0, first), findings.slice(first))
        const json = JSON.stringify(exchanges)
        expect(zstdCompressSync(json).length).toBeLessThanOrEqual(15 * 1024)
        expect(Buffer.byteLength(json)).toBeLessThanOrEqual(MOST_JSON_BYTES)
        expect(exchanges.length + leftOut).toBe(all.length)
        for (const { proof } of findings) {
          const index = indexOf(proof)
          if (index !== undefined) expect(exchanges[index]?.url).toBe(proof.asked.url)
        }
      }),
      { numRuns: 60 }
    )
  })

  it("keep status, headers and the whole of a short body", () => {
    expect(only(answer(URL, "# Title\n\n    code\n", { status: 404 }))).toEqual({
      method: "GET",
      url: URL,
      accept: "*/*",
      agent: "docgauge",
      status: 404,
      headers: ["content-type: text/html; charset=utf-8"],
      body: "# Title\n\n    code\n",
      body_bytes: 18,
      body_cut: false
    })
  })

  it("keep the first 2 KB of a long body, and say that it is cut", () => {
    expect(only(answer(URL, "x".repeat(9_000)))).toMatchObject({
      body: "x".repeat(2_048),
      body_bytes: 9_000,
      body_cut: true
    })
  })

  it("end the excerpt before a character that the limit cuts, in the charset of the page", () => {
    expect(only(answer(URL, `x${"ж".repeat(2_000)}`))?.body).toBe(`x${"ж".repeat(1_023)}`)
    const latin = answer(URL, Uint8Array.from([0x63, 0x61, 0x66, 0xe9]), {
      headers: [["content-type", "text/plain; charset=iso-8859-1"]]
    })
    expect(only(latin)?.body).toBe("café")
  })

  it("show what is invisible in a body by its code point, so that no terminal and no reader obeys it", () => {
    expect(only(answer(URL, "a\u001b[31mb\u202ec\u200b\u{e0041}\r\nd\te"))?.body).toBe(
      "a\\u{1b}[31mb\\u{202e}c\\u{200b}\\u{e0041}\nd\te"
    )
  })

  it("leave out bodies that are not text", () => {
    expect(
      only(
        answer(
          URL,
          Uint8Array.from({ length: 500 }, (_, index) => index % 256)
        )
      )
    ).toMatchObject({ body: null, body_bytes: 500, body_cut: true })
  })

  it("never keep the values of cookies and credentials, and cut long values", () => {
    const headers: Answer["headers"] = [
      ["set-cookie", "sid=s3cret; HttpOnly"],
      ["X-Auth-Token", "s3cret"],
      ["authorization", "Bearer s3cret"],
      ["x-csrf-token", "s3cret"],
      ["x-api-key", "s3cret"],
      ["x-markdown-tokens", "725"],
      ["vary", "Accept"],
      ["x-long", "y".repeat(5_000)]
    ]
    const kept = only(answer(URL, "", { headers }))?.headers ?? []
    expect(kept.join("\n")).not.toContain("s3cret")
    expect(kept).toEqual(expect.arrayContaining(["set-cookie: (not kept)", "x-markdown-tokens: 725", "vary: Accept"]))
    expect(Math.max(...kept.map((line) => line.length))).toBeLessThanOrEqual(410)
  })

  it("leave out headers that change with every response", () => {
    const headers: Answer["headers"] = [
      ["date", "Sun, 22 Nov 2026 22:46:32 GMT"],
      ["age", "3"],
      ["x-request-id", "1f"],
      ["connection", "keep-alive"],
      ["etag", "W/1"]
    ]
    expect(only(answer(URL, "", { headers }))?.headers).toEqual(["etag: W/1"])
  })

  it("have one entry for a request however often it is cited, and one for each Accept", () => {
    const [html, markdown] = [answer(URL, "<p>"), answer(URL, "# M", { asked: asked(URL, "text/markdown") })]
    const { exchanges, indexOf } = citedExchanges([html, html].map(finding), [markdown, html].map(finding))
    expect(exchanges.map(({ accept }) => accept)).toEqual(["*/*", "text/markdown"])
    expect([indexOf(html), indexOf(markdown)]).toEqual([0, 1])
  })

  it("say why there was no response, and where redirects led", () => {
    const fault: Fault = {
      _tag: "Fault",
      asked: asked(URL),
      url: `${URL}/`,
      kind: "first_byte_timeout",
      message: "no answer within 15 s",
      redirects: [{ url: URL, status: 301, location: `${URL}/` }]
    }
    expect(only(fault)).toMatchObject({
      status: null,
      fault: "first_byte_timeout",
      failure: "no answer within 15 s",
      redirects: [{ status: 301, location: `${URL}/` }],
      body: null
    })
  })

  it("give up bodies of what is shown last first", () => {
    const noise = (seed: number) =>
      Array.from({ length: 2_000 }, (_, index) =>
        String.fromCharCode(33 + ((index * 7919 + seed * 104_729 + ((index * index * seed) % 9_973)) % 90))
      ).join("")
    const findings = Array.from({ length: 12 }, (_, index) => finding(answer(`${URL}${index}`, noise(index + 1))))
    const { exchanges } = citedExchanges(findings.slice(0, 3), findings.slice(3))
    expect(exchanges.slice(0, 3).every(({ body }) => body?.length === 2_000)).toBe(true)
    expect(exchanges.slice(3).every(({ body }) => (body ?? "").length <= 512)).toBe(true)
  })
})
