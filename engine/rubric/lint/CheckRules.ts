import type { ASTNode } from "@marcbachmann/cel-js"
import * as Result from "effect/Result"
import type { FactFields } from "../../plugin/Fact.ts"
import { type Condition, parseCondition } from "../condition/Condition.ts"
import { children } from "../condition/ConditionTree.ts"
import { type EvidenceBook, type Grade, gradeOf, isPositive, MOST_POINTS, studiesOf } from "../Evidence.ts"
import type { Lint } from "../RubricFile.ts"
import type { Linked } from "../rules/PluginRules.ts"
import { draftNumbers, isPlaceholder } from "../rules/Texts.ts"
import {
  combination,
  combinations,
  representatives,
  type RepresentativeValue,
  thresholdsOf
} from "../rules/Thresholds.ts"
import type { Draft, DraftCriterion } from "../source/Draft.ts"
import { suggestion } from "../source/NearestName.ts"
import { type Diagnostic, placeWithin, type SourceText } from "../source/SourceText.ts"

/**
 * Lint rules that `rubric check` reports and an audit ignores.
 *
 * @param evidence the studies that the published rubric cites.
 */
export const checkDiagnostics =
  (evidence: EvidenceBook): Lint =>
  (draft, linked, { base, namesNumbers, source }) => [
    ...textDiagnostics(draft),
    ...(namesNumbers
      ? looseNumbers(draft, source, base === null && isPublished(draft) ? "text_number" : "loose_number")
      : []),
    ...remedyDiagnostics(draft, linked),
    ...nothingJudged(draft, linked),
    ...(base === null ? evidenceDiagnostics(draft, evidence) : [])
  ]

/** Rules for texts, for `rubric check`: an audit does not mind what they say. */
const textDiagnostics = (draft: Draft): ReadonlyArray<Diagnostic> => [...repeatedTexts(draft), ...placeholders(draft)]

