import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { counted, percent } from "../plugin/Wording.ts"
import type { RefereeBook, RefereeTool } from "./RefereeBook.ts"

/** `open`: the check was skipped, does not apply, or failed itself. */
export type TheirVerdict = "pass" | "partial" | "fail" | "open"

/** What a tool's report says of one check. */
export interface ToolCheck {
  readonly id: string
  /** The group of the tool's report that has it; `null` where the report has none. */
  readonly group: string | null
  readonly verdict: TheirVerdict
  /** In the tool's own words; may be empty. */
  readonly says: string
}

/** A tool's report, as far as we hold it against ours. */
export interface ToolReport {
  readonly tool: RefereeTool
  /** Version of the tool or its scorecard; `null` where the report has none. */
  readonly version: string | null
  /** What it was about; `null` where the report has no URL. */
  readonly url: string | null
  /** Scores from 0 to 100, the main one first; none where the tool gives none. */
  readonly scores: ReadonlyArray<{ readonly name: string | null; readonly score: number }>
  /** Pages that it read; `null` where the report does not say. */
  readonly pages: number | null
  readonly checks: ReadonlyArray<ToolCheck>
}

type Reading = Omit<ToolReport, "tool">

const text = Schema.String
const { optionalKey, NullOr } = Schema

/** A reader that takes what a schema decodes. */
const reader =
  <A, I>(schema: Schema.Codec<A, I>, read: (report: A) => Reading) =>
  (report: unknown): Reading | null =>
    Option.match(Schema.decodeUnknownOption(schema)(report), { onNone: () => null, onSome: read })

const VERDICTS: ReadonlyMap<string, TheirVerdict> = new Map([
  ["pass", "pass"],
  ["warn", "partial"],
  ["fail", "fail"]
])

const verdictOf = (status: string): TheirVerdict => VERDICTS.get(status) ?? "open"

const one = (score: number | undefined): Reading["scores"] => (score === undefined ? [] : [{ name: null, score }])

/** It fails checks whose requests failed, and says so in its message: nothing is known of the site then. */
const afdocs = reader(
  Schema.Struct({
    url: text,
    testedPages: optionalKey(Schema.Finite),
    results: Schema.Array(Schema.Struct({ id: text, status: text, message: optionalKey(text) })),
    scoring: optionalKey(Schema.Struct({ overall: Schema.Finite }))
  }),
  ({ results, scoring, testedPages, url }) => ({
    version: null,
    url,
    scores: one(scoring?.overall),
    pages: testedPages ?? null,
    checks: results.map(({ id, message = "", status }) => ({
      id,
      group: null,
      verdict: message.startsWith("Could not ") ? "open" : verdictOf(status),
      says: message
    }))
  })
)

const lighthouse = reader(
  Schema.Struct({
    lighthouseVersion: text,
    finalDisplayedUrl: optionalKey(text),
    audits: Schema.Record(
      text,
      Schema.Struct({
        title: text,
        score: NullOr(Schema.Finite),
        displayValue: optionalKey(text),
        explanation: optionalKey(text)
      })
    ),
    categories: Schema.Record(
      text,
      Schema.Struct({
        title: text,
        score: NullOr(Schema.Finite),
        auditRefs: Schema.Array(Schema.Struct({ id: text }))
      })
    )
  }),
  ({ audits, categories, finalDisplayedUrl, lighthouseVersion }) => {
    const groups = Object.entries(categories).sort(([one], [other]) => orderOf(one) - orderOf(other))
    const placed = groups.flatMap(([group, { auditRefs }]) => auditRefs.map(({ id }) => ({ group, id })))
    return {
      version: lighthouseVersion,
      url: finalDisplayedUrl ?? null,
      scores: groups.flatMap(([, { score, title }]) =>
        score === null ? [] : [{ name: title, score: Math.round(score * 100) }]
      ),
      pages: 1,
      checks: placed.flatMap(({ group, id }, index) => {
        const audit = Object.hasOwn(audits, id) ? audits[id] : undefined
        if (audit === undefined || placed.findIndex((other) => other.id === id) !== index) return []
        const { displayValue, explanation, score, title } = audit
        const says = [title, displayValue, explanation].filter((part) => part !== undefined && part !== "").join(": ")
        return [{ id, group, verdict: ofScore(score), says }]
      })
    }
  }
)

/** The category about agents is the one that people hold against ours, then that about search engines. */
const orderOf = (category: string): number => ["agentic-browsing", "seo"].indexOf(category) + 1 || 9

/** Lighthouse calls 0.9 and more good, and less than 0.5 poor. */
const ofScore = (score: number | null): TheirVerdict => {
  if (score === null) return "open"
  return score >= 0.9 ? "pass" : score >= 0.5 ? "partial" : "fail"
}

const redocly = reader(
  Schema.Struct({
    version: text,
    totals: Schema.Struct({ errors: Schema.Finite, warnings: Schema.Finite }),
    problems: Schema.Array(Schema.Struct({ ruleId: text, severity: text, message: text }))
  }),
  ({ problems, version }) => ({
    version,
    url: null,
    scores: [],
    pages: null,
    checks: [...Map.groupBy(problems, ({ ruleId }) => ruleId)].map(([id, found]) => ({
      id,
      group: null,
      verdict: found.some(({ severity }) => severity === "error") ? "fail" : "partial",
      says: `${counted(found.length, "problem")}, the first: ${found[0]?.message ?? ""}`
    }))
  })
)

