import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, test } from "vitest"
import { runAudit } from "../../engine/audit/Audit.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { folderTransport } from "../../engine/evidence/folder/FolderTransport.ts"
import { openFolder } from "../../engine/evidence/folder/SiteFolder.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { AUDIT_DATE, auditFakeSite, type GoldenSite } from "./AuditFakeSite.ts"
import { writeFolder } from "./FolderOf.ts"
import { goldenSites } from "./GoldenSites.ts"
import { differencesFromServed, leftOpen } from "./SameAsServed.ts"

const root = mkdtempSync(join(tmpdir(), "docgauge-golden-"))
afterAll(() => rmSync(root, { recursive: true }))

const auditFolder = (golden: GoldenSite): Promise<AuditReport> => {
  const { name, url } = golden
  const path = join(root, name)
  writeFolder(path, golden)
  return Effect.runPromise(
    Effect.gen(function* () {
      const rubric = yield* loadRubric(
        readFileSync(new URL("../../rubric.yaml", import.meta.url)),
        "rubric.yaml",
        plugins
      )
      const folder = yield* openFolder(path)
      const transport = folderTransport(folder, `${new URL(url).origin}/`)
      const request = { url, date: AUDIT_DATE, sampleSize: 20, canonicalOrigin: null, folder: true, rubric }
      const { report } = yield* Effect.provide(runAudit(request), Layer.mergeAll(transport, ParserPool.layerInline))
      return report
    })
  )
}

describe("a golden site as a folder", () => {
  test.each(goldenSites.filter(({ name }) => name !== "hostile"))(
    "has the report of the served $name site, but for what only a server shows",
    async (golden) => {
      const [served, folder] = await Promise.all([auditFakeSite(golden), auditFolder(golden)])
      expect(folder.reliability.flags).toContain("folder")
      expect(differencesFromServed(served, folder)).toEqual([])
      // F1 where a server of the product would have to answer.
      expect(leftOpen(served, folder).filter((id) => id !== "F1")).toEqual(["B2", "E4"])
    }
  )
})
