import { readFileSync } from "node:fs"
import process from "node:process"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runAudit } from "../../engine/audit/Audit.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { plugins } from "../../plugins/index.ts"
import { transportTo } from "../harness/LoopbackTransport.ts"
import { DOCS_URL, type PublicService, startPublicService } from "./PublicService.ts"

/*
 * docgauge audits its own documentation: the real service behind TLS, the real engine over the network, the rubric of the
 * tree. Nothing of the audit knows that the site is ours.
 */

const RUBRIC = new URL("../../rubric.yaml", import.meta.url)

/** A day on which the changelog is recent: how old it is at any other time says nothing of a change to the code. */
const DATE = "2026-11-21"

const LEAST = 90

const audited = (service: PublicService): Promise<AuditReport> => {
  const audit = Effect.gen(function* () {
    const rubric = yield* loadRubric(readFileSync(RUBRIC), "rubric.yaml", plugins)
    return yield* runAudit({ url: DOCS_URL, date: DATE, sampleSize: 20, canonicalOrigin: null, rubric })
  })
  return Effect.runPromise(
    Effect.map(Effect.provide(audit, Layer.mergeAll(transportTo(service), ParserPool.layer)), ({ report }) => report)
  )
}

/** What is not earned, for readers of a build log. */
const table = ({ criteria, total_score }: AuditReport): string =>
  [
    `docgauge on its own documentation: ${total_score}`,
    ...criteria.flatMap(({ id, max, score, summary, title }) =>
      score < max ? [`  ${id} ${score}/${max} ${title}: ${summary}`] : []
    )
  ].join("\n")

describe("docgauge audited by docgauge", () => {
  let site: PublicService
  let report: AuditReport

  beforeAll(async () => {
    site = await startPublicService()
    report = await audited(site)
    process.stdout.write(`${table(report)}\n`)
  })

  afterAll(() => site.stop())

  it(`earns at least ${LEAST} points, and the report can be relied on`, () => {
    expect(report.total_score, table(report)).toBeGreaterThanOrEqual(LEAST)
    expect(report.reliability).toMatchObject({ reliable: true, coverage: 1, flags: [] })
  })

  it("tells its score on a page of its own, with each criterion that does not earn all its points, and no other", async () => {
    const page = await (await site.service.ask("/docs/v1/our-score.md")).text()
    const named = [...page.matchAll(/^### ([A-F]\d)\b/gm)].map(([, id]) => id)
    const [version] = report.rubric.version.split(".")
    expect(page).toContain(
      `${report.total_score} of 100 points**, with version ${version} of the rubric \`${report.rubric.id}\``
    )
    expect(named).toEqual(report.criteria.flatMap(({ id, max, score }) => (score < max ? [id] : [])))
  })
})
