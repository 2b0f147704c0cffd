import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import { someMatrix } from "../audit/agents/SomeMatrix.ts"
import { AuditFailed } from "../../engine/audit/AuditRequest.ts"
import { type AuditReport, encodeReport } from "../../engine/audit/Report.ts"
import { type Audited, type Auditor, NotAudited } from "../../engine/schedule/Auditor.ts"
import type { Run } from "../../engine/store/runs/Run.ts"
import { auditFailureOf, outcomeOf } from "../../engine/process/AuditResult.ts"

type Audit = Auditor["Service"]["audit"]

const CATEGORIES = {
  A_discovery: "Discovery",
  B_page_artifacts: "Page artifacts",
  C_api_spec: "API spec",
  D_content: "Content",
  E_hygiene: "Hygiene",
  F_agent_surface: "Agent surface"
}

/** A report of the right shape, with this total. */
export const reportOf = (url: string, total = 60, isReliable = true): AuditReport => ({
  base_url: url,
  audit_date: "2026-11-21",
  total_score: total,
  max_score: 100,
  categories: Object.fromEntries(
    Object.entries(CATEGORIES).map(([key, title]) => [key, { score: Math.floor(total / 10), max: 20, title }])
  ),
  criteria: ["A1", "D3"].map((id) => ({
    id,
    status: total > 50 ? "present" : "partial",
    score: Math.floor(total / 20),
    max: 5,
    evidence_url: `${url}/llms.txt`,
    title: "llms.txt follows the format",
    summary: "/llms.txt has one title and 3 links.",
    evidence: [{ url: `${url}/llms.txt`, status: 200, note: "/llms.txt has one title and 3 links." }],
    remedy: null,
    measured: { plugin: "a1-llms-txt", revision: 1, params: {}, facts: { h1: 1 } }
  })),
  verdict: "AI-ready",
  rubric: { id: "docs-ai-readiness", version: "1.0.0", digest: "sha256:0" },
  engine_version: "0.1.0",
  reliability: isReliable
    ? { reliable: true, coverage: 1, flags: [], skipped: [] }
    : { reliable: false, coverage: 0.9, flags: ["unanswered"], skipped: [] },
  signals: [],
  experimental: []
})

const audited = ({ asAgents, url }: Run, total: number, isReliable: boolean): Audited => {
  const plain = reportOf(url, total, isReliable)
  const report = asAgents ? { ...plain, as_agents: someMatrix() } : plain
  return {
    result: {
      encoded: encodeReport(report),
      totalScore: total,
      reliable: isReliable,
      outcomes: report.criteria.map(outcomeOf),
      generator: null,
      facts: [],
      exchanges: [],
      durationMs: 1_200,
      requests: 80,
      bytes: 500_000
    },
    archive: Effect.succeed(new TextEncoder().encode(`archive of ${url}`))
  }
}

/** How long each step takes of an audit that goes on by itself. */
const STEP_MS = 1_100

/** Criteria measured after each step. */
const MEASURED = [10, 20, 30]

/** The criteria of the rubric, in its order. */
const STEPS = Object.entries({ A: 5, B: 5, C: 5, D: 7, E: 4, F: 4 }).flatMap(([letter, count]) =>
  Array.from({ length: count }, (_, index) => `${letter}${index + 1}`)
)

export interface ScriptedAuditor {
  readonly audit: Audit
  /** How often it was asked. */
  readonly audits: () => number
  /** Lets audits of `held.*` go on. */
  readonly release: () => void
  /** Lets audits of `strolling.*` take their next step. */
  readonly step: () => void
}

/**
 * An auditor without a network. The first label of the host says what comes of it: `failing`, `unreachable`, `broken`,
 * `unreliable` (a report that isn't reliable), `wavering` (the same from the second audit on), `held` (until it is released), `stepping` (tells of each step, for three seconds), `strolling` (the same, each step as the test says); a number anywhere in the host is the score, 60 otherwise, and 10 more with each audit.
 */
export const scriptedAuditor = (): ScriptedAuditor => {
  const gate = Latch.makeUnsafe(false)
  const steps = MEASURED.map(() => Latch.makeUnsafe(false))
  let taken = 0
  const seen = new Map<string, number>()
  let audits = 0
  const scoreOf = ({ url }: Run): number => {
    const before = seen.get(url) ?? 0
    seen.set(url, before + 1)
    return Math.min(100, Number(/\d+/.exec(new URL(url).hostname)?.[0] ?? 60) + 10 * before)
  }
  const audit: Audit = (run, { fetching, measured, requested }) => {
    audits += 1
    const [label] = new URL(run.url).hostname.split(".")
    const fail = (reason: AuditFailed["reason"], message: string) =>
      Effect.fail(
        new NotAudited({
          ...auditFailureOf(new AuditFailed({ reason, message, advice: "Check it.", journal: [] })),
          durationMs: 300,
          bytes: 1_000,
          archive: Effect.succeed(new TextEncoder().encode(`archive of ${run.url}`))
        })
      )
    const done = Effect.sync(() => {
      requested(80)
      measured({ done: 30, total: 30 })
      const isReliable = label !== "unreliable" && (label !== "wavering" || !seen.has(run.url))
      return audited(run, scoreOf(run), isReliable)
    })
    if (label === "failing") return fail("no_page", `${run.url} answers 403, and no other page could be read.`)
    if (label === "unreachable") return fail("unreachable", `${run.url} could not be reached.`)
    if (label === "broken") return Effect.die(new Error("secret detail"))
    const stepByStep = (wait: (index: number) => Effect.Effect<void>) =>
      Effect.andThen(
        Effect.forEach(
          MEASURED,
          (step, index) =>
            Effect.andThen(
              wait(index),
              Effect.sync(() => {
                measured({ done: step, total: 30, criteria: STEPS.slice(0, step) })
                fetching?.([`${run.url}/step-${step}`, run.url])
              })
            ),
          { discard: true }
        ),
        done
      )
    if (label === "stepping") return stepByStep(() => Effect.sleep(STEP_MS))
    if (label === "strolling") return stepByStep((index) => steps[index]?.await ?? Effect.void)
    return label === "held" ? Effect.andThen(gate.await, done) : done
  }
  return {
    audit,
    audits: () => audits,
    release: () => gate.openUnsafe(),
    step: () => {
      steps[taken++]?.openUnsafe()
    }
  }
}
