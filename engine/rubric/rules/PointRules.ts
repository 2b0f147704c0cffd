import type { Draft, DraftCategory, SourceValue } from "../source/Draft.ts"
import type { Diagnostic } from "../source/SourceText.ts"

const OWN_NAME = "a rubric with an `id` of its own may have others"

/** What every rubric's points come to. */
const TOTAL = 100

/** The rubric that the specification of the service knows: callers rely on its shape at every version. */
const RELEASED = {
  id: "docs-ai-readiness",
  criteria: 30,
  points: new Map([
    ["A", 13],
    ["B", 18],
    ["C", 24],
    ["D", 19],
    ["E", 16],
    ["F", 10]
  ])
} as const

/** Points must add up, in each category and over all; the released rubric has its fixed shares. */
export const pointDiagnostics = (draft: Draft): ReadonlyArray<Diagnostic> => {
  const released = draft.id?.value === RELEASED.id
  const shares = released ? shareDiagnostics(draft) : []
  const told = new Set(shares.map(({ span }) => span))
  return [
    // Points that are wrong anyway need not be added up.
    ...draft.categories.flatMap(sumDiagnostics).filter(({ span }) => !told.has(span)),
    ...(shares.length === 0 ? totalDiagnostics(draft) : shares),
    ...verdictDiagnostics(draft)
  ]
}

/** `null` where some points are not known, or where there is nothing to add up. */
const sumOf = (parts: ReadonlyArray<{ readonly points: SourceValue<number> | null }>): number | null =>
  parts.length === 0
    ? null
    : parts.reduce<number | null>((sum, { points }) => (sum === null || points === null ? null : sum + points.value), 0)

const sumDiagnostics = ({ criteria, id, points }: DraftCategory): ReadonlyArray<Diagnostic> => {
  const sum = sumOf(criteria)
  if (points === null || sum === null || sum === points.value) return []
  const name = id === null ? "this category" : `category ${id.value}`
  return [
    { rule: "points", span: points.span, message: `the criteria of ${name} come to ${sum} points, not ${points.value}` }
  ]
}

/** Where either sum is right, the mistake is one category's, and reported there. */
const totalDiagnostics = ({ categories, head }: Draft): ReadonlyArray<Diagnostic> => {
  const total = sumOf(categories)
  const earned = sumOf(categories.flatMap(({ criteria }) => criteria))
  if (total === null || total === TOTAL || earned === TOTAL) return []
  return [{ rule: "points", span: head, message: `the categories come to ${total} points, not ${TOTAL}` }]
}

const shareDiagnostics = ({ categories, head }: Draft): ReadonlyArray<Diagnostic> => {
  const wrong = categories.flatMap(({ id, points }): ReadonlyArray<Diagnostic> => {
    const due = id === null ? undefined : RELEASED.points.get(id.value)
    if (id === null || points === null || points.value === due) return []
    const message =
      due === undefined
        ? `${RELEASED.id} has no category ${id.value}`
        : `category ${id.value} of ${RELEASED.id} has ${due} points, not ${points.value}`
    return [{ rule: "points", span: points.span, message, hint: OWN_NAME }]
  })
  const count = categories.reduce((sum, category) => sum + category.criteria.length, 0)
  if (count === RELEASED.criteria) return wrong
  const message = `${RELEASED.id} has ${RELEASED.criteria} criteria, not ${count}`
  return [...wrong, { rule: "points", span: head, message, hint: `new ones go under "experimental"; ${OWN_NAME}` }]
}

const verdictDiagnostics = ({ verdicts }: Draft): ReadonlyArray<Diagnostic> =>
  verdicts.flatMap((from, index): ReadonlyArray<Diagnostic> => {
    const before = verdicts[index - 1]
    if (from === null) return []
    if (before !== null && before !== undefined && from.value >= before.value) {
      return [
        {
          rule: "value",
          span: from.span,
          message: `verdicts must go from high to low: this one must begin below ${before.value}`
        }
      ]
    }
    if (index < verdicts.length - 1 || from.value === 0) return []
    return [{ rule: "value", span: from.span, message: "the last verdict must be from 0, so that every total has one" }]
  })
