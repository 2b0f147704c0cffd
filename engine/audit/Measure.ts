import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import type { Finding } from "../plugin/Criterion.ts"
import { type FactRecord, type UncertainRecord, uncertainRecord } from "../plugin/Fact.ts"
import type { BoundCriterion } from "../plugin/Registry.ts"
import { type Exchange, type Fault, isAnswer } from "../evidence/Exchange.ts"
import { fetchedIn, type JournalEntry } from "../evidence/Journal.ts"
import type { LoadedCriterion } from "../rubric/RubricFile.ts"
import type { Site } from "../site/Site.ts"

/** What a plugin made of the site. */
export interface MeasuredCriterion {
  /** `null` if the evidence is missing. */
  readonly facts: FactRecord | null
  /** Facts that missing responses could change. */
  readonly uncertain: UncertainRecord
  /** The missing responses; of a criterion without facts, the one that it could not do without. */
  readonly unanswered: ReadonlyArray<Exchange>
  /** The first sums up; where there are no facts, it says which evidence is missing. */
  readonly findings: readonly [Finding, ...ReadonlyArray<Finding>]
  /** How many files the plugin itself read in part. */
  readonly filesCut?: number
  /** The plugin itself failed: it threw, hung, or gave back facts that are none. */
  readonly pluginFailed: boolean
}

/** Of a criterion that judges what only a server shows, where a folder is audited. */
export const notChecked = (proof: Exchange): MeasuredCriterion => ({
  facts: null,
  uncertain: {},
  unanswered: [],
  findings: [
    {
      good: false,
      message: "Not checked: a folder does not show how a server answers. Audit the published site to check this.",
      proof
    }
  ],
  pluginFailed: false
})

/** Lets a criterion's plugin measure. One that fails where it must not (a bug) counts as without evidence; the log tells. */
export const measure = Effect.fn("Audit.measure")(function* (
  criterion: LoadedCriterion<BoundCriterion>,
  site: Site
): Effect.fn.Return<MeasuredCriterion> {
  const unobtained = (message: string, proof: Finding["proof"], pluginFailed: boolean): MeasuredCriterion => ({
    facts: null,
    uncertain: {},
    unanswered: pluginFailed ? [] : [proof],
    findings: [{ good: false, message, proof }],
    pluginFailed
  })
  return yield* criterion.bound.measure(site).pipe(
    Effect.map(({ facts, filesCut = 0, findings, unanswered = [], uncertain = {} }): MeasuredCriterion => ({
      facts,
      uncertain: uncertainRecord(uncertain),
      unanswered,
      findings,
      filesCut,
      pluginFailed: false
    })),
    Effect.catchTag("Unobtainable", ({ exchange, fault, message }) =>
      Effect.succeed(unobtained(message, exchange, fault === "plugin"))
    ),
    Effect.map(({ findings: [first, ...others], ...outcome }) => ({
      ...outcome,
      findings: [withRefusal(first), ...others.map(withRefusal)] as const
    })),
    Effect.catchCause((cause) =>
      Cause.hasInterrupts(cause)
        ? Effect.failCause(cause)
        : Effect.as(
            Effect.logError(`The plugin ${criterion.definition.plugin} failed`, cause),
            unobtained(
              `Our check of ${criterion.definition.id} failed; this is a fault of docgauge, not of the site.`,
              site.base.exchange,
              true
            )
          )
    )
  )
})

/** A finding about what robots.txt kept us from says so: plugins cannot tell why nothing was sent. */
const withRefusal = (finding: Finding): Finding =>
  !finding.good && !isAnswer(finding.proof) && finding.proof.kind === "shut_out"
    ? { ...finding, message: `${finding.message} robots.txt of its host forbids docgauge by name.` }
    : finding

type Outcome = readonly [id: string, outcome: MeasuredCriterion]

/**
 * Outcomes, those of plugins that cite what was not fetched refused: a report proves each verdict, and a plugin that makes
 * up one exchange may have made up its facts. `base` is the proof of the refusal.
 */
export const withoutUnfetchedProof = (
  outcomes: ReadonlyArray<Outcome>,
  journal: ReadonlyArray<JournalEntry>,
  base: Exchange
): ReadonlyArray<Outcome> => {
  const wasFetched = fetchedIn(journal)
  return outcomes.map(([id, outcome]): Outcome => {
    const cited = [...outcome.findings.map(({ proof }) => proof), ...outcome.unanswered].find(
      (proof) => !wasFetched(proof)
    )
    if (cited === undefined) return [id, outcome]
    const message = `The plugin of ${id} cites ${cited.asked.url}, which was not fetched; its result is not used.`
    return [
      id,
      {
        facts: null,
        uncertain: {},
        unanswered: [],
        findings: [{ good: false, message, proof: base }],
        pluginFailed: true
      }
    ]
  })
}

/** A request of an audit and the ids of the criteria that depend on it, sorted; empty where only the audit itself does. */
export interface KeptExchange extends JournalEntry {
  readonly askedBy: ReadonlyArray<string>
}

/** The first truncated exchange of each criterion that depends on one, by criterion id. */
export const cutEvidence = (journal: ReadonlyArray<KeptExchange>): ReadonlyMap<string, Fault> => {
  const faults = new Map<string, Fault>()
  for (const {
    askedBy,
    hop,
    request: { asked }
  } of journal) {
    if (hop._tag !== "HopFault" || hop.kind !== "archive_cut") continue
    const fault: Fault = { _tag: "Fault", asked, url: asked.url, kind: hop.kind, message: hop.message, redirects: [] }
    for (const criterion of askedBy) if (!faults.has(criterion)) faults.set(criterion, fault)
  }
  return faults
}

/**
 * Outcomes of a replay without those that lean on cut evidence. A criterion that finds the rest of its evidence would
 * judge by that and could call absent what the audit saw, so it is inconclusive whatever it found.
 */
export const withoutCutEvidence = (
  outcomes: ReadonlyArray<readonly [id: string, outcome: MeasuredCriterion]>,
  cut: ReadonlyMap<string, Fault>
): ReadonlyMap<string, MeasuredCriterion> =>
  new Map(
    outcomes.map(([id, outcome]) => {
      const proof = cut.get(id)
      return [
        id,
        proof === undefined
          ? outcome
          : {
              facts: null,
              uncertain: {},
              unanswered: [proof],
              findings: [{ good: false, message: MESSAGE, proof }],
              pluginFailed: outcome.pluginFailed
            }
      ]
    })
  )

const MESSAGE = "The archive was cut to its size limit and holds only part of what this criterion reads."
