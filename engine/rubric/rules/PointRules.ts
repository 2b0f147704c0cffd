import type { Draft, DraftCategory, SourceValue } from "../source/Draft.ts"
import type { Diagnostic } from "../source/SourceText.ts"

const OWN_NAME = "a rubric with an `id` of its own may have others"

/** What every rubric's points come to. */
const TOTAL = 100

/** The rubric that the specification of the service knows: callers rely on its shape at every version. */
const RELEASED = { id: "docs-ai-readiness", criteria: 30, categories: ["A", "B", "C", "D", "E", "F"] } as const

/** Points must add up, in each category and over all; the released rubric has its fixed number of criteria and categories. */
export const pointDiagnostics = (draft: Draft): ReadonlyArray<Diagnostic> => [
  ...draft.categories.flatMap(sumDiagnostics),
  ...totalDiagnostics(draft),
  ...(draft.id?.value === RELEASED.id ? shapeDiagnostics(draft) : []),
  ...verdictDiagnostics(draft)
]

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

const shapeDiagnostics = ({ categories, head }: Draft): ReadonlyArray<Diagnostic> => {
  const letters: ReadonlyArray<string> = RELEASED.categories
  const unknown = categories.flatMap(({ id }): ReadonlyArray<Diagnostic> =>
    id === null || letters.includes(id.value)
      ? []
      : [{ rule: "points", span: id.span, message: `${RELEASED.id} has no category ${id.value}`, hint: OWN_NAME }]
  )
  const count = categories.reduce((sum, category) => sum + category.criteria.length, 0)
  if (count === RELEASED.criteria) return unknown
  const message = `${RELEASED.id} has ${RELEASED.criteria} criteria, not ${count}`
  return [...unknown, { rule: "points", span: head, message, hint: `new ones go under "experimental"; ${OWN_NAME}` }]
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
