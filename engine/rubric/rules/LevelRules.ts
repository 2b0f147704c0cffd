import type { DraftCriterion, DraftLevel, SourceValue } from "../source/Draft.ts"
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
