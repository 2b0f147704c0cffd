import type { Draft, DraftCategory, DraftCriterion, DraftLevel, SourceValue } from "../source/Draft.ts"
import type { Diagnostic } from "../source/SourceText.ts"

/**
 * What a criterion's levels must be: earning all points first, less and less, nothing at last; conditions on all of them
 * but the last.
 */
export const levelDiagnostics = (criterion: DraftCriterion): ReadonlyArray<Diagnostic> => {
  const shape = conditionDiagnostics(criterion.levels)
  return [...shape, ...earningDiagnostics(criterion, shape.length === 0), ...statusDiagnostics(criterion)]
}

const conditionDiagnostics = (levels: ReadonlyArray<DraftLevel>): ReadonlyArray<Diagnostic> => {
  const open = levels.findIndex((level) => !level.conditional)
  const behind = open === -1 ? undefined : levels[open + 1]
  if (behind !== undefined) {
    const message = "this level comes after one without a condition, and can never be reached"
    return [
      { rule: "levels", span: behind.head, message, hint: "give the level before it a condition, or move this one up" }
    ]
  }
  const last = levels.at(-1)
  if (last === undefined || !last.conditional) return []
  return [
    {
      rule: "levels",
      span: last.when?.span ?? last.head,
      message: "the last level must have no condition: it is what remains"
    }
  ]
}

const earningDiagnostics = (criterion: DraftCriterion, wellShaped: boolean): ReadonlyArray<Diagnostic> => {
  const { levels, points } = criterion
  const diagnostics: Array<Diagnostic> = []
  const first = levels[0]?.earns ?? null
  if (first !== null && points !== null && first.value !== points.value && levels.length > 1) {
    diagnostics.push(wrong(first, `the first level must earn all ${points.value} points, not ${first.value}`))
  }
  levels.slice(1).forEach(({ earns }, index) => {
    const before = levels[index]?.earns ?? null
    if (earns === null || before === null || earns.value < before.value) return
    if (earns.value === 0 && before.value === 0 && isUnpaidPart(criterion, index)) return
    diagnostics.push(wrong(earns, `a level must earn less than the one before it, which earns ${before.value}`))
  })
  const last = levels.at(-1)?.earns ?? null
  if (wellShaped && last !== null && last.value !== 0 && !diagnostics.some(({ span }) => span === last.span)) {
    diagnostics.push(wrong(last, `the last level must earn 0, not ${last.value}: what is not there earns nothing`))
  }
  return diagnostics
}

/** Where the evidence pays one point at most, what is there in part is told and earns nothing. */
const isUnpaidPart = ({ levels }: DraftCriterion, index: number): boolean =>
  index > 0 && index === levels.length - 2 && levels[index]?.status?.value === "partial"

const wrong = (value: SourceValue<unknown>, message: string): Diagnostic => ({
  rule: "levels",
  span: value.span,
  message
})

/** The status says in a word what `earns` says as a number; where that is wrong already, the status is left alone. */
const statusDiagnostics = (criterion: DraftCriterion): ReadonlyArray<Diagnostic> => {
  const { levels, points } = criterion
  return levels.flatMap(({ earns, status }, index) => {
    if (
      points === null ||
      earns === null ||
      status === null ||
      !["present", "partial", "absent"].includes(status.value)
    )
      return []
    const before = levels[index - 1]?.earns ?? null
    if (index === 0 ? earns.value !== points.value : before !== null && earns.value >= before.value) return []
    const right = statusFor(earns.value, points.value)
    if (status.value === right || (earns.value === 0 && isUnpaidPart(criterion, index))) return []
    return [
      wrong(status, `a level that earns ${earns.value} of ${points.value} points is "${right}", not "${status.value}"`)
    ]
  })
}

const statusFor = (earns: number, points: number): string => {
  if (earns === points) return "present"
  return earns === 0 ? "absent" : "partial"
}

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
