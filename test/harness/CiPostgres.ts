import process from "node:process"
import { isCi } from "./Availability.ts"
import { makePostgres } from "./PostgresCluster.ts"

/** Nothing is kept, so nothing needs to reach the disk. */
const FAST = { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }

/** Gives the whole test run in CI a PostgreSQL server of its own; elsewhere tests use the server at 127.0.0.1:5432, if any. */
export default async (): Promise<(() => Promise<void>) | undefined> => {
  // Each project of a configuration calls this.
  if (!isCi || process.env["DOCGAUGE_TEST_POSTGRES"] !== undefined) return undefined
  const cluster = await makePostgres({ ...FAST, max_connections: "200" })
  process.env["DOCGAUGE_TEST_POSTGRES"] = cluster.url
  return cluster.remove
}
