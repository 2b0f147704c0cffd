import type { PostgresCluster } from "../../harness/PostgresCluster.ts"

/** The indexes of the tables that grow, but for those of keys. `facts` and `exchanges` are read by their run alone, as reports are. */
const INDEXES = `
  FROM pg_indexes WHERE tablename IN ('sites', 'runs', 'reports', 'site_figures') AND to_regclass(indexname) NOT IN (SELECT conindid FROM pg_constraint)`

/**
 * Makes several copies of each seeded site, each with all its runs, in a fraction of the time that the seed of the benches takes. Meanwhile
 * there are no indexes but those of keys, and references are not checked.
 */
export const multiplyRuns = async ({ execute }: PostgresCluster, times: number): Promise<void> => {
  const [sites, runs] = [
    Number(await execute("SELECT max(serial) FROM sites")),
    Number(await execute("SELECT max(serial) FROM runs"))
  ]
  const created = await execute(`SELECT string_agg(indexdef, ';') ${INDEXES}`)
  await execute(await execute(`SELECT string_agg(format('DROP INDEX %I', indexname), ';') ${INDEXES}`))
  const copied = async (table: string, where: string, changes: Readonly<Record<string, string>>): Promise<string> => {
    const columns = (
      await execute(
        `SELECT column_name FROM information_schema.columns WHERE table_name = '${table}' ORDER BY ordinal_position`
      )
    )
      .trim()
      .split("\n")
    return `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${columns.map((column) => changes[column] ?? column).join(", ")} FROM ${table} WHERE ${where};`
  }
  for (let copy = 1; copy < times; copy++) {
    const [site, run] = [copy * sites, copy * runs]
    await execute(
      [
        "SET session_replication_role = replica;",
        await copied("sites", `serial <= ${sites}`, {
          serial: `serial + ${site}`,
          site: `site || '-${copy}'`,
          key: keyOf(`site || '-${copy}'`)
        }),
        await copied("runs", `serial <= ${runs}`, {
          serial: `serial + ${run}`,
          site: `site + ${site}`,
          id: `(substr(id::text, 1, 24) || substr(md5(id::text || '${copy}'), 1, 12))::uuid`,
          url: `url || '-${copy}'`,
          target: `md5(target || '${copy}')`
        }),
        await copied("reports", `run <= ${runs}`, { run: `run + ${run}` }),
        await copied("site_figures", `site <= ${sites}`, {
          site: `site + ${site}`,
          url: `url || '-${copy}'`,
          search_text: `search_text || '-${copy}'`
        })
      ].join("\n")
    )
  }
  await execute(created)
  await execute(`
    UPDATE corpus SET sites = sites * ${times}, runs = runs * ${times};
    UPDATE score_counts SET sites = sites * ${times};
    UPDATE tlds SET sites = sites * ${times};
    UPDATE organisations SET sites = sites * ${times};
    UPDATE outcome_counts SET sites = sites * ${times}, points = points * ${times}, max_points = max_points * ${times};
    SELECT setval(pg_get_serial_sequence('sites', 'serial'), ${sites * times}), setval(pg_get_serial_sequence('runs', 'serial'), ${runs * times});`)
  await execute("VACUUM ANALYZE")
}

/** As `digestKey` of a site's name. */
const keyOf = (site: string): string =>
  `rtrim(translate(encode(sha256(convert_to(${site}, 'UTF8')), 'base64'), '+/', '-_'), '=')`
