import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { AuditFailed } from "../../engine/audit/AuditRequest.ts"
import { runAudit } from "../../engine/audit/Audit.ts"
import type { AuditReport, CriterionResult } from "../../engine/audit/Report.ts"
import { folderTransport } from "../../engine/evidence/folder/FolderTransport.ts"
import { openFolder } from "../../engine/evidence/folder/SiteFolder.ts"
import { ParserPool } from "../../engine/parse/ParserPool.ts"
import { renderMarkdown } from "../../engine/report/MarkdownReport.ts"
import { loadRubric } from "../../engine/rubric/RubricFile.ts"
import { plugins } from "../../plugins/index.ts"
import { expectFirstRowsToBeFixable, expectOneOrder, expectStepsByFacts } from "../audit/AdviceChecks.ts"
import { differencesFromServed, leftOpen } from "../golden/SameAsServed.ts"
import { auditCorpusSite, corpusRequest } from "./AuditCorpusSite.ts"
import { type CorpusServer, hasCorpus, serveCorpus } from "./CorpusServer.ts"
import { type SiteLabels, siteLabels } from "./Label.ts"

const rubric = Effect.runSync(
  loadRubric(readFileSync(new URL("../../rubric.yaml", import.meta.url)), "rubric.yaml", plugins)
)

/** Sites that are audited as folders, too: built by five different generators, at the root of a host and below it. */
const FOLDERS = new Set(["datagouv-doc", "ellmer", "httpx", "restcaptcha-de", "vuex"])

/** What a folder leaves open: what a server does, and below a path the files of the host's root as well. */
const AT_THE_ROOT = ["B2", "E4", "F1"]
const BELOW_A_PATH = [...AT_THE_ROOT, "A1", "A2", "A3", "A4", "F2", "F3"]

/** What else is open of a site that names a description of another host, which only a server shows. */
const DESCRIBED_ELSEWHERE: Readonly<Record<string, ReadonlyArray<string>>> = {
  "datagouv-doc": ["C1", "C2", "C3", "C4", "C5", "D3", "D5", "D6", "D7"]
}

