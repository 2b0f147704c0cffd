import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { cardElement, makeDrawCard, type FinishedState, type ShareCard } from "../../../server/images/CardWorker.ts"
import { badgeSvg, plainBadge, scoreBadge, textWidth } from "../../../server/images/ImageRoutes.ts"
import { scoreColour } from "../../../engine/report/html/LevelColour.ts"
import { startService, type TestService } from "../TestService.ts"

let service: TestService
beforeAll(async () => {
  service = await startService({ env: { DOCGAUGE_TARGET_WINDOW: "off" } })
})
afterAll(() => service.stop())

const UNKNOWN = "01934f7a-1c2d-7e3f-8a4b-5c6d7e8f9a0b"

/** Submits, and returns the run's id. */
const submitted = async (host: string): Promise<string> => {
  const answer = await service.submit({ base_url: `https://${host}` }, "?async=true")
  const { run_id: id }: { readonly run_id: string } = JSON.parse(await answer.text())
  return id
}

const over = async (host: string): Promise<string> => {
  const id = await submitted(host)
  await expect
    .poll(
      async () => ((await (await service.ask(`/api/public/audit/${id}`)).json()) as { readonly status: string }).status
    )
    .toMatch(/done|error/)
  return id
}

/** Width and height as the header of a PNG says them; throws where it is none. */
const sizeOf = (png: Uint8Array): readonly [width: number, height: number] => {
  const bytes = Buffer.from(png)
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
}

const bytesOf = async (answer: Response): Promise<Uint8Array> => new Uint8Array(await answer.arrayBuffer())

const imageOf = async (id: string): Promise<Uint8Array> => bytesOf(await service.ask(`/r/${id}/og.png`))

describe("GET /r/{id}/og.png", () => {
  it("is a PNG of 1200 × 630 that can be cached and embedded anywhere", async () => {
    const answer = await service.ask(`/r/${await over("docs90.image.dev")}/og.png`)
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "image/png"])
    expect(answer.headers.get("cache-control")).toBe("public, max-age=86400")
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin")
    expect(sizeOf(await bytesOf(answer))).toEqual([1200, 630])
  })

  it("depends on score and site only", async () => {
    const [one, other] = [await over("docs30.image.dev"), await over("docs40.image.dev")]
    expect(await imageOf(one)).not.toEqual(await imageOf(other))
    expect(await imageOf(one)).toEqual(await imageOf(one))
  })

  it("exists for running audits, uncached, and for failed ones", async () => {
    const [held, failed] = [await submitted("held.image.dev"), await over("failing.other.dev")]
    const before = await service.ask(`/r/${held}/og.png`)
    expect([before.status, before.headers.get("cache-control")]).toEqual([200, "no-cache"])
    const [underWay, ofFailed] = [await bytesOf(before), await imageOf(failed)]
    expect([sizeOf(underWay), sizeOf(ofFailed)]).toEqual([
      [1200, 630],
      [1200, 630]
    ])
    service.auditor.release()
    await expect.poll(() => imageOf(held)).not.toEqual(underWay)
  })

  it("answers many concurrent requests for many images", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, (_, index) => over(`docs${index}5.crowd${index}.dev`)))
    const answers = await Promise.all(ids.flatMap((id) => [id, id]).map((id) => service.ask(`/r/${id}/og.png`)))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
  })

  it("has a strong tag: 304 for a client that has it, and no body for HEAD", async () => {
    const path = `/r/${await over("docs70.tagged.dev")}/og.png`
    const tag = (await service.ask(path)).headers.get("etag") ?? ""
    expect(tag).toMatch(/^"[^"]+"$/)
    const again = await service.ask(path, { headers: { "if-none-match": tag } })
    expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0])
    const head = await service.ask(path, { method: "HEAD" })
    expect([head.status, head.headers.get("etag"), (await bytesOf(head)).length]).toEqual([200, tag, 0])
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1_000)
  })
})

