import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { AuditReport } from "../../../../engine/audit/Report.ts"
import { shortReport } from "../../../../server/mcp/features/ShortReport.ts"

const typical = Schema.decodeUnknownSync(Schema.fromJsonString(AuditReport))(
  readFileSync(join(import.meta.dirname, "../../../golden/typical/report.json"), "utf8")
)

it("leaves other long parts out last, and says where they are for a run that has no page, too", () => {
  const [page] = typical.pages ?? []
  if (page === undefined) throw new Error("the report has no page")
  const pages = Array.from({ length: 2_000 }, (_, index) => ({ ...page, url: `https://docs.example.com/${index}` }))
  const { leftOut, report } = shortReport({ ...typical, pages })
  expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThan(66_000)
  expect(report).toMatchObject({ total_score: typical.total_score, criteria: { length: 30 } })
  expect(leftOut).toContain(
    "pages: only the whole report has them, on the page of its run or by docgauge URL --format json."
  )
})