describe.skipIf(!hasCorpus)("real sites", { timeout: 120_000 }, () => {
  let server: CorpusServer | null = null
  const outcomes = new Map<string, Result.Result<AuditReport, AuditFailed>>()

  const audit = async (url: string): Promise<Result.Result<AuditReport, AuditFailed>> => {
    if (server === null) throw new Error("the corpus is not served")
    return outcomes.get(url) ?? keep(url, await Effect.runPromise(Effect.result(auditCorpusSite(server, url))))
  }
  const keep = (url: string, outcome: Result.Result<AuditReport, AuditFailed>) => {
    outcomes.set(url, outcome)
    return outcome
  }
  const reportOn = async (url: string): Promise<AuditReport> => Result.getOrThrow(await audit(url))
  const criterionOn = async (url: string, id: string): Promise<CriterionResult> => {
    const found = (await reportOn(url)).criteria.find((criterion) => criterion.id === id)
    if (found === undefined) throw new Error(`the report on ${url} lacks ${id}`)
    return found
  }

  beforeAll(async () => {
    server = await serveCorpus()
  })
  afterAll(async () => server?.stop())

  const reported = siteLabels.filter(({ criteria }) => criteria !== undefined)
  const refused = siteLabels.filter(({ no_report }) => no_report !== undefined)

  test.each(reported)("$site is judged as it was labelled by hand", async (labels) => {
    expect(disagreements(labels, await reportOn(labels.url))).toEqual([])
  })

  test.each(reported)(
    "$site is advised what follows from what was found, alike everywhere, in 2,000 tokens",
    async ({ url }) => {
      const report = await reportOn(url)
      expectStepsByFacts(report, rubric)
      expectFirstRowsToBeFixable(report, rubric)
      expectOneOrder(report)
      expect(Math.ceil(renderMarkdown(report).length / 3.65)).toBeLessThanOrEqual(2_000)
    }
  )

  test.each(refused)("$site gets no report", async ({ no_report, url }) => {
    const outcome = await audit(url)
    expect(Result.isFailure(outcome) ? outcome.failure.message : "a report").toContain(no_report?.says)
  })

  test.each(reported.filter(({ site }) => FOLDERS.has(site)))(
    "$site has the same report as a folder, but for what only a server shows",
    async ({ site, url }) => {
      const served = await reportOn(url)
      const folder = await auditFolder(server?.folderOf(site) ?? "", url)
      expect(differencesFromServed(served, folder)).toEqual([])
      const elsewhere = DESCRIBED_ELSEWHERE[site] ?? []
      if (elsewhere.length === 0) expect(folder.reliability.reliable).toBe(served.reliability.reliable)
      const open = new Set([...(url.endsWith(new URL(url).host) ? AT_THE_ROOT : BELOW_A_PATH), ...elsewhere])
      expect(leftOpen(served, folder).filter((id) => !open.has(id))).toEqual([])
    }
  )

  describe("what is known to be wrong with them is found", () => {
    test("dnd5eapi's llms.txt links lead nowhere", async () => {
      const { measured, remedy } = await criterionOn("https://5e-bits.github.io/docs", "A1")
      expect(measured.facts).toMatchObject({ links: 12, sampled_links: 12, dead_links: 12 })
      expect(remedy?.addresses).toContain("https://5e-bits.github.io/docs/graphql.md")
    })

    // Nothing on the site leads there: it is found where somebody asks for it.
    test("parallel-md serves an error text with status 200", async () => {
      const { evidence, measured } = await criterionOn("https://parallel.ai/about-old.md", "E2")
      expect(measured.facts).toMatchObject({ soft_errors: 1 })
      expect(evidence.map(({ note }) => note)).toContain("/about-old.md is an error page with status 200.")
    })

    test("ellmer's sitemap lists its error page", async () => {
      const { evidence } = await criterionOn("https://ellmer.tidyverse.org", "A4")
      expect(evidence.map(({ note }) => note)).toContain(
        "/404.html, listed in the sitemap, looks like an error page by its name."
      )
    })

    test.each(["https://redocly.github.io/redoc", "https://docsify.js.org"])(
      "%s holds no text without JavaScript",
      async (url) => {
        const { measured } = await criterionOn(url, "E1")
        const { reliability } = await reportOn(url)
        expect(measured.facts).toMatchObject({ substantive: 0 })
        expect(reliability).toMatchObject({ reliable: false, flags: expect.arrayContaining(["client_rendered"]) })
      }
    )

    test("kinocut's description says that it is none, and its MCP endpoint does not answer", async () => {
      const { measured } = await criterionOn("https://kinocut.dev", "C4")
      const { evidence } = await criterionOn("https://kinocut.dev", "F1")
      expect(measured.facts).toMatchObject({ operations: 0, fields: 0 })
      expect(evidence.map(({ note }) => note)).toContain(
        "https://kinocut.dev/mcp is named as an MCP endpoint, but does not answer as one."
      )
    })

    test("miosa-elixir's Markdown versions are found by the relative links of llms.txt", async () => {
      const llms = await criterionOn("https://hexdocs.pm/miosa", "A1")
      const versions = await criterionOn("https://hexdocs.pm/miosa", "B1")
      expect(llms.measured.facts).toMatchObject({ links: 103, dead_links: 0 })
      expect(versions.measured.facts).toMatchObject({ with_twin: 1 })
    })
  })
})

const auditFolder = (path: string, url: string): Promise<AuditReport> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const transport = folderTransport(yield* openFolder(path), url)
      const audit = runAudit({ ...corpusRequest(url, rubric), folder: true })
      const { report } = yield* Effect.provide(audit, Layer.mergeAll(transport, ParserPool.layerInline))
      return report
    })
  )

/** One line for each criterion that came out otherwise than its label. */
const disagreements = ({ criteria = {} }: SiteLabels, report: AuditReport): ReadonlyArray<string> =>
  report.criteria.flatMap(({ id, score, status, summary }) => {
    const label = criteria[id]
    if (label === undefined) return [`${id} has no label`]
    if (label.earns === score && label.status === status) return []
    return [`${id}: labelled ${label.earns} (${label.status}), judged ${score} (${status}). ${summary}`]
  })
