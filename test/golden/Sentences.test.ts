import { describe, expect, it } from "vitest"
import type { AuditReport, CriterionResult } from "../../engine/audit/Report.ts"
import { auditFakeSite } from "./AuditFakeSite.ts"
import { COUNTED_URL, countedSite, type CountedSite, type Defect } from "./CountedSite.ts"
import { readSource } from "./excellent/Source.ts"
import { EXCELLENT_URL } from "./GoldenSites.ts"
import { mutations } from "./Mutations.ts"

/** Findings of a criterion to show beside its summary. */
const SHOWN = 3

const lines = ({ findings = [], id, summary }: CriterionResult): ReadonlyArray<string> => {
  const others = findings.slice(1).filter(({ note }) => note !== summary)
  return [`${id} ${summary}`, ...others.slice(0, SHOWN).map(({ good, note }) => `   ${good ? "+" : "-"} ${note}`)]
}

const sentences = ({ criteria }: AuditReport, only: (id: string) => boolean = () => true): string =>
  criteria
    .filter(({ id }) => only(id))
    .flatMap(lines)
    .join("\n")

const counts: ReadonlyArray<CountedSite> = [
  [1, 0],
  [1, 1],
  [20, 0],
  [20, 1],
  [20, 2],
  [20, 20]
].map(([pages = 0, bad = 0]) => ({ pages, bad, defect: "poor" }))

const DEFECTS: ReadonlyArray<Defect> = ["shell", "soft", "login", "away"]

const named = ({ bad, defect, pages }: CountedSite): string => `## ${bad} of ${pages} pages ${defect}`

const HEAD =
  "# Sentences of reports, with none, one, two and many. A reader has read each line; read those that you change.\n\n"

describe("the sentences of a report", () => {
  it("count what there is, for one page and for twenty", async () => {
    const parts: Array<string> = []
    for (const one of counts)
      parts.push(`${named(one)}\n\n${sentences(await auditFakeSite({ site: countedSite(one), url: COUNTED_URL }))}`)
    await expect(`${HEAD}${parts.join("\n\n")}\n`).toMatchFileSnapshot("snapshots/sentences-counted.txt")
  })

  it("say why pages cannot be read", async () => {
    const parts: Array<string> = []
    for (const defect of DEFECTS) {
      for (const [pages, bad] of [...(defect === "shell" ? ([[1, 1]] as const) : []), [6, 1], [6, 2]] as const) {
        const one = { pages, bad, defect }
        parts.push(
          `${named(one)}\n\n${sentences(await auditFakeSite({ site: countedSite(one), url: COUNTED_URL }), (id) => ["B5", "E1", "E2", "E4"].includes(id))}`
        )
      }
    }
    await expect(`${HEAD}${parts.join("\n\n")}\n`).toMatchFileSnapshot("snapshots/sentences-unreadable.txt")
  })

  it("name what was broken, for each mutation of the excellent site", async () => {
    const source = readSource()
    const parts: Array<string> = []
    for (const { breaks, costs, name, url = EXCELLENT_URL } of mutations) {
      parts.push(`## ${name}\n\n${sentences(await auditFakeSite({ site: breaks(source), url }), (id) => id === costs)}`)
    }
    await expect(`${HEAD}${parts.join("\n\n")}\n`).toMatchFileSnapshot("snapshots/sentences-mutations.txt")
  }, 120_000)
})
