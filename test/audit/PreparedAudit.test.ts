import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import type { AuditEvent } from "../../engine/audit/Audit.ts"
import { auditPreparing, type Preparation } from "../../engine/audit/PreparedAudit.ts"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { Parsing } from "../../engine/site/Parsing.ts"
import { TYPICAL_URL, typicalSite } from "../sites/typical/Site.ts"

const { origin } = new URL(TYPICAL_URL)

const auditing = <E>(site: ReturnType<typeof typicalSite>, preparation: Effect.Effect<Preparation, E>, listen: (event: AuditEvent) => void = () => {}) =>
  auditPreparing({ url: TYPICAL_URL, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, listen }, preparation).pipe(
    Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: origin }), Parsing.layerInline))
  )

describe("an audit that gets ready", () => {
  it("has asked for robots.txt and the base before it is ready", async () => {
    const asked: Array<string> = []
    const ready = Deferred.makeUnsafe<Preparation, "not ready after all">()
    const listen = (event: AuditEvent): void => {
      if (event._tag === "Answered") asked.push(event.url)
      if (asked.length === 2) Deferred.doneUnsafe(ready, Effect.fail("not ready after all"))
    }
    expect(await Effect.runPromise(Effect.flip(auditing(typicalSite(), Deferred.await(ready), listen)))).toBe("not ready after all")
    expect(asked).toEqual([`${origin}/robots.txt`, TYPICAL_URL])
  })

  it("does not wait to be ready where the site shuts it out", async () => {
    const robots = "User-agent: docgauge\nDisallow: /\n"
    const failure = await Effect.runPromise(Effect.flip(auditing({ ...typicalSite(), "/robots.txt": robots }, Effect.never)))
    expect(failure).toMatchObject({ _tag: "AuditFailed", reason: "shut_out", journal: [{ request: { asked: { url: `${origin}/robots.txt` } } }] })
  })
})
