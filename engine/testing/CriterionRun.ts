import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Criterion, Finding, Measurement, Unobtainable } from "../plugin/Criterion.ts"
import {
  type FactFields,
  type FactRecord,
  type FactValues,
  type UncertainRecord,
  uncertainRecord
} from "../plugin/Fact.ts"
import { factsFault, NO_FINDING, uncertainFault } from "../external/ExternalMessage.ts"
import { plainText } from "../text/PlainText.ts"
import { normalise, siteOf } from "../evidence/Address.ts"
import { type Budget, criterionSpender, makeAuditBudget, USUAL_SAMPLE } from "../evidence/AuditBudget.ts"
import { Evidence } from "../evidence/Evidence.ts"
import type { Exchange } from "../evidence/Exchange.ts"
import { defaultLimits, FetchLimits } from "../evidence/FetchLimits.ts"
import type { JournalEntry } from "../evidence/Journal.ts"
import { baseSpender, gatherBase } from "../site/base/Base.ts"
import { ParserPool } from "../parse/ParserPool.ts"
import { makeSite, type Site, siteSpenders } from "../site/Site.ts"
import { FAKE_HOST, type FakeAnswer, type FakeResponse, type FakeSite, layerFakeSite } from "./FakeSite.ts"
import { judge, type Judgement } from "../audit/Score.ts"
import { compilerFor, type Condition } from "../rubric/condition/Condition.ts"
import type { Level } from "../rubric/definition/Rubric.ts"
import { readSource } from "../rubric/RubricSource.ts"
import { isExternal } from "../external/ExternalPlugins.ts"

/** The part of a criterion's rubric entry that judges it. */
export interface CriterionEntry {
  /** Such as `A1`. */
  readonly id: string
  readonly params: Readonly<Record<string, unknown>>
  /** How the rubric names an external plugin, which the engine runs in a thread; `null` for one of ours. */
  readonly external: { readonly name: string; readonly rubricFile: string } | null
  readonly levels: ReadonlyArray<Pick<Level, "status" | "earns">>
  /** What these facts come to. */
  readonly earns: (facts: FactRecord, uncertain?: UncertainRecord) => CaseResult
}

/**
 * The points of the level that is reached, which identify it; `partial`: the level of that status that earns nothing;
 * `inconclusive`: the level depends on uncertain facts.
 */
export type CaseResult = number | "partial" | "inconclusive"

/** The result by which a case reaches a level. */
export const resultOfLevel = ({ earns, status }: Pick<Level, "status" | "earns">): CaseResult =>
  status === "partial" && earns === 0 ? "partial" : earns

/** The rubric of the source tree, or of the package. */
const RUBRIC = new URL(import.meta.url.endsWith(".ts") ? "../../rubric.yaml" : "../rubric.yaml", import.meta.url)

/**
 * The entry for one plugin in a rubric, with its conditions checked against the plugin's facts. In an author's own file, which
 * names plugins by path, it is the entry of that module or with that name after `#`. Errors in other entries are ignored. Throws
 * if there is no entry or a condition does not compile.
 */
export const criterionEntryOf = (
  criterion: { readonly id: string; readonly facts: FactFields },
  file: string | URL = RUBRIC
): CriterionEntry => {
  const { decoded } = Effect.runSync(readSource(readFileSync(file), pathOf(file)))
  const rubric = Result.getOrThrowWith(
    decoded,
    () => new Error(`${pathOf(file)} is not a rubric; docgauge rubric check lists what is wrong with it`)
  )
  const entries = [...rubric.categories.flatMap(({ criteria }) => criteria), ...(rubric.experimental ?? [])]
  const entry = entries.find(({ plugin }) => nameOf(plugin) === criterion.id)
  if (entry === undefined) throw new Error(`the rubric has no criterion for ${criterion.id}`)
  const compile = compilerFor(criterion.facts)
  const levels = entry.levels.map(({ earns, status, when }) => ({
    earns,
    status,
    condition: when === undefined ? null : compiled(compile(when), entry.id)
  }))
  return {
    id: entry.id,
    params: entry.params,
    external: isExternal(entry.plugin) ? { name: entry.plugin, rubricFile: pathOf(file) } : null,
    levels,
    earns: (facts, uncertain) => resultOfJudgement(judge(levels, facts, uncertain))
  }
}

