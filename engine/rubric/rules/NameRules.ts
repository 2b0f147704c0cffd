import type { Draft, DraftCriterion, SourceValue } from "../source/Draft.ts"
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