const vercel = reader(
  Schema.Struct({
    url: text,
    score: Schema.Finite,
    categories: Schema.Record(
      text,
      Schema.Struct({
        checks: Schema.Array(
          Schema.Struct({ name: text, passed: Schema.Boolean, skipped: Schema.Boolean, detail: optionalKey(text) })
        )
      })
    )
  }),
  ({ categories, score, url }) => ({
    version: null,
    url,
    scores: one(score),
    pages: null,
    checks: Object.entries(categories).flatMap(([group, { checks }]) =>
      checks.map(({ detail = "", name, passed, skipped }) => ({
        id: name,
        group,
        // What it could not fetch has the status 0.
        verdict: skipped || detail === "status 0" ? "open" : passed ? "pass" : "fail",
        says: detail
      }))
    )
  })
)

const A14yCheck = Schema.Struct({ id: text, status: text, message: optionalKey(text) })

const a14y = reader(
  Schema.Struct({
    url: text,
    scorecardVersion: text,
    siteChecks: Schema.Array(A14yCheck),
    pages: Schema.Array(Schema.Struct({ checks: Schema.Array(A14yCheck) })),
    summary: Schema.Struct({ score: Schema.Finite })
  }),
  ({ pages, scorecardVersion, siteChecks, summary, url }) => ({
    version: `scorecard ${scorecardVersion}`,
    url,
    scores: one(summary.score),
    pages: pages.length,
    checks: [
      ...siteChecks.map(({ id, message = "", status }) => ({
        id,
        group: null,
        verdict: verdictOf(status),
        says: message
      })),
      ...[
        ...Map.groupBy(
          pages.flatMap(({ checks }) => checks),
          ({ id }) => id
        )
      ].map(([id, found]) => ofPages(id, found))
    ]
  })
)

/** What the pages have of one check, as one. */
const ofPages = (id: string, found: ReadonlyArray<typeof A14yCheck.Type>): ToolCheck => {
  const judged = found.filter(({ status }) => verdictOf(status) !== "open")
  const passed = judged.filter(({ status }) => status === "pass").length
  const share = judged.length === 0 ? 0 : passed / judged.length
  return {
    id,
    group: null,
    verdict: judged.length === 0 ? "open" : share === 1 ? "pass" : share === 0 ? "fail" : "partial",
    says: `${passed} of ${counted(judged.length, "page")} (${percent(share)})`
  }
}

const cloudflare = reader(
  Schema.Struct({
    url: text,
    level: Schema.Finite,
    levelName: text,
    checks: Schema.Record(text, Schema.Record(text, Schema.Struct({ status: text, message: optionalKey(text) })))
  }),
  ({ checks, level, levelName, url }) => ({
    version: `level ${level}, ${levelName}`,
    url,
    scores: [],
    pages: null,
    checks: Object.entries(checks).flatMap(([group, found]) =>
      Object.entries(found).map(([id, { message = "", status }]) => ({
        id,
        group,
        verdict: verdictOf(status),
        says: message
      }))
    )
  })
)

const axAudit = reader(
  Schema.Struct({
    url: text,
    overallScore: Schema.Finite,
    results: Schema.Array(
      Schema.Struct({
        id: text,
        score: Schema.Finite,
        findings: Schema.Array(Schema.Struct({ status: text, message: text }))
      })
    )
  }),
  ({ overallScore, results, url }) => ({
    version: null,
    url,
    scores: one(overallScore),
    pages: 1,
    checks: results.map(({ findings, id, score }) => ({
      id,
      group: null,
      verdict: score >= 100 ? "pass" : score <= 0 ? "fail" : "partial",
      says: (score >= 100 ? findings[0] : worstOf(findings))?.message ?? ""
    }))
  })
)

const worstOf = <F extends { readonly status: string }>(findings: ReadonlyArray<F>): F | undefined =>
  findings.find(({ status }) => status === "fail") ?? findings.find(({ status }) => status === "warn") ?? findings[0]

const READERS: Readonly<Record<string, (report: unknown) => Reading | null>> = {
  afdocs,
  lighthouse,
  redocly,
  vercel,
  a14y,
  cloudflare,
  "ax-audit": axAudit
}

/** Ids of the tools whose reports there is code for. */
export const readableTools: ReadonlyArray<string> = Object.keys(READERS)

/** A report of no tool that we know, or of one of these in a form that we do not know. */
export type NotRead = { readonly unlike: RefereeTool | null }

/** Reads a tool's report, which is recognised by what it has at its top. */
export const readToolReport = (report: unknown, { tools }: RefereeBook): ToolReport | NotRead => {
  const like = tools.find(({ members }) => members.every((member) => Predicate.hasProperty(report, member)))
  if (like === undefined) return { unlike: null }
  const reading = READERS[like.id]?.(report) ?? null
  return reading === null ? { unlike: like } : { tool: like, ...reading, checks: withSilent(like, reading.checks) }
}

/**
 * A linter's report does not name rules that found nothing. Of a criterion of ours that none of the named rules is about, one rule stands
 * for those that are: it found nothing.
 */
const withSilent = (tool: RefereeTool, checks: ReadonlyArray<ToolCheck>): ReadonlyArray<ToolCheck> => {
  if (tool.id !== "redocly") return checks
  const named = new Set(checks.map(({ id }) => id))
  const told = new Set(
    tool.checks.flatMap(({ criterion, id }) => (criterion !== undefined && named.has(id) ? [criterion] : []))
  )
  const silent = tool.checks.flatMap(({ criterion, id, off }): ReadonlyArray<ToolCheck> => {
    if (criterion === undefined || off === true || told.has(criterion)) return []
    told.add(criterion)
    return [{ id, group: null, verdict: "pass", says: "no problem" }]
  })
  return [...checks, ...silent]
}
