import type { FactFields } from "../../criterion/Fact.ts"
import type { Linked } from "../rules/PluginRules.ts"
import type { Draft } from "../source/Draft.ts"
import type { Diagnostic } from "../source/SourceText.ts"

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
