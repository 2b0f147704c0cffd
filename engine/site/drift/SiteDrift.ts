import * as Effect from "effect/Effect"
import type { ApiDescription, FoundSpec, SpecSearch } from "../../apispec/ApiSpec.ts"
import { addressNames, callsIn } from "../../drift/calls/CallsIn.ts"
import { DRIFT_KINDS, type DriftFinding, type DriftKind, type DriftReport } from "../../drift/Drift.ts"
import { type ComparedFigure, compareFigures } from "../../drift/Figures.ts"
import { type CallContext, type CallFinding, contextOf, sentenceOf } from "../../drift/match/CallFinding.ts"
import { compareCall, operationName } from "../../drift/match/CompareCall.ts"
import { type ContractIndex, indexContract } from "../../drift/match/ContractIndex.ts"
import type { NotComparedReason } from "../../drift/match/MatchCall.ts"
import type { ShownCall } from "../../drift/ShownCall.ts"
import { NO_REQUESTS, RANK } from "../../evidence/AuditBudget.ts"
import type { Exchange } from "../../evidence/Exchange.ts"
import { normaliseLanguage } from "../../page/code/CodeLanguage.ts"
import type { CodeBlock, Page } from "../../page/Page.ts"
import { plainText } from "../../text/PlainText.ts"
import { derivation, type GatherContext, type Using } from "../base/Derivation.ts"
import type { MarkdownVersions } from "../markdown/MarkdownVersions.ts"
import type { Sample } from "../sample/Sample.ts"
import { type DriftText, driftTexts } from "../texts/Article.ts"
import type { FullText } from "../wellknown/FullText.ts"
import {
  type Compared,
  type DriftCounts,
  exampleDrift,
  findingText,
  NO_COMPARISON,
  placeOf,
  type ProvenFinding,
  tableDrift
} from "./Compared.ts"

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

/** A call, and where it is shown. */
interface PlacedCall {
  readonly call: ShownCall
  readonly context: CallContext
  /** As a sentence begins with it. */
  readonly place: string
  /** Line in the body that was answered, from 1; `null` where it is not known. */
  readonly line: number | null
  readonly proof: Exchange
}

/** Calls in code, and operations that the page names elsewhere. */
const callsOf = (text: DriftText): ReadonlyArray<PlacedCall> => {
  const { codeBlocks, exchange, page, title, url } = text
  const names = addressNames(codeBlocks)
  const placed = (call: ShownCall, around: string, line: number | null): PlacedCall => ({
    call,
    context: { page: url, around: `${title}\n${around}` },
    place: placeOf(url, line),
    line,
    proof: exchange
  })
  const inCode = codeBlocks.flatMap((block) => {
    const calls = callsIn(block, names)
    const { around } = calls.length === 0 ? { around: "" } : contextOf(text, block)
    return calls.map((call) => placed(call, around, lineOf(block, call)))
  })
  const known = new Set(inCode.map(({ call }) => `${call.method} ${call.address}`))
  const named = (page?.operations ?? [])
    .filter(({ method }) => method !== "")
    .flatMap(({ method, path }) => callsIn({ text: `${method} ${path}`, language: "http" }, names))
    .filter(({ address, method }) => !known.has(`${method} ${address}`))
  return [...inCode, ...named.map((call) => placed(call, paragraphsOf(text, call), null))]
}

/** The paragraphs and rows that name an operation. */
const paragraphsOf = ({ sections }: DriftText, { address }: ShownCall): string =>
  sections
    .filter((section) => section.text.includes(address))
    .flatMap((section) => section.text.split("\n").filter((line) => line.includes(address)))
    .join("\n")

const lineOf = ({ line, lineByLine }: CodeBlock, call: ShownCall): number | null =>
  line === null || !lineByLine ? line : line + call.line

/** Calls of texts; a Markdown version's and a full text's only where no page shows it. */
const callsOfTexts = (texts: ReadonlyArray<DriftText>): ReadonlyArray<PlacedCall> => {
  const seen = new Set<string>()
  return texts.flatMap((text) =>
    callsOf(text).filter(({ call: { address, body, headers, method, query } }) => {
      const key = JSON.stringify([method, address, query, headers, body])
      const isNew = !seen.has(key)
      seen.add(key)
      return isNew || text.page !== null
    })
  )
}