describe("an unknown image", () => {
  it.each(["og.png", "badge.svg"])("is told as JSON: %s", async (file) => {
    const unknown = await service.ask(`/r/${UNKNOWN}/${file}`)
    expect([unknown.status, await unknown.json()]).toEqual([404, { error: "There is no such run.", code: "not_found" }])
    const malformed = await service.ask(`/r/<script>/${file}`)
    expect([malformed.status, await malformed.json()]).toEqual([
      400,
      { error: "The path parameter id has to be a UUID." }
    ])
  })

  it("is refused beyond the limits", async () => {
    const rationed = await startService({ env: { DOCGAUGE_POLL_RATE: "1/24h", DOCGAUGE_BROWSE_RATE: "1/24h" } })
    try {
      const statuses = await Promise.all(
        [
          `/r/${UNKNOWN}/og.png`,
          `/r/${UNKNOWN}/badge.svg`,
          "/badge.svg?base_url=a.dev",
          "/badge.svg?base_url=b.dev"
        ].map(async (path) => (await rationed.ask(path)).status)
      )
      expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 404, 429, 429])
    } finally {
      await rationed.stop()
    }
  })
})

describe("drawing", () => {
  const HOSTILE = `<script>alert(1)</script>\u0000\u001b[31m\u202e\u{1f600}\u{e0041} 日本語 العربية ${"W".repeat(10_000)}`
  const done: FinishedState = {
    _tag: "Done",
    score: 100,
    max: 100,
    reliable: true,
    level: HOSTILE,
    date: HOSTILE,
    categories: Array.from({ length: 40 }, (_, index) => ({ title: HOSTILE, score: index * 1_000, max: index % 2 }))
  }
  const cards: ReadonlyArray<ShareCard> = [
    { site: HOSTILE, state: done },
    { site: "", state: { ...done, categories: [], level: "" } },
    { site: HOSTILE, state: { ...done, reliable: false } },
    { site: "\u{1f600}".repeat(500), state: { _tag: "Failed" } },
    { site: "a.dev/%2e%2e/url(https://evil.example)", state: { _tag: "UnderWay" } }
  ]

  it.each([
    ["xn--bcher-kva.example/%C3%BCber", ["bücher.example/über"]],
    ["xn--pple-43d.com/docs", ["xn--pple-43d.com/docs", "lookalike name: its letters look like those of another"]],
    ["xn--mgbh0fb.xn--kgbechtv/%D8%AA", ["xn--mgbh0fb.xn--kgbechtv/%D8%AA"]]
  ])("shows %s decoded where the fonts have its letters, and flags what looks like another name", (site, texts) => {
    const drawnTexts = [
      ...JSON.stringify(cardElement({ site, state: { _tag: "UnderWay" } })).matchAll(/"children":"([^"]+)"/g)
    ].map(([, text]) => text)
    expect(drawnTexts).toEqual(["docgauge", ...texts, "The audit is running"])
  })

  it("keeps its layout and fetches nothing, whatever the text", async () => {
    const draw = await makeDrawCard()
    const { fetch } = globalThis
    globalThis.fetch = () => Promise.reject(new Error("something was fetched"))
    try {
      for (const card of cards) expect(sizeOf(await draw(card))).toEqual([1200, 630])
    } finally {
      globalThis.fetch = fetch
    }
  })
})

