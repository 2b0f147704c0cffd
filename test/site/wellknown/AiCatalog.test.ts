import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import type { Announcement } from "../../../engine/page/Page.ts"
import { aiCatalog } from "../../../engine/site/wellknown/AiCatalog.ts"
import { robotsOf } from "../../../engine/site/wellknown/Robots.ts"
import { pageAt } from "../BlankPage.ts"
import { answerOf, fakeContext, HONEST, ORIGIN, type Replies } from "../FakeContext.ts"

const WELL_KNOWN = "/.well-known/ai-catalog.json"
const MANIFEST = "/.well-known/ard.json"
const EARLIER = "/.well-known/mcp/catalog.json"
const ENTRY = {
  identifier: "urn:air:example.com:docs",
  type: "application/mcp-server-card+json",
  url: "/mcp/server-card"
}
const catalogOf = (more: object): string => JSON.stringify({ specVersion: "1.0", entries: [ENTRY], ...more })

/** What is gathered of a site whose base page announces and whose robots.txt says the given. */
const gather = (replies: Replies, announcements: ReadonlyArray<Announcement> = [], robots = "User-agent: *\n") => {
  const site = fakeContext(replies)
  const base = { ...site.context.base, page: pageAt("/", { announcements }) }
  const url = `${ORIGIN}/robots.txt`
  const exchange = answerOf(url, { body: robots, type: "text/plain" })
  return Effect.map(
    aiCatalog.gather(
      { ...site.context, base },
      { notFoundProbe: Effect.succeed(HONEST), robots: Effect.succeed(robotsOf(base, url, exchange, HONEST)) }
    ),
    (catalog) => ({ ...catalog, asked: site.asked })
  )
}

const link = (from: Announcement["from"], url: string): Announcement => ({ from, rel: ["ai-catalog"], url, type: "" })

describe("the AI catalogue of a site", () => {
  it.effect("is looked for at three places, and read where it is first", () =>
    Effect.gen(function* () {
      expect((yield* gather({})).asked).toEqual([WELL_KNOWN, MANIFEST, EARLIER])
      expect(yield* gather({ [WELL_KNOWN]: catalogOf({}), [EARLIER]: catalogOf({}) })).toMatchObject({
        asked: [WELL_KNOWN],
        file: { entries: [ENTRY], fault: null }
      })
      expect((yield* gather({ [EARLIER]: catalogOf({}) })).file?.answer.url).toBe(ORIGIN + EARLIER)
    })
  )

  it.effect(
    "is looked for where the base page names it, then where robots.txt does, and nowhere else than on the site",
    () =>
      Effect.gen(function* () {
        const both = [link("element", `${ORIGIN}/page.json`), link("header", `${ORIGIN}/header.json`)]
        expect((yield* gather({}, both, "Agentmap: /map.json\n")).asked).toEqual([
          "/header.json",
          "/map.json",
          WELL_KNOWN
        ])
        expect((yield* gather({}, [], "Agentmap: /map.json\n")).asked).toEqual(["/map.json", WELL_KNOWN, MANIFEST])
        expect((yield* gather({}, [link("element", "https://elsewhere.net/ai.json")])).asked).toEqual([
          WELL_KNOWN,
          MANIFEST,
          EARLIER
        ])
      })
  )

  it.effect("is no page and no other JSON, and may be what does not answer", () =>
    Effect.gen(function* () {
      const html = { body: "<!doctype html><title>Docs</title><h1>Docs</h1>", type: "text/html" }
      expect((yield* gather({ [WELL_KNOWN]: html, [EARLIER]: '{"name":"orders"}' })).file).toBeNull()
      expect((yield* gather({ [WELL_KNOWN]: 503 })).missing.map(({ url }) => url)).toEqual([ORIGIN + WELL_KNOWN])
    })
  )

  it.each([
    [{}, null],
    [{ specVersion: "0.9", entries: [] }, null],
    [{ host: { displayName: "Acme" }, entries: [{ ...ENTRY, url: undefined, data: { name: "x" } }] }, null],
    [{ entries: [ENTRY, { ...ENTRY, version: "2" }], "x-more": 1 }, null],
    [{ specVersion: undefined }, "it has no specVersion"],
    [{ specVersion: "2.0" }, "its specVersion is not one that we know (0.9, 1.0)"],
    [{ entries: {} }, "it has no list of entries"],
    [{ host: {} }, "its host has no displayName"],
    [{ entries: [null] }, "entry 1 is not an object"],
    [{ entries: [ENTRY, { ...ENTRY, identifier: "" }] }, "entry 2 has no identifier"],
    [{ entries: [{ ...ENTRY, type: 1 }] }, "entry 1 has no type"],
    [{ entries: [{ ...ENTRY, url: undefined }] }, "entry 1 has neither url nor data"],
    [{ entries: [{ ...ENTRY, data: {} }] }, "entry 1 has both url and data"],
    [{ entries: [{ ...ENTRY, url: 1 }] }, "entry 1 has a url that is no text"],
    [{ entries: [{ ...ENTRY, publisher: "me" }] }, "entry 1 has a publisher without identifier or displayName"],
    [{ entries: [ENTRY, ENTRY] }, "entry 2 has the identifier and version of an entry before"]
  ])("is held to its specification: %j", async (more, fault) => {
    const { file } = await Effect.runPromise(gather({ [WELL_KNOWN]: catalogOf(more) }))
    expect(file?.fault).toBe(fault)
  })

  it.effect("may be a manifest of ARD, which says no version, but the name of each entry", () =>
    Effect.gen(function* () {
      const faultAt = (place: string, entry: object) =>
        Effect.map(gather({ [place]: JSON.stringify({ entries: [entry] }) }), ({ file }) => file?.fault)
      expect(yield* faultAt(MANIFEST, { ...ENTRY, displayName: "Docs" })).toBeNull()
      expect(yield* faultAt(MANIFEST, ENTRY)).toBe("entry 1 has no displayName")
      expect(yield* faultAt(WELL_KNOWN, { ...ENTRY, displayName: "Docs" })).toBe("it has no specVersion")
    })
  )
})