const pathOf = (file: string | URL): string =>
  file instanceof URL || file.startsWith("file:") ? fileURLToPath(file) : file

const resultOfJudgement = ({ earns, status }: Judgement): CaseResult =>
  status === "inconclusive" ? status : resultOfLevel({ earns, status })

/** `has-glossary` of `./criteria/has-glossary.ts`, of `@acme/criteria#has-glossary` and of `has-glossary`. */
const nameOf = (plugin: string): string => (plugin.split(/[#/]/).at(-1) ?? plugin).replace(/\.[cm]?[jt]s$/, "")

const compiled = (result: Result.Result<Condition, { readonly message: string }>, id: string): Condition => {
  if (Result.isSuccess(result)) return result.success
  throw new Error(`${id}: ${result.failure.message}`)
}

/** Options of a run; the defaults are those of a real audit. */
export interface RunOptions {
  readonly site: FakeSite
  /** The audited URL, absolute or a path; `/` by default. */
  readonly url?: string
  /** The run's date; 2026-06-15 by default. */
  readonly date?: string
  readonly sampleSize?: number
  readonly limits?: Partial<FetchLimits>
  /** See `FakeSiteOptions.seed`. */
  readonly seed?: number
}

/** The result of measuring, and what was fetched for it. */
export interface MeasuredRun<Facts> {
  /** `null` if the plugin could not obtain its evidence, or gave facts that it does not declare. */
  readonly facts: Facts | null
  /** Facts that missing responses could change. */
  readonly uncertain: UncertainRecord
  /** The findings of the plugin; if it could not obtain its evidence, one that says so. */
  readonly findings: readonly [Finding, ...ReadonlyArray<Finding>]
  /** Why an audit would refuse or alter the result, one clause each. */
  readonly faults: ReadonlyArray<string>
  readonly journal: ReadonlyArray<JournalEntry>
}

type CriterionRun<Fields extends FactFields> = MeasuredRun<FactValues<Fields>>

/** A plugin with its params, whatever thread it measures in. */
export interface RunSubject<Facts> {
  readonly budget: Budget
  /** What it declares to measure. */
  readonly fields: FactFields
  readonly measure: (site: Site) => Effect.Effect<Measurement<Facts>, Unobtainable>
}

/**
 * Runs one plugin of ours against a fake site, in this thread. `params` are decoded by the plugin's schema, as those of the
 * rubric are.
 */
export const runCriterion = <Fields extends FactFields, Params extends Schema.Struct.Fields>(
  criterion: Criterion<Fields, Params>,
  rubricId: string,
  params: Readonly<Record<string, unknown>>,
  options: RunOptions
): Effect.Effect<CriterionRun<Fields>> =>
  Schema.is(criterion.params)(params)
    ? runSubject(
        { budget: criterion.budget, fields: criterion.facts, measure: (site) => criterion.measure(site, params) },
        rubricId,
        options
      )
    : Effect.die(new Error(`${criterion.id}: wrong params`))

/** Runs a plugin through the real code: `Evidence` with the audit's reservations, the site's derivations, the parsers. */
export const runSubject = <Facts extends FactRecord>(
  { budget: own, fields, measure }: RunSubject<Facts>,
  rubricId: string,
  options: RunOptions
): Effect.Effect<MeasuredRun<Facts>> => {
  const audited = normalise(options.url ?? "/", FAKE_HOST) ?? FAKE_HOST
  const limits: FetchLimits = Object.assign({}, defaultLimits, options.limits)
  const sampleSize = options.sampleSize ?? USUAL_SAMPLE
  const date = options.date ?? "2026-06-15"
  const budget = makeAuditBudget(limits, sampleSize)
  budget.reserve(siteSpenders)
  budget.reserve([criterionSpender(rubricId, own)])
  const evidence = Evidence.layer({
    site: siteOf(new URL(audited).hostname),
    canonicalOrigin: null,
    allowanceOf: budget.allowanceOf
  })
  const transport = layerFakeSite(options.site, options.seed === undefined ? {} : { seed: options.seed })
  return Effect.gen(function* () {
    const door = yield* Evidence
    const parsing = yield* ParserPool
    const base = yield* gatherBase(door.collector(baseSpender.collector), parsing, audited)
    const site = yield* makeSite({ base, date, sampleSize })
    const outcome = yield* Effect.result(measure(site.for(rubricId)))
    const journal = yield* door.journal
    return Result.isSuccess(outcome)
      ? { ...checked(fields, outcome.success, base.exchange), journal }
      : { ...withoutEvidence(outcome.failure), journal }
  }).pipe(
    Effect.scoped,
    Effect.provide(Layer.mergeAll(evidence.pipe(Layer.provide(transport)), ParserPool.layerInline)),
    Effect.provideService(FetchLimits, limits)
  )
}

const checked = <Facts extends FactRecord>(
  fields: FactFields,
  { facts, findings, uncertain = {} }: Measurement<Facts>,
  base: Exchange
): Omit<MeasuredRun<Facts>, "journal"> => {
  const maybe = uncertainRecord(uncertain)
  const wrong = [factsFault(fields, facts), uncertainFault(fields, maybe)].filter((fault) => fault !== null)
  // The types say that there is a first finding; plugins in JavaScript have no types.
  const given: ReadonlyArray<Finding> = findings
  const first = given[0] ?? { good: false, message: "There is no finding.", proof: base }
  return {
    facts: wrong.length === 0 ? facts : null,
    uncertain: maybe,
    findings: [first, ...given.slice(1)],
    faults: [...wrong, ...findingFaults(findings)]
  }
}

const withoutEvidence = ({ exchange, fault, message }: Unobtainable): Omit<MeasuredRun<never>, "journal"> => {
  const findings = [{ good: false, message, proof: exchange }] as const
  return { facts: null, uncertain: {}, findings, faults: fault === "plugin" ? [message] : findingFaults(findings) }
}

/** Characters of a message that a fault quotes. */
const OPENING = 60

/** What is wrong with the findings of a plugin, one clause each: a report would show other words than the plugin's. */
const findingFaults = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> => {
  if (findings.length === 0) return [NO_FINDING]
  return findings.flatMap(({ message }) => {
    const shown = plainText(message)
    if (shown === message) return shown === "" ? ["it gives a finding without a message"] : []
    const kind =
      shown.endsWith("…") && !message.endsWith("…")
        ? "is too long: a report cuts it"
        : "has line breaks, runs of blanks or invisible characters: quote the site with plainText"
    return [`its message "${plainText(message, OPENING)}" ${kind}`]
  })
}

/** A broken site with the same response for every URL. */
export interface Ordeal {
  readonly name: OrdealName
  readonly site: FakeSite
  readonly limits?: Partial<FetchLimits>
}

export type OrdealName =
  | "all 404"
  | "all hang"
  | "all 403 challenge"
  | "soft 404"
  | "all 5xx"
  | "empty bodies"
  | "huge bodies"

const page = (title: string, text: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`

const KB = 1_024

/** On these, every plugin must end without a crash and without points. */
export const ordeals: ReadonlyArray<Ordeal> = [
  { name: "all 404", site: { "*": { status: 404, body: page("Not found", "There is no such page.") } } },
  { name: "all hang", site: { "*": { delayMs: Infinity } }, limits: { firstByteMs: 1, gatherMs: 2_000 } },
  {
    name: "all 403 challenge",
    site: {
      "*": {
        status: 403,
        headers: { server: "cloudflare", "cf-mitigated": "challenge" },
        body: page(
          "Just a moment...",
          "Checking your browser before you proceed. Enable JavaScript and cookies to continue."
        )
      }
    }
  },
  {
    name: "soft 404",
    site: {
      "*": { body: page("Page not found", "Sorry, the page you are looking for does not exist."), type: "text/html" }
    }
  },
  { name: "all 5xx", site: { "*": { status: 503, body: page("Service unavailable", "Try again later.") } } },
  { name: "empty bodies", site: { "*": { body: "" } } },
  {
    name: "huge bodies",
    site: {
      "*": { body: `<!doctype html><html><body>${"<p>Words without an end. ".repeat(20_000)}`, type: "text/html" }
    },
    limits: { pageBytes: 64 * KB, documentBytes: 128 * KB }
  }
]

/** Pages that a case's site gets besides its own: a sample of this many is taken although some do not answer. */
const PADDING = 13

/** A case's site with more pages like its start page, of which some did not answer. */
interface PaddedSites {
  /** Every page answers, and is like the start page. */
  readonly whole: FakeSite
  /** As many pages do not answer as another page stands for in `other`. */
  readonly missing: FakeSite
  /** What the missing pages may have been as well: pages that have none of what the start page has. */
  readonly other: FakeSite
  /** How many pages do not answer. */
  readonly count: number
}

/** How many pages are left without an answer: one in twelve, then so many that a threshold of half is crossed. */
const MISSING_COUNTS = [1, 8]

/**
 * The sites on which a plugin shows whether it handles missing responses; none where the start page of the case is no plain page. What a
 * criterion earns while pages are missing must be what it earns whatever these are, or inconclusive.
 */
export const paddedSites = (site: FakeSite): ReadonlyArray<PaddedSites> => {
  const start = htmlOf(site["/"])
  if (start === null) return []
  const paths = Array.from({ length: PADDING }, (_, index) => `/padding-${index + 1}`)
  const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(" ")
  const { body, ...rest } = start
  const withLinks: FakeSite = { ...site, "/": { ...rest, body: inside(body, `<nav>${links}</nav>`) } }
  const padded = (answer: (index: number) => FakeAnswer): FakeSite => ({
    ...withLinks,
    ...Object.fromEntries(paths.map((path, index) => [path, answer(index)]))
  })
  const like = (index: number): FakeAnswer => ({
    ...rest,
    body: inside(body, `<p>Page ${index + 1} of ${PADDING}.</p>`)
  })
  return MISSING_COUNTS.map((count) => ({
    count,
    whole: padded(like),
    missing: padded((index) => (index < count ? { status: 503, body: "Try again later." } : like(index))),
    other: padded((index) => (index < count ? plainPage(index) : like(index)))
  }))
}

const htmlOf = (answer: FakeAnswer | undefined): (FakeResponse & { readonly body: string }) | null => {
  const response: FakeAnswer | undefined = typeof answer === "string" ? { body: answer } : answer
  if (response === undefined || typeof response === "function" || response instanceof Uint8Array) return null
  const { body, status = 200 } = response
  return typeof body === "string" && status === 200 && /<\w/.test(body) ? { ...response, body } : null
}

/** At the end of the page's content. */
const inside = (html: string, more: string): string => {
  const end = ["</main>", "</body>", "</html>"].map((tag) => html.lastIndexOf(tag)).find((at) => at >= 0) ?? html.length
  return `${html.slice(0, end)}${more}${html.slice(end)}`
}

const plainPage = (index: number): string =>
  `<!doctype html><html><head><title>Page ${index + 1}</title></head><body><p>Some words of page ${index + 1}, and nothing that a rule asks for; they go on for a while, so that the page has content of its own to be read.</p></body></html>`
