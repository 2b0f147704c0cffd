import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { runAudit } from "../../engine/audit/Audit.ts"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { folderTransport } from "../../engine/evidence/folder/FolderTransport.ts"
import { openFolder } from "../../engine/evidence/folder/SiteFolder.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { differencesFromServed, leftOpen } from "../golden/SameAsServed.ts"
import { auditCorpusSite, LABEL_DATE } from "../corpus/AuditCorpusSite.ts"
import { type CorpusServer, hasCorpus, serveCorpus } from "../corpus/CorpusServer.ts"
import { siteLabels } from "../corpus/Label.ts"

/** Built by five different generators, at the root of a host and below it. */
const SITES = ["datagouv-doc", "ellmer", "httpx", "restcaptcha-de", "vuex"]

/** What a folder leaves open: what a server does, and below a path the files of the host's root as well. */
const AT_THE_ROOT = ["B2", "E4", "F1"]
const BELOW_A_PATH = [...AT_THE_ROOT, "A1", "A2", "A3", "A4", "F2", "F3"]

/** What else is open of a site that names a description of another host, which only a server shows. */
const DESCRIBED_ELSEWHERE: Readonly<Record<string, ReadonlyArray<string>>> = {
  "datagouv-doc": ["C1", "C2", "C3", "C4", "C5", "D3", "D5", "D6", "D7"]
}

describe.skipIf(!hasCorpus)("a corpus site as a folder", { timeout: 120_000 }, () => {
  let server: CorpusServer | null = null
  beforeAll(async () => {
    server = await serveCorpus({ only: SITES })
  })
  afterAll(async () => server?.stop())

  const auditFolder = (path: string, url: string): Promise<AuditReport> =>
    Effect.runPromise(
      Effect.gen(function* () {
        const rubric = yield* loadRubric(
          readFileSync(new URL("../../rubric.yaml", import.meta.url)),
          "rubric.yaml",
          plugins
        )
        const transport = folderTransport(yield* openFolder(path), url)
        const request = { url, date: LABEL_DATE, sampleSize: 20, canonicalOrigin: null, folder: true, rubric }
        const { report } = yield* Effect.provide(runAudit(request), Layer.mergeAll(transport, ParserPool.layer))
        return report
      })
    )

  test.each(siteLabels.filter(({ site }) => SITES.includes(site)))(
    "has the report of the served $site, but for what only a server shows",
    async ({ site, url }) => {
      if (server === null) throw new Error("the corpus is not served")
      const served = await Effect.runPromise(auditCorpusSite(server, url))
      const folder = await auditFolder(server.folderOf(site), url)
      expect(differencesFromServed(served, folder)).toEqual([])
      const elsewhere = DESCRIBED_ELSEWHERE[site] ?? []
      if (elsewhere.length === 0) expect(folder.reliability.reliable).toBe(served.reliability.reliable)
      const open = new Set([...(url.endsWith(new URL(url).host) ? AT_THE_ROOT : BELOW_A_PATH), ...elsewhere])
      expect(leftOpen(served, folder).filter((id) => !open.has(id))).toEqual([])
    }
  )
})
