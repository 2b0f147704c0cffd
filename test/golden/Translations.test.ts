import { describe, expect, it } from "vitest"
import type { AuditReport } from "../../engine/audit/Report.ts"
import { auditFakeSite } from "./AuditFakeSite.ts"
import { goldenSites } from "./GoldenSites.ts"
import { translatedMutations } from "./mutations/Translations.ts"

const LANGUAGES = new Set(translatedMutations.map(({ language }) => language))
const translated = goldenSites.filter(({ name }) => LANGUAGES.has(name))

const reports = new Map<string, Promise<AuditReport>>()

/** The report on the whole site, audited once. */
const reportOn = (language: string): Promise<AuditReport> => {
  const site = translated.find(({ name }) => name === language)
  if (site === undefined) throw new Error(`there is no ${language} site`)
  const known = reports.get(language) ?? auditFakeSite(site)
  reports.set(language, known)
  return known
}

describe("a site that is not in English", () => {
  it("is tried in three languages", () => expect(LANGUAGES).toEqual(new Set(["german", "japanese", "russian"])))

  it.each(translated)("earns all points of category D, and for its text: $name", async ({ name }) => {
    const { criteria } = await reportOn(name)
    const lost = criteria.filter(({ id, max, score }) => (id.startsWith("D") || id === "E1") && score < max)
    expect(lost.map(({ id, summary }) => `${id}: ${summary}`)).toEqual([])
  })

  it("loses each criterion of category D at least once, in each language", () => {
    const costs = ["D1", "D2", "D3", "D4", "D5", "D6", "D7"]
    for (const language of LANGUAGES)
      expect(new Set(translatedMutations.filter((one) => one.language === language).map((one) => one.costs))).toEqual(
        new Set(costs)
      )
  })

  it.each(translatedMutations)("loses $costs alone where $name ($language)", async ({ costs, language, site, url }) => {
    const whole = new Map((await reportOn(language)).criteria.map(({ id, score }) => [id, score]))
    const report = await auditFakeSite({ site, url })
    expect(report.criteria.filter(({ id, score }) => score < (whole.get(id) ?? 0)).map(({ id }) => id)).toEqual([costs])
  })
})
