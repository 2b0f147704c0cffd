import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { runAudit } from "../../engine/audit/Audit.ts"
import { runInfoOf } from "../../engine/audit/AuditRequest.ts"
import { writeArchive } from "../../engine/evidence/archive/Recording.ts"
import { openArchive, replay } from "../../engine/evidence/archive/Replay.ts"
import { defaultLimits } from "../../engine/evidence/FetchLimits.ts"
import { Transport } from "../../engine/evidence/Transport.ts"
import { userAgents } from "../../engine/evidence/UserAgents.ts"
import { auditAndRead, type FixOutcome, fixSite, overlayOf } from "../../engine/fix/Fix.ts"
import { overlaid } from "../../engine/fix/overlay/OverlayTransport.ts"
import { planOf } from "../../engine/fix/plan/Plan.ts"
import { planJson } from "../../engine/fix/plan/PlanData.ts"
import { planMarkdown, planPrompt } from "../../engine/fix/plan/PlanMarkdown.ts"
import { writeFixes } from "../../engine/fix/WriteFixes.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { plugins } from "../../plugins/index.ts"
import { AUDIT_DATE, type GoldenSite } from "../golden/AuditFakeSite.ts"
import { goldenSites } from "../golden/GoldenSites.ts"
import { markdownOf } from "./Converted.ts"

const folder = mkdtempSync(join(tmpdir(), "docgauge-fix-"))
afterAll(() => rmSync(folder, { recursive: true }))

const rubric = await Effect.runPromise(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

const golden = (name: string): GoldenSite => {
  const found = goldenSites.find((site) => site.name === name)
  if (found === undefined) throw new Error(`there is no golden site ${name}`)
  return found
}

const auditOf = ({ url }: GoldenSite) => ({ url, date: AUDIT_DATE, sampleSize: 20, canonicalOrigin: null, rubric })

const served = ({ site, url }: GoldenSite): Layer.Layer<Transport> => layerFakeSite(site, { host: new URL(url).origin })

const OPTIONS = { only: null, ai: "search-only", host: "nginx" } as const

const fixed = (site: GoldenSite, transport = served(site), isLive = true): Promise<FixOutcome> =>
  Effect.runPromise(
    fixSite({ audit: auditOf(site), options: OPTIONS, isLive, pages: null }).pipe(
      Effect.provide(Layer.mergeAll(transport, ParserPool.layerInline))
    )
  )

describe("a golden site that is fixed", () => {
  test("gains nothing and gets no file if it is excellent", async () => {
    const { after, before, fixes } = await fixed(golden("excellent"))
    expect(fixes.files.map(({ path }) => path)).toEqual([])
    expect(fixes.heads).toEqual([])
    expect(fixes.configuration).toEqual([])
    expect(after).toEqual(before)
  })

  test.each(["typical", "poor", "german", "japanese"])(
    "loses points nowhere (%s), and the same site gives the same bytes",
    async (name) => {
      const site = golden(name)
      const [one, other] = [await fixed(site), await fixed(site)]
      expect(
        one.after.criteria
          .filter(({ id, score }) => score < (one.before.criteria.find((own) => own.id === id)?.score ?? 0))
          .map(({ id }) => id)
      ).toEqual([])
      expect(one.after.total_score).toBeGreaterThan(one.before.total_score)
      expect(planJson(planOf(other, "nginx"))).toBe(planJson(planOf(one, "nginx")))
      expect(planMarkdown(planOf(other, "nginx"))).toBe(planMarkdown(planOf(one, "nginx")))
      expect(planPrompt(planOf(one, "nginx"), "docgauge-fix")).toContain("Check: `")
    }
  )

  test("needs no other file once it is fixed", async () => {
    const site = golden("typical")
    const first = await fixed(site)
    const again = await Effect.runPromise(
      Effect.gen(function* () {
        const { send } = yield* Transport
        const published = yield* auditAndRead(auditOf(site), overlaid(send, overlayOf(first.site, first.fixes)))
        return writeFixes(published.site, [], published.report, { ...OPTIONS, folder: false }, markdownOf)
      }).pipe(Effect.provide(Layer.mergeAll(served(site), ParserPool.layerInline)))
    )
    expect(again.files.map(({ path }) => path)).toEqual([])
    expect(again.heads).toEqual([])
  })

  test.each(["typical", "poor"])("is promised no more from an archive than it gains (%s)", async (name) => {
    const site = golden(name)
    const path = join(folder, `${name}.warc.gz`)
    const archive = await Effect.runPromise(
      Effect.gen(function* () {
        const { journal } = yield* runAudit(auditOf(site))
        yield* writeArchive(path, runInfoOf(auditOf(site), defaultLimits, userAgents("0.0.0", null)), journal)
        return yield* openArchive(path)
      }).pipe(Effect.provide(Layer.mergeAll(served(site), ParserPool.layerInline)))
    )
    const [real, promised] = [await fixed(site), await fixed(site, replay(archive), false)]
    expect(promised.before.total_score).toBe(real.before.total_score)
    expect(
      promised.after.criteria
        .filter(({ id, score }) => score > (real.after.criteria.find((own) => own.id === id)?.score ?? 0))
        .map(({ id }) => id)
    ).toEqual([])
    const [plan, whole] = [planOf(promised, "nginx"), planOf(real, "nginx")]
    expect(plan.score).toBeGreaterThan(promised.before.total_score)
    expect(plan.score).toBeLessThanOrEqual(whole.score)
    expect(whole.score).toBe(real.after.total_score)
  })
})
