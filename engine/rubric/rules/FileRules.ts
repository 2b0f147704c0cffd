import type { Draft, DraftCategory, DraftCriterion, DraftLevel, SourceValue } from "../source/Draft.ts"
import { suggestion } from "../source/NearestName.ts"
import type { ProblemRule } from "../source/Problem.ts"
import type { Diagnostic } from "../source/SourceText.ts"
import { isBelow } from "../source/VersionBump.ts"

/** Names must be unique, must fit their place, and must refer to something. */
export const nameDiagnostics = (draft: Draft): ReadonlyArray<Diagnostic> => [
  ...repeated(
    draft.categories.map((category) => category.id),
    "category"
  ),
  ...repeated(
    draft.criteria.map((criterion) => criterion.id),
    "criterion"
  ),
  ...draft.categories.flatMap(({ id, key }) =>
    misplaced(key, id, `a key of category ${id?.value} begins with "${id?.value}_"`)
  ),
  ...misplacedCriteria(draft),
  ...unknownCategories(draft),
  ...draft.criteria.flatMap((criterion) => deprecationDiagnostics(criterion, draft)),
  ...draft.criteria.flatMap((criterion) => needDiagnostics(criterion, draft)),
  ...(draft.format?.value === 1 ? draft.criteria.flatMap(({ formatTwo }) => formatTwo.map(tooNew)) : [])
]

const tooNew = ({ span, value }: SourceValue<string>): Diagnostic => ({
  rule: "value",
  span,
  message: `"${value}" is not part of format 1`,
  hint: "say `format: 2` at the top of the file"
})

/** A criterion needs others that exist, and never itself, not even through them. */
const needDiagnostics = ({ id, needs }: DraftCriterion, draft: Draft): ReadonlyArray<Diagnostic> =>
  needs.flatMap((need): ReadonlyArray<Diagnostic> => {
    if (id === null || !leadsTo(need.value, id.value, draft)) return unknownCriterion(need, draft, "value")
    return [
      {
        rule: "value",
        span: need.span,
        message: need.value === id.value ? "a criterion cannot need itself" : `${need.value} needs ${id.value} itself`
      }
    ]
  })

/** Whether a criterion is another one, or needs it directly or through others. */
const leadsTo = (from: string, to: string, { criteria }: Draft): boolean => {
  const seen = new Set<string>()
  const open = [from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (id === to) return true
    if (seen.has(id)) continue
    seen.add(id)
    open.push(
      ...criteria
        .filter((criterion) => criterion.id?.value === id)
        .flatMap(({ needs }) => needs.map(({ value }) => value))
    )
  }
  return false
}

/** What is deprecated is removed in a later version, and what takes its place is another criterion that there is. */
const deprecationDiagnostics = (
  { deprecation: { replacedBy, since, until }, id }: DraftCriterion,
  draft: Draft
): ReadonlyArray<Diagnostic> => {
  const late = (value: SourceValue<string> | null, message: string, wrong: boolean): ReadonlyArray<Diagnostic> =>
    value === null || !wrong ? [] : [{ rule: "value", span: value.span, message }]
  const version = draft.version?.value ?? ""
  const [from, to] = [since?.value ?? "", until?.value ?? ""]
  return [
    ...late(since, `this is version ${version}: nothing in it can be deprecated since ${from}`, isBelow(version, from)),
    ...late(
      until,
      `a criterion that is deprecated since ${from} must be removed in a later version, not in ${to}`,
      to === from || isBelow(to, from)
    ),
    ...late(
      until,
      `this is version ${version}, in which the criterion should be gone`,
      isBelow(from, to) && (to === version || isBelow(to, version))
    ),
    ...late(replacedBy, "a criterion cannot take its own place", replacedBy !== null && replacedBy.value === id?.value),
    ...unknownCriterion(replacedBy, draft, "value")
  ]
}

