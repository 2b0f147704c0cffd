import type { Draft, DraftCategory, Spot } from "./Draft.ts"
import type { Finding } from "./SourceText.ts"

/** What every rubric's points come to. */
const TOTAL = 100

/** The rubric that the specification of the service knows; its shape is promised to callers. */
const RELEASED = {
  id: "docs-ai-readiness",
  major: "1.",
  criteria: 30,
  points: new Map([["A", 13], ["B", 18], ["C", 24], ["D", 19], ["E", 16], ["F", 10]])
} as const

/** Points must add up, in each category and over all; the released rubric has its fixed shares. */
export const pointFindings = (draft: Draft): ReadonlyArray<Finding> => {
  const released = draft.id?.value === RELEASED.id && draft.version?.value.startsWith(RELEASED.major) === true
  const shares = released ? shareFindings(draft) : []
  const told = new Set(shares.map(({ span }) => span))
  return [
    // Points that are wrong anyway need not be added up.
    ...draft.categories.flatMap(sumFindings).filter(({ span }) => !told.has(span)),
    ...(shares.length === 0 ? totalFindings(draft) : shares),
    ...verdictFindings(draft)
  ]
}

/** `null` where some points are not known, or where there is nothing to add up. */
const sumOf = (parts: ReadonlyArray<{ readonly points: Spot<number> | null }>): number | null =>
  parts.length === 0
    ? null
    : parts.reduce<number | null>((sum, { points }) => (sum === null || points === null ? null : sum + points.value), 0)

const sumFindings = ({ criteria, id, points }: DraftCategory): ReadonlyArray<Finding> => {
  const sum = sumOf(criteria)
  if (points === null || sum === null || sum === points.value) return []
  const name = id === null ? "this category" : `category ${id.value}`
  return [{ rule: "points", span: points.span, message: `the criteria of ${name} come to ${sum} points, not ${points.value}` }]
}

/** Where either sum is right, the mistake is one category's, and reported there. */
const totalFindings = ({ categories, head }: Draft): ReadonlyArray<Finding> => {
  const total = sumOf(categories)
  const earned = sumOf(categories.flatMap(({ criteria }) => criteria))
  if (total === null || total === TOTAL || earned === TOTAL) return []
  return [{ rule: "points", span: head, message: `the categories come to ${total} points, not ${TOTAL}` }]
}

const shareFindings = ({ categories, head }: Draft): ReadonlyArray<Finding> => {
  const wrong = categories.flatMap(({ id, points }): ReadonlyArray<Finding> => {
    const due = id === null ? undefined : RELEASED.points.get(id.value)
    if (id === null || points === null || points.value === due) return []
    const message = due === undefined
      ? `${RELEASED.id} ${RELEASED.major}x has no category ${id.value}`
      : `category ${id.value} of ${RELEASED.id} ${RELEASED.major}x has ${due} points, not ${points.value}`
    return [{ rule: "points", span: points.span, message }]
  })
  const count = categories.reduce((sum, category) => sum + category.criteria.length, 0)
  if (count === RELEASED.criteria) return wrong
  const message = `${RELEASED.id} ${RELEASED.major}x has ${RELEASED.criteria} criteria, not ${count}`
  return [...wrong, { rule: "points", span: head, message, hint: 'new ones go under "experimental"' }]
}

const verdictFindings = ({ verdicts }: Draft): ReadonlyArray<Finding> =>
  verdicts.flatMap((from, index): ReadonlyArray<Finding> => {
    const before = verdicts[index - 1]
    if (from === null) return []
    if (before !== null && before !== undefined && from.value >= before.value) {
      return [{ rule: "value", span: from.span, message: `verdicts go down: this one must be from less than ${before.value}` }]
    }
    if (index < verdicts.length - 1 || from.value === 0) return []
    return [{ rule: "value", span: from.span, message: "the last verdict must be from 0, so that every total has one" }]
  })
