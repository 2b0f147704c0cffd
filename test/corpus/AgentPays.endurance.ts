import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { layerFakeSite } from "../../engine/testing/FakeSite.ts"
import { auditOver } from "../audit/AuditOver.ts"
import { CORPUS, extractSites, hasCorpus } from "./CorpusServer.ts"
import { agentCost, isCheaper } from "./pays/AgentCost.ts"
import { folderSite, HOST, type Variant } from "./pays/FolderSite.ts"

/* Whether a score follows what an agent pays: `npm run test:endurance -- test/corpus/AgentPays`. */

/** A site of the corpus in two variants, and the pages that an agent needs: start, quickstart, authentication, errors, one operation. */
interface Pair {
  readonly site: string
  /** Its folder in the archive. */
  readonly folder: string
  /** The path that it is published below; the root where it is left out. */
  readonly mount?: string
  readonly variants: readonly [Variant, Variant]
  readonly needed: readonly [string, ...ReadonlyArray<string>]
}

const PAIRS: ReadonlyArray<Pair> = [
  {
    site: "bagisto-api",
    folder: "bagisto-api",
    variants: ["as it is", "negotiated"],
    needed: [
      "/",
      "/api/rest-api/best-practices",
      "/api/rest-api/authentication",
      "/api/rest-api/testing-debugging",
      "/api/rest-api/shop/product-reviews/create-product-review"
    ]
  },
  {
    site: "httpx",
    folder: "httpx",
    variants: ["as it is", "negotiated"],
    needed: ["/", "/quickstart/", "/advanced/authentication/", "/exceptions/", "/api/"]
  },
  {
    site: "dnd5eapi",
    folder: "dnd5eapi",
    variants: ["as it is", "negotiated"],
    mount: "/docs",
    needed: ["/docs/", "/docs/introduction", "/docs/tutorials", "/docs/faq", "/docs/api/get-a-spell-by-index"]
  },
  {
    site: "centrifugal",
    folder: "centrifugal",
    variants: ["files", "negotiated"],
    needed: [
      "/",
      "/docs/getting-started/quickstart",
      "/docs/server/authentication",
      "/docs/server/codes",
      "/docs/server/server_api"
    ]
  },
  {
    site: "synapse",
    folder: "synapse/latest",
    variants: ["dead end", "negotiated"],
    needed: [
      "/index.html",
      "/setup/installation.html",
      "/jwt.html",
      "/usage/administration/admin_faq.html",
      "/admin_api/user_admin_api.html"
    ]
  },
  {
    site: "synapse",
    folder: "synapse/latest",
    variants: ["dead end", "as it is"],
    needed: [
      "/index.html",
      "/setup/installation.html",
      "/jwt.html",
      "/usage/administration/admin_faq.html",
      "/admin_api/user_admin_api.html"
    ]
  },
  {
    site: "georef-ar",
    folder: "georef-ar",
    variants: ["menus", "negotiated"],
    needed: ["/", "/quick-start/", "/jwt-token/", "/bulk/", "/addresses/"]
  }
]

describe.skipIf(!hasCorpus)("of two variants of a site, the one where an agent pays less", () => {
  const folder = mkdtempSync(join(tmpdir(), "docgauge-pays-"))
  const sites = join(folder, "sites")

  beforeAll(() => extractSites(sites, CORPUS, [...new Set(PAIRS.map(({ site }) => site))]))
  afterAll(() => rmSync(folder, { recursive: true }))

  test.each(PAIRS)(
    "has the higher score: $site, $variants",
    async ({ folder: path, mount = "", needed, site, variants }) => {
      const of = async (variant: Variant) => {
        const fake = folderSite({ folder: join(sites, path), mount, start: needed[0] }, variant)
        const { result } = await Effect.runPromise(auditOver(layerFakeSite(fake), `${HOST}${needed[0]}`))
        const { criteria, total_score: score } = Result.getOrThrow(result).report
        const points = criteria.filter(({ id }) => /^B[1235]$/.test(id)).map((one) => `${one.id} ${one.score}`)
        const cost = agentCost(fake, needed)
        console.log(
          `${site}, ${variant}: ${score} points (${points.join(", ")}); ${cost.characters} characters, ${cost.requests} requests, ${cost.unreached} pages out of reach`
        )
        return { score, cost }
      }
      const [dear, cheap] = [await of(variants[0]), await of(variants[1])]
      expect(isCheaper(cheap.cost, dear.cost)).toBe(true)
      expect(cheap.score).toBeGreaterThan(dear.score)
    }
  )
})
