import { describe, expect, it } from "vitest"
import { auditFakeSite } from "./AuditFakeSite.ts"
import { COUNTED_URL, countedSite, type CountedSite, type Defect } from "./CountedSite.ts"
import { HEAD, sentences } from "./Sentences.ts"

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
})
