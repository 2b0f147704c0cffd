import { describe, it } from "vitest"
import { hasPostgres } from "../../harness/PostgresCluster.ts"
import { expectNoAuditRepeated } from "./DatabaseAway.ts"

describe.skipIf(!hasPostgres)("a PostgreSQL that is away for two minutes", () => {
  it("costs no finished audit: each is written once it is back, and no site is audited again", () =>
    expectNoAuditRepeated(120_000))
})
