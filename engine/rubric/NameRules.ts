import type { Draft, DraftCriterion, Spot } from "./Draft.ts"
import { suggestion } from "./NearestName.ts"
import type { ProblemRule } from "./Problem.ts"
import type { Finding } from "./SourceText.ts"
import { isBelow } from "./VersionBump.ts"

/** Names must be unique, must fit where they stand, and must lead somewhere. */
export const nameFindings = (draft: Draft): ReadonlyArray<Finding> => [
  ...repeated(draft.categories.map((category) => category.id), "category"),
  ...repeated(draft.criteria.map((criterion) => criterion.id), "criterion"),
  ...draft.categories.flatMap(({ id, key }) => misplaced(key, id, `a key of category ${id?.value} begins with "${id?.value}_"`)),
  ...misplacedCriteria(draft),
  ...unknownCategories(draft),
  ...draft.criteria.flatMap((criterion) => deprecationFindings(criterion, draft))
]

/** What is deprecated goes in a later version, and what takes its place is another criterion that there is. */
const deprecationFindings = ({ deprecation: { replacedBy, since, until }, id }: DraftCriterion, draft: Draft): ReadonlyArray<Finding> => {
  const late = (spot: Spot<string> | null, message: string, wrong: boolean): ReadonlyArray<Finding> =>
    spot === null || !wrong ? [] : [{ rule: "value", span: spot.span, message }]
  const version = draft.version?.value ?? ""
  const [from, to] = [since?.value ?? "", until?.value ?? ""]
  return [
    ...late(since, `this is version ${version}: nothing in it can be deprecated since ${from}`, isBelow(version, from)),
    ...late(until, `a criterion that is deprecated since ${from} goes in a later version than ${to}`, to === from || isBelow(to, from)),
    ...late(until, `this is version ${version}, in which the criterion should be gone`, isBelow(from, to) && (to === version || isBelow(to, version))),
    ...late(replacedBy, "a criterion cannot take its own place", replacedBy !== null && replacedBy.value === id?.value),
    ...unknownCriterion(replacedBy, draft, "value")
  ]
}

/** The history must be that of this version: newest first, in falling order, about criteria that there are. */
export const changeFindings = (draft: Draft): ReadonlyArray<Finding> => {
  const { changes, version } = draft
  const newest = changes[0]?.version ?? null
  const findings: Array<Finding> = []
  if (version !== null && newest !== null && newest.value !== version.value) {
    const message = `the first entry must be of version ${version.value}, not ${newest.value}`
    findings.push({ rule: "changes", span: newest.span, message, hint: "say what this version changes, above the older entries" })
  }
  changes.slice(1).forEach((change, index) => {
    const before = changes[index]?.version ?? null
    if (change.version === null || before === null || isBelow(change.version.value, before.value)) return
    findings.push({ rule: "changes", span: change.version.span, message: `entries go from new to old: ${change.version.value} is not older than ${before.value}` })
  })
  const current = newest?.value === version?.value ? changes[0]?.criteria ?? [] : []
  return [...findings, ...current.flatMap((id) => unknownCriterion(id, draft, "changes"))]
}

const repeated = (spots: ReadonlyArray<Spot<string> | null>, what: string): ReadonlyArray<Finding> => {
  const seen = new Set<string>()
  return spots.flatMap((spot): ReadonlyArray<Finding> => {
    if (spot === null) return []
    if (!seen.has(spot.value)) {
      seen.add(spot.value)
      return []
    }
    return [{ rule: "duplicate_id", span: spot.span, message: `there already is a ${what} "${spot.value}"` }]
  })
}

/** What is wrong for another reason (an id that is taken, a category that is none) is reported as that. */
const misplacedCriteria = ({ categories, criteria }: Draft): ReadonlyArray<Finding> => {
  const letters = new Set(categories.map((category) => category.id?.value))
  const seen = new Set<string | undefined>()
  return criteria.flatMap(({ category, id, onTrial }) => {
    const taken = seen.has(id?.value)
    seen.add(id?.value)
    if (category === null || taken || (onTrial && !letters.has(category.value))) return []
    return misplaced(id, category, `a criterion of category ${category.value} has an id such as "${category.value}1"`)
  })
}

const misplaced = (name: Spot<string> | null, category: Spot<string> | null, hint: string): ReadonlyArray<Finding> => {
  if (name === null || category === null || !/^[A-Z]$/u.test(category.value) || !/^[A-Z](?:_|[1-9])/u.test(name.value)) return []
  if (name.value.startsWith(category.value)) return []
  return [{ rule: "value", span: name.span, message: `"${name.value}" does not belong to category ${category.value}`, hint }]
}

const unknownCategories = ({ categories, criteria }: Draft): ReadonlyArray<Finding> => {
  const letters = categories.flatMap((category) => (category.id === null ? [] : [category.id.value]))
  return criteria.flatMap(({ category, onTrial }: DraftCriterion): ReadonlyArray<Finding> => {
    if (!onTrial || category === null || letters.includes(category.value)) return []
    return [{ rule: "value", span: category.span, message: `there is no category "${category.value}"`, hint: suggestion(category.value, letters, "there are") }]
  })
}

/** Where ids are missing or given twice, nobody can say which one a name was meant for. */
const unknownCriterion = (id: Spot<string> | null, { criteria }: Draft, rule: ProblemRule): ReadonlyArray<Finding> => {
  const ids = criteria.flatMap((criterion) => (criterion.id === null ? [] : [criterion.id.value]))
  const uncertain = new Set(ids).size < criteria.length
  if (id === null || uncertain || ids.includes(id.value)) return []
  return [{ rule, span: id.span, message: `there is no criterion "${id.value}"`, hint: suggestion(id.value, ids, "there are") }]
}
