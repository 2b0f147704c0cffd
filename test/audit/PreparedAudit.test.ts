import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import type { AuditEvent } from "../../engine/audit/Audit.ts"
import { auditPreparing, type Preparation } from "../../engine/audit/PreparedAudit.ts"
import { auditSite } from "../../engine/audit/SiteAudit.ts"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { Parsing } from "../../engine/site/Parsing.ts"
import { forbidsAudit } from "../../engine/site/Robots.ts"
import { TYPICAL_URL, typicalSite } from "../sites/typical/Site.ts"

const { origin } = new URL(TYPICAL_URL)

const auditing = <E>(
  site: ReturnType<typeof typicalSite>,
  preparation: Omit<Preparation<E>, "forbidsAudit"> & Partial<Preparation<E>>,
  listen: (event: AuditEvent) => void = () => {}
) =>
  auditPreparing(
    { url: TYPICAL_URL, date: "2026-11-21", sampleSize: 20, canonicalOrigin: null, listen },
    { forbidsAudit: Effect.succeed(forbidsAudit), ...preparation }
  ).pipe(
    Effect.provide(Layer.mergeAll(layerFakeSite(site, { host: origin }), Parsing.layerInline))
  )

describe("an audit that gets ready", () => {
  it("has asked for robots.txt before it is ready to read it", async () => {
    const asked: Array<string> = []
    const ready = Deferred.makeUnsafe<typeof forbidsAudit, "not ready after all">()
    const listen = (event: AuditEvent): void => {
      if (event._tag === "Answered") asked.push(event.url)
      Deferred.doneUnsafe(ready, Effect.fail("not ready after all"))
    }
    const preparation = { forbidsAudit: Deferred.await(ready), auditSite: Effect.never, rubric: Effect.never }
    expect(await Effect.runPromise(Effect.flip(auditing(typicalSite(), preparation, listen)))).toBe("not ready after all")
    expect(asked).toEqual([`${origin}/robots.txt`])
  })

  it("has asked for robots.txt and the base before it is ready to audit", async () => {
    const asked: Array<string> = []
    const ready = Deferred.makeUnsafe<typeof auditSite, "not ready after all">()
    const listen = (event: AuditEvent): void => {
      if (event._tag === "Answered") asked.push(event.url)
      if (asked.length === 2) Deferred.doneUnsafe(ready, Effect.fail("not ready after all"))
    }
    expect(await Effect.runPromise(Effect.flip(auditing(typicalSite(), { auditSite: Deferred.await(ready), rubric: Effect.never }, listen)))).toBe("not ready after all")
    expect(asked).toEqual([`${origin}/robots.txt`, TYPICAL_URL])
  })

  it("has asked for what it asks of every site before the rubric is there", async () => {
    const asked = new Set<string>()
    const rubric = Deferred.makeUnsafe<never, "no rubric after all">()
    const listen = (event: AuditEvent): void => {
      if (event._tag === "Answered") asked.add(event.url)
      if (asked.has(`${origin}/llms.txt`) && asked.has(`${origin}/sitemap.xml`)) Deferred.doneUnsafe(rubric, Effect.fail("no rubric after all"))
    }
    const preparation = { auditSite: Effect.succeed(auditSite), rubric: Deferred.await(rubric) }
    expect(await Effect.runPromise(Effect.flip(auditing(typicalSite(), preparation, listen)))).toBe("no rubric after all")
  })

  it("does not wait for the rubric where the site cannot be audited", async () => {
    const preparation = { auditSite: Effect.succeed(auditSite), rubric: Effect.never }
    const failure = await Effect.runPromise(Effect.flip(auditing({ "*": { redirect: "https://elsewhere.org/" } }, preparation)))
    expect(failure).toMatchObject({ _tag: "AuditFailed", reason: "left_site" })
  })

  it("does not wait to be ready where the site shuts it out", async () => {
    const robots = "User-agent: docgauge\nDisallow: /\n"
    const failure = await Effect.runPromise(Effect.flip(auditing({ ...typicalSite(), "/robots.txt": robots }, { auditSite: Effect.never, rubric: Effect.never })))
    expect(failure).toMatchObject({ _tag: "AuditFailed", reason: "shut_out", journal: [{ request: { asked: { url: `${origin}/robots.txt` } } }] })
  })
})