/** Calls in the code that operations of the description show. */
const callsOfSamples = ({ contract, url }: ContractIndex, proof: Exchange): ReadonlyArray<PlacedCall> =>
  contract.samples.flatMap(({ language, operation: index, text }) => {
    const operation = contract.operations[index]
    if (operation === undefined) return []
    const written = language === "" ? "" : ` (${plainText(language, 40)})`
    const place = `The code sample of ${operationName(operation)}${written}`
    // That of a deprecated operation need not say so again.
    const around = operation.marks.includes("deprecated") ? "deprecated" : ""
    return callsIn({ text, language: normaliseLanguage(language) }).map((call) => ({
      call,
      context: { page: url, around },
      place,
      line: null,
      proof
    }))
  })

/** Every call of the texts, and of the description's own code, which came with `exchange`. */
const shownCalls = (
  texts: ReadonlyArray<DriftText>,
  index: ContractIndex,
  exchange: Exchange
): ReadonlyArray<PlacedCall> => [...callsOfTexts(texts), ...callsOfSamples(index, exchange)]

/** Compares them with the description. */
const callDrift = (texts: ReadonlyArray<DriftText>, index: ContractIndex, exchange: Exchange): Compared => {
  const findings: Array<ProvenFinding> = []
  const because = new Map<NotComparedReason, number>()
  let [agreeing, notCompared, wrong] = [0, 0, 0]
  for (const placed of shownCalls(texts, index, exchange)) {
    const compared = compareCall(placed.call, index, placed.context)
    if (compared._tag === "NotCompared") {
      notCompared++
      because.set(compared.reason, (because.get(compared.reason) ?? 0) + 1)
    } else if (compared._tag === "Agrees") agreeing++
    else {
      wrong++
      for (const finding of compared.findings)
        findings.push({ proof: placed.proof, finding: reported(finding, placed, index) })
    }
  }
  return { counts: { compared: agreeing + wrong, agreeing, false: wrong, notCompared }, because, findings }
}

const reported = (
  finding: CallFinding,
  { context, line, place }: PlacedCall,
  { url }: ContractIndex
): DriftFinding => ({
  kind: "call",
  reason: finding.reason,
  message: findingText(`${place} ${sentenceOf(finding)}.`),
  page: { url: context.page, line },
  description: { url, pointer: findingText(finding.pointer) },
  found: findingText(finding.found),
  expected: findingText(finding.expected),
  call: finding.call,
  ...(finding.likely === null ? {} : { likely: finding.likely })
})

/** Compares figures of pages; Markdown versions and full texts would only repeat them. */
const figureDrift = (texts: ReadonlyArray<DriftText>, spec: ApiDescription | null): Compared => {
  const figures = compareFigures(
    texts.filter(({ page }) => page !== null),
    spec === null ? null : { title: spec.title, version: spec.version, servers: spec.servers }
  )
  const wrong = figures.filter(({ agrees }) => !agrees)
  return {
    counts: {
      compared: figures.length,
      agreeing: figures.length - wrong.length,
      false: wrong.length,
      notCompared: 0
    },
    findings: wrong.map((figure) => proven(figure, spec))
  }
}

const POINTERS = { base_url: "/servers", version: "/info/version", rate_limit: "" } as const

const proven = (figure: ComparedFigure<DriftText>, spec: ApiDescription | null): ProvenFinding => {
  const { other, reason, text } = figure
  const [found, expected] = [plainText(figure.found, 200), plainText(figure.expected, 200)]
  return {
    proof: text.exchange,
    finding: {
      kind: "figure",
      reason,
      message: findingText(`${placeOf(text.url, null)} ${sentence(figure, found, expected)}.`),
      page: { url: text.url, line: null },
      ...(other === null ? {} : { other: { url: other.url, line: null } }),
      description: other === null && spec !== null ? { url: spec.url, pointer: POINTERS[reason] } : null,
      found,
      expected
    }
  }
}

const sentence = ({ other, reason }: ComparedFigure<DriftText>, found: string, expected: string): string => {
  if (other !== null) return `states ${found}, and ${placeOf(other.url, null)} states ${expected}`
  return reason === "base_url"
    ? `names ${found} as the base URL, which is no server of the description; it has ${expected}`
    : `has release ${found}; the description is still of version ${expected}`
}

export const drift = derivation({
  name: "drift",
  budget: NO_REQUESTS,
  rank: RANK.own,
  gather: Effect.fnUntraced(function* (_context: GatherContext, uses: Using<DriftSources>) {
    const [texts, { best }] = yield* Effect.all([siteDriftTexts(uses), uses.spec], { concurrency: 2 })
    return compareAll(texts, best)
  })
})
