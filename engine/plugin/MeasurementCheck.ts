import { plainText } from "../text/PlainText.ts"
import type { Finding } from "./Criterion.ts"
import type { FactFields, FactRecord, UncertainRecord } from "./Fact.ts"

/** What is wrong with facts as a plugin's code may give them, against what it declares; `null`: nothing. */
export const factsFault = (fields: FactFields, facts: FactRecord): string | null => {
  const unknown = Object.keys(facts).find((name) => !Object.hasOwn(fields, name))
  if (unknown !== undefined) return `it returned the undeclared fact "${unknown}"`
  const wrong = Object.entries(fields).find(([name, fact]) => !fits(fact, facts[name]))
  return wrong === undefined ? null : `its fact "${wrong[0]}" is no ${wrong[1].kind}`
}

/** What is wrong with what a plugin says that facts may be; `null`: every value is one that the fact may have. */
export const uncertainFault = (fields: FactFields, uncertain: UncertainRecord): string | null => {
  const wrong = Object.entries(uncertain).find(([name, values]) => {
    const fact = fields[name]
    if (fact === undefined) return true
    return !("one_of" in values ? values.one_of : [values.at_least, values.at_most ?? values.at_least]).every((value) =>
      fits(fact, value)
    )
  })
  return wrong === undefined ? null : `the uncertain values of its fact "${wrong[0]}" are invalid`
}

const fits = (fact: FactFields[string], value: FactRecord[string] | undefined): boolean => {
  if (fact.kind === "flag") return typeof value === "boolean"
  if (fact.kind === "word") return typeof value === "string" && fact.words.includes(value)
  if (typeof value !== "number") return false
  return fact.kind === "count" ? Number.isSafeInteger(value) && value >= 0 : value >= 0 && value <= 1
}

const OPENING = 60

/** What is wrong with the findings of a plugin, one clause each: a report would show other words than the plugin's. */
export const findingFaults = (findings: ReadonlyArray<Finding>): ReadonlyArray<string> => {
  if (findings.length === 0) return ["it gives no finding, so its report would have no summary"]
  return findings.flatMap(({ message }) => {
    const shown = plainText(message)
    if (shown === message) return shown === "" ? ["it gives a finding without a message"] : []
    const kind =
      shown.endsWith("…") && !message.endsWith("…")
        ? "is too long: a report cuts it"
        : "has line breaks, runs of blanks or invisible characters: quote the site with plainText"
    return [`its message "${plainText(message, OPENING)}" ${kind}`]
  })
}