/** Reserved for examples (RFC 2606): there is nothing to read. */
const RESERVED = /^https?:\/\/(?:[^/]*\.)?example(?:\.(?:com|net|org))?(?:[/:?#]|$)/i

const placeholders = ({ criteria }: Draft): ReadonlyArray<Diagnostic> =>
  criteria
    .flatMap(({ references, texts }) => [
      ...texts.filter(({ value }) => isPlaceholder(value)),
      ...references.filter(({ value }) => RESERVED.test(value))
    ])
    .map(({ span }) => ({
      rule: "placeholder_text",
      span,
      message: "this text is still a placeholder",
      hint: "say what holds for this criterion"
    }))

/**
 * Each text says something of its own: what is written twice was copied and forgotten, or belongs in one place.
 */
const repeatedTexts = (draft: Draft): ReadonlyArray<Diagnostic> => {
  const first = new Map<string, string>()
  return draft.criteria.flatMap(({ id, texts }) =>
    texts.flatMap(({ span, value }): ReadonlyArray<Diagnostic> => {
      const said = folded(value)
      const owner = first.get(said)
      if (said === "") return []
      if (owner === undefined) {
        first.set(said, id?.value ?? "another criterion")
        return []
      }
      return [
        {
          rule: "repeated_text",
          span,
          message: `${owner === id?.value ? "the criterion" : owner} says the same in the same words`,
          hint: "say what is special here, or leave it out"
        }
      ]
    })
  )
}

const folded = (text: string): string => text.replace(/\s+/gu, " ").trim().toLowerCase()

/** More combinations of values than this are not tried: the remedy then counts as sound. */
const MOST_COMBINATIONS = 20_000

/**
 * A remedy must have a step to advise wherever points are missing. Facts are tried as for unreachable levels: one value
 * for each stretch that no condition divides, in every combination, dependent or not.
 */
export const remedyDiagnostics = (
  { criteria }: Draft,
  linked: ReadonlyArray<Linked<unknown>>
): ReadonlyArray<Diagnostic> =>
  criteria.flatMap((criterion, index) => {
    const { conditions = [], facts = {}, unless = [] } = linked[index] ?? {}
    return finishedDiagnostics(criterion, conditions[0] ?? null, unless, facts)
  })

const finishedDiagnostics = (
  { steps }: DraftCriterion,
  full: Condition | null,
  unless: ReadonlyArray<Condition | null>,
  fields: FactFields
): ReadonlyArray<Diagnostic> => {
  const [first] = steps
  const met = unless.filter((condition) => condition !== null)
  if (full === null || first === undefined || met.length < steps.length) return []
  const facts = finishedWithout(full, met, fields)
  if (facts === null) return []
  const shown = Object.entries(facts)
    .map(([name, value]) => `${name} ${typeof value === "string" ? `"${value}"` : String(value)}`)
    .join(", ")
  return [
    {
      rule: "finished_remedy",
      span: first.head,
      message: "every step is done while points are missing",
      hint: `with ${shown}, for example: add a step, or let one ask for more`
    }
  ]
}

/** Facts with which every step is done and the first level is not reached; `null`: there are none, or they cannot be told. */
const finishedWithout = (
  full: Condition,
  unless: ReadonlyArray<Condition>,
  fields: FactFields
): Readonly<Record<string, RepresentativeValue>> | null => {
  const all = [full, ...unless]
  const thresholds = thresholdsOf(
    all.map(({ tree }) => tree),
    fields
  )
  if (thresholds === null) return null
  const names = [...new Set(all.flatMap(({ reads }) => reads))]
  const values = names.map((name) => representatives(name, fields[name], thresholds))
  const total = combinations(values)
  if (total > MOST_COMBINATIONS) return null
  for (let index = 0; index < total; index += 1) {
    const facts = combination(names, values, index)
    if (!full.holds(facts) && unless.every((condition) => condition.holds(facts))) return facts
  }
  return null
}

/** The rubric whose points follow evidence, from this major version on. */
const PUBLISHED = { id: "docs-ai-readiness", major: 3 }

const isPublished = ({ id, version }: Draft): boolean =>
  id?.value === PUBLISHED.id && Number(version?.value.split(".")[0]) >= PUBLISHED.major

/** The least points that rest on measured gains, of 100. */
const LEAST_POSITIVE = 70

/**
 * Points of the published rubric must not exceed what their evidence allows. Rubrics of other names may have other reasons, and
 * need not give any.
 */
const evidenceDiagnostics = (draft: Draft, book: EvidenceBook): ReadonlyArray<Diagnostic> => {
  if (!isPublished(draft)) return []
  const judged = draft.criteria.filter(({ onTrial }) => !onTrial)
  return [
    ...judged.flatMap((criterion) => criterionDiagnostics(criterion, book)),
    ...positiveDiagnostics(draft, judged, book)
  ]
}

const criterionDiagnostics = (criterion: DraftCriterion, book: EvidenceBook): ReadonlyArray<Diagnostic> => {
  const { evidence, head, id, points } = criterion
  const name = id?.value ?? "this criterion"
  if (evidence.length === 0) {
    const hint = "list studies of evidence.yaml; where nothing was found, one of grade none"
    return [{ rule: "evidence", span: head, message: `${name} names no evidence`, hint }]
  }
  const known = book.studies.map((study) => study.id)
  const unknown = evidence.filter(({ value }) => !known.includes(value))
  if (unknown.length > 0)
    return unknown.map(({ span, value }) => ({
      rule: "evidence",
      span,
      message: `evidence.yaml has no study "${value}"`,
      hint: suggestion(value, known, "it has")
    }))
  const grade = gradeIn(criterion, book)
  if (points === null || points.value <= MOST_POINTS[grade]) return []
  const message = `evidence of grade "${grade}" allows ${name} at most ${MOST_POINTS[grade]} points, not ${points.value}`
  return [{ rule: "evidence", span: points.span, message }]
}

const positiveDiagnostics = (
  { head }: Draft,
  criteria: ReadonlyArray<DraftCriterion>,
  book: EvidenceBook
): ReadonlyArray<Diagnostic> => {
  const positive = criteria
    .filter((criterion) => isPositive(gradeIn(criterion, book)))
    .reduce((sum, { points }) => sum + (points?.value ?? 0), 0)
  if (positive >= LEAST_POSITIVE) return []
  const message = `${positive} points rest on measured gains, not ${LEAST_POSITIVE} at least`
  return [{ rule: "evidence", span: head, message }]
}

const gradeIn = ({ evidence }: DraftCriterion, book: EvidenceBook): Grade =>
  gradeOf(
    studiesOf(
      book,
      evidence.map(({ value }) => value)
    ).map(({ grade }) => grade)
  )

/**
 * Points that a rule on a share of pages, or of places of the API description, gives where nothing was judged, and its share is 0: on a site
 * without such pages, or without a description.
 */
export const nothingJudged = ({ criteria }: Draft, linked: ReadonlyArray<Linked<unknown>>): ReadonlyArray<Diagnostic> =>
  criteria.flatMap(({ levels }, index) => {
    const { conditions = [], facts = {} } = linked[index] ?? {}
    const whole = wholeOf(facts)
    if (whole === null) return []
    return levels.flatMap(({ earns, head, when }, level): ReadonlyArray<Diagnostic> => {
      const condition = conditions[level] ?? null
      const holds = condition !== null && [true, false].some((found) => condition.holds(emptyFacts(facts, found)))
      if (!holds || (earns?.value ?? 0) === 0) return []
      return [
        {
          rule: "nothing_judged",
          span: when?.span ?? head,
          message: `it earns ${earns?.value} where no ${whole} was judged`,
          hint: `ask for one, too: && ${whole}s > 0`
        }
      ]
    })
  })

/** What the fact `matching` is a share of. */
const wholeOf = (facts: FactFields): "page" | "place" | null => {
  const others = Object.entries(facts).filter(([name]) => name !== "matching" && name !== "found")
  if (facts["matching"]?.kind !== "share" || others.length !== 1) return null
  const [name] = others[0] ?? []
  return name === "pages" ? "page" : name === "places" ? "place" : null
}

const emptyFacts = (facts: FactFields, found: boolean): Readonly<Record<string, number | boolean>> =>
  Object.fromEntries(Object.entries(facts).map(([name, { kind }]) => [name, kind === "flag" ? found : 0]))

/** Code, which is left alone, or a number that a text gives as a threshold: a share, or one with its unit. */
const GIVEN =
  /`[^`]*`|(?<![\w.,])(\d{1,3}(?:,\d{3})+|\d{1,9}(?:\.\d{1,3})?)(?:(%)|(?: (?:characters|bytes|pages|days|seconds|points)\b))/gu

/**
 * Numbers in texts that are none of the criterion's own: those of its levels, steps, params and points. They may be out of date; a
 * text that names its numbers cannot be.
 *
 * @param rule in the published rubric a mistake (`text_number`), in others a warning.
 */
export const looseNumbers = (
  { criteria }: Draft,
  source: SourceText,
  rule: "text_number" | "loose_number" = "loose_number"
): ReadonlyArray<Diagnostic> =>
  criteria.flatMap((criterion) => {
    const own = ownNumbers(criterion)
    return criterion.texts.flatMap((text) =>
      [...text.value.matchAll(GIVEN)].flatMap(
        ({ 0: whole, 1: digits, 2: percent, index }): ReadonlyArray<Diagnostic> => {
          if (digits === undefined) return []
          const number = Number(digits.replaceAll(",", ""))
          if (own.has(percent === undefined ? number : number / 100)) return []
          return [
            {
              rule,
              span: placeWithin(source.text, text, { start: index, end: index + whole.length }),
              message: `${digits}${percent ?? ""} is no number of this criterion's levels, steps, params or points`,
              hint: "name it in braces, such as {points}, if it is one of them; else put it in back-ticks"
            }
          ]
        }
      )
    )
  })

const ownNumbers = (criterion: DraftCriterion): ReadonlySet<number> => {
  const { conditions, params, points } = draftNumbers(criterion)
  const compared = conditions.flatMap((condition) =>
    Result.match(parseCondition(condition), { onFailure: () => [], onSuccess: literalsIn })
  )
  return new Set([...compared, ...points, ...Object.values(params).filter((value) => typeof value === "number")])
}

const literalsIn = (node: ASTNode): ReadonlyArray<number> =>
  node.op === "value"
    ? typeof node.args === "bigint" || typeof node.args === "number"
      ? [Number(node.args)]
      : []
    : children(node).flatMap(literalsIn)
