import process from "node:process"
import { hasPostgres, makePostgres } from "./PostgresCluster.ts"

/** Nothing is kept, so nothing needs to reach the disk. A worker on a busy machine may hold a hundred connections of processes that stop. */
const SETTINGS = { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "600" }

/** Gives the whole test run a PostgreSQL server of its own; where none can be made, tests use the server at 127.0.0.1:5432, if any. */
export default async (): Promise<(() => Promise<void>) | undefined> => {
  // Each project of a configuration calls this.
  if (!hasPostgres || process.env["DOCGAUGE_TEST_POSTGRES"] !== undefined) return undefined
  const cluster = await makePostgres(SETTINGS)
  process.env["DOCGAUGE_TEST_POSTGRES"] = cluster.url
  return cluster.remove
}
