import * as Effect from "effect/Effect"
import type { FoundSpec, SpecSearch } from "../../apispec/ApiSpec.ts"
import { DRIFT_KINDS, type DriftKind, type DriftReport } from "../../drift/Drift.ts"
import { indexContract } from "../../drift/match/ContractIndex.ts"
import { NO_REQUESTS, RANK } from "../../evidence/AuditBudget.ts"
import type { Page } from "../../page/Page.ts"
import { derivation, type Using } from "../base/Derivation.ts"
import type { GatherContext } from "../base/GatherContext.ts"
import type { MarkdownVersions } from "../markdown/MarkdownVersions.ts"
import type { Sample } from "../sample/Sample.ts"
import type { FullText } from "../wellknown/FullText.ts"
import { callDrift } from "./CallDrift.ts"
import { type Compared, type DriftCounts, NO_COMPARISON } from "./Compared.ts"
import { type DriftText, driftTexts } from "../texts/DriftTexts.ts"
import { exampleDrift } from "./ExampleDrift.ts"
import { figureDrift } from "./FigureDrift.ts"
import { tableDrift } from "./TableDrift.ts"

/** Where examples, calls, tables and figures of the site say something else than the description or than one another. */
export type SiteDrift = Readonly<Record<DriftKind, Compared>>

/** Compares texts with a description; without one only texts with one another. */
export const compareAll = (
  texts: ReadonlyArray<DriftText>,
  found: Pick<FoundSpec, "exchange" | "spec"> | null
): SiteDrift => {
  const spec = found?.spec ?? null
  const index = spec === null || spec.contract.operations.length === 0 ? null : indexContract(spec.contract, spec.url)
  return {
    example: found === null ? NO_COMPARISON : exampleDrift(found),
    call: index === null || found === null ? NO_COMPARISON : callDrift(texts, index, found.exchange),
    table: index === null ? NO_COMPARISON : tableDrift(texts, index),
    figure: figureDrift(texts, spec)
  }
}

/** As many findings as a report has. */
const REPORTED = 50

/** For a report: at most `most` findings, of each kind in turn, so that many of one hide none of another. */
export const reportedDrift = (drift: SiteDrift, most = REPORTED): DriftReport => {
  const all = DRIFT_KINDS.map((kind) => drift[kind])
  const total = (of: keyof DriftCounts): number => all.reduce((sum, { counts }) => sum + counts[of], 0)
  const rows = Math.max(...all.map(({ findings }) => findings.length))
  const turns = Array.from({ length: rows }, (_, row) => all.flatMap(({ findings }) => findings[row]?.finding ?? []))
  const findings = turns.flat()
  const kept = new Set(findings.slice(0, most))
  return {
    compared: total("compared"),
    agreeing: total("agreeing"),
    false: total("false"),
    not_compared: total("notCompared"),
    findings: all.flatMap((one) => one.findings.flatMap(({ finding }) => (kept.has(finding) ? [finding] : []))),
    ...(findings.length > most ? { findings_left_out: findings.length - most } : {})
  }
}

/** What drift is looked for in. */
export interface DriftSources {
  readonly sample: Sample
  readonly topicPages: ReadonlyArray<Page>
  readonly referencePages: ReadonlyArray<Page>
  readonly markdownVersions: MarkdownVersions
  readonly fullText: FullText
  readonly spec: SpecSearch
}

/** The texts of the site in which drift is looked for: every page that was read, its Markdown version, full texts. */
export const siteDriftTexts = Effect.fnUntraced(function* (
  uses: Using<Omit<DriftSources, "spec">>
): Effect.fn.Return<ReadonlyArray<DriftText>> {
  const [sample, topicPages, referencePages, versions, fullText] = yield* Effect.all(
    [uses.sample, uses.topicPages, uses.referencePages, uses.markdownVersions, uses.fullText],
    { concurrency: "unbounded" }
  )
  return driftTexts([...sample.pages, ...topicPages, ...referencePages], versions, fullText)
})

export const drift = derivation({
  name: "drift",
  budget: NO_REQUESTS,
  rank: RANK.own,
  gather: Effect.fnUntraced(function* (_context: GatherContext, uses: Using<DriftSources>) {
    const [texts, { best }] = yield* Effect.all([siteDriftTexts(uses), uses.spec], { concurrency: 2 })
    return compareAll(texts, best)
  })
})