describe("badges", () => {
  const badge = async (path: string) => {
    const answer = await service.ask(path)
    expect(answer.headers.get("content-type")).toBe("image/svg+xml; charset=utf-8")
    expect(answer.headers.get("cross-origin-resource-policy")).toBe("cross-origin")
    return { status: answer.status, kept: answer.headers.get("cache-control"), text: await answer.text() }
  }

  const titleOf = (svg: string): string | undefined => /<title>([^<]*)<\/title>/.exec(svg)?.[1]

  it("of a run show score and level in the score's colour", async () => {
    const { kept, status, text } = await badge(`/r/${await over("docs80.badge.dev")}/badge.svg`)
    expect([status, kept, titleOf(text)]).toEqual([200, "public, max-age=86400", "docgauge: 80/100 AI-ready"])
    expect(text).toContain(`fill="${scoreColour(80, 100)}"`)
    expect(text).toMatch(/^<svg [^>]*height="20"/)
  })

  it("of a run without a score say so", async () => {
    expect(titleOf((await badge(`/r/${await over("failing.badge.dev")}/badge.svg`)).text)).toBe(
      "docgauge: audit failed"
    )
  })

  it("of a site show its newest finished run, in any spelling of the site", async () => {
    await over("docs20.newest.dev")
    await over("docs20.newest.dev")
    for (const spelling of [
      "https://docs20.newest.dev",
      "docs20.newest.dev/",
      "https%3A%2F%2FWWW.docs20.newest.dev%2F"
    ]) {
      const { kept, status, text } = await badge(`/badge.svg?base_url=${spelling}`)
      expect([status, kept, titleOf(text)]).toEqual([200, "public, max-age=300", "docgauge: 30/100 AI-ready"])
    }
  })

  it("of a site that was never audited are grey images", async () => {
    const { status, text } = await badge("/badge.svg?base_url=https://nobody.example.com")
    expect([status, titleOf(text)]).toEqual([200, "docgauge: not audited"])
  })

  it("of a site are JSON for shields.io, too", async () => {
    await over("docs80.shields.dev")
    const answer = await service.ask("/badge.json?base_url=docs80.shields.dev")
    expect(answer.headers.get("cache-control")).toBe("public, max-age=300")
    expect(await answer.json()).toEqual({
      schemaVersion: 1,
      label: "docgauge",
      message: "80/100 AI-ready",
      color: scoreColour(80, 100),
      cacheSeconds: 300
    })
  })

  it.each([
    "",
    "?base_url=",
    "?base_url=a.dev&base_url=b.dev",
    "?base_url=javascript:alert(1)",
    "?base_url=https://127.0.0.1"
  ])("need a site: %s is 400", async (query) => {
    const answer = await service.ask(`/badge.svg${query}`)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: expect.any(String) }])
  })

  it("have tags", async () => {
    const tag = (await service.ask("/badge.svg?base_url=nobody.example.com")).headers.get("etag") ?? ""
    expect(
      (await service.ask("/badge.svg?base_url=nobody.example.com", { headers: { "if-none-match": tag } })).status
    ).toBe(304)
  })

  const FINISHED: FinishedState = {
    _tag: "Done",
    score: 43,
    max: 100,
    reliable: true,
    level: "Gaps",
    date: "2026-11-21",
    categories: []
  }
  const badgeOf = (score: number, level: string) => scoreBadge({ ...FINISHED, score, level })

  it("say of an unreliable report that the score is at least so much, without a level or its colour", () => {
    expect(scoreBadge(FINISHED).message).toBe("43/100 Gaps")
    expect(scoreBadge({ ...FINISHED, reliable: false })).toEqual({
      message: "at least 43, not reliable",
      colour: plainBadge("not audited").colour
    })
  })

  it("escape and truncate their text, and are as wide as it is", () => {
    const svg = badgeSvg(badgeOf(5, `</text><script>alert("1")</script>\u202e\u0000${"x".repeat(10_000)}`))
    expect(svg).not.toContain("<script")
    expect(svg).not.toMatch(/[\u0000-\u0008\u202e]/)
    expect(svg.length).toBeLessThan(3_000)
    const width = Number(/width="(\d+)"/.exec(badgeSvg(plainBadge("not audited")))?.[1])
    expect(width).toBe(Math.ceil(textWidth("docgauge", 11)) + Math.ceil(textWidth("not audited", 11)) + 24)
  })

  it("are coloured by the share of the points", () => {
    expect(new Set([100, 80, 60, 40, 10].map((score) => scoreColour(score, 100))).size).toBe(5)
    expect(scoreColour(0, 0)).toBe(scoreBadge({ ...FINISHED, score: 0, max: 0, level: "" }).colour)
  })
})