/** The history must be that of this version: newest first, in falling order, about criteria that there are. */
export const changeDiagnostics = (draft: Draft): ReadonlyArray<Diagnostic> => {
  const { changes, version } = draft
  const newest = changes[0]?.version ?? null
  const diagnostics: Array<Diagnostic> = []
  if (version !== null && newest !== null && newest.value !== version.value) {
    const message = `the first entry must be of version ${version.value}, not ${newest.value}`
    diagnostics.push({
      rule: "changes",
      span: newest.span,
      message,
      hint: "say what this version changes, above the older entries"
    })
  }
  changes.slice(1).forEach((change, index) => {
    const before = changes[index]?.version ?? null
    if (change.version === null || before === null || isBelow(change.version.value, before.value)) return
    diagnostics.push({
      rule: "changes",
      span: change.version.span,
      message: `entries go from new to old: ${change.version.value} is not older than ${before.value}`
    })
  })
  const current = newest?.value === version?.value ? (changes[0]?.criteria ?? []) : []
  return [...diagnostics, ...current.flatMap((id) => unknownCriterion(id, draft, "changes"))]
}

const repeated = (values: ReadonlyArray<SourceValue<string> | null>, what: string): ReadonlyArray<Diagnostic> => {
  const seen = new Set<string>()
  return values.flatMap((value): ReadonlyArray<Diagnostic> => {
    if (value === null) return []
    if (!seen.has(value.value)) {
      seen.add(value.value)
      return []
    }
    return [{ rule: "duplicate_id", span: value.span, message: `there already is a ${what} "${value.value}"` }]
  })
}

/** What is wrong for another reason (an id that is taken, a category that does not exist) is reported as that. */
const misplacedCriteria = ({ categories, criteria }: Draft): ReadonlyArray<Diagnostic> => {
  const letters = new Set(categories.map((category) => category.id?.value))
  const seen = new Set<string | undefined>()
  return criteria.flatMap(({ category, id, onTrial }) => {
    const taken = seen.has(id?.value)
    seen.add(id?.value)
    if (category === null || taken || (onTrial && !letters.has(category.value))) return []
    return misplaced(id, category, `a criterion of category ${category.value} has an id such as "${category.value}1"`)
  })
}

const misplaced = (
  name: SourceValue<string> | null,
  category: SourceValue<string> | null,
  hint: string
): ReadonlyArray<Diagnostic> => {
  if (name === null || category === null || !/^[A-Z]$/u.test(category.value) || !/^[A-Z](?:_|[1-9])/u.test(name.value))
    return []
  if (name.value.startsWith(category.value)) return []
  return [
    { rule: "value", span: name.span, message: `"${name.value}" does not belong to category ${category.value}`, hint }
  ]
}

const unknownCategories = ({ categories, criteria }: Draft): ReadonlyArray<Diagnostic> => {
  const letters = categories.flatMap((category) => (category.id === null ? [] : [category.id.value]))
  return criteria.flatMap(({ category, onTrial }: DraftCriterion): ReadonlyArray<Diagnostic> => {
    if (!onTrial || category === null || letters.includes(category.value)) return []
    return [
      {
        rule: "value",
        span: category.span,
        message: `there is no category "${category.value}"`,
        hint: suggestion(category.value, letters, "there are")
      }
    ]
  })
}

/** If ids are missing or duplicate, it is unknown which one a name means. */
const unknownCriterion = (
  id: SourceValue<string> | null,
  { criteria }: Draft,
  rule: ProblemRule
): ReadonlyArray<Diagnostic> => {
  const ids = criteria.flatMap((criterion) => (criterion.id === null ? [] : [criterion.id.value]))
  const uncertain = new Set(ids).size < criteria.length
  if (id === null || uncertain || ids.includes(id.value)) return []
  return [
    {
      rule,
      span: id.span,
      message: `there is no criterion "${id.value}"`,
      hint: suggestion(id.value, ids, "there are")
    }
  ]
}

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
