import * as Effect from "effect/Effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type FiguresRow, figuresOf } from "./CorpusFigures.ts"
import type { SiteFigures } from "./SiteFigures.ts"

/** A site's figures and its name. */
export type NamedFigures = SiteFigures & { readonly name: string }

/** A row of `site_figures`, with the site's name. */
export type NamedRow = FiguresRow & { readonly name: string }

export const namedFiguresOf = (row: NamedRow): NamedFigures => ({ ...figuresOf(row), name: row.name })

/** The rows of sites, by their serial numbers. */
export const rowsBySite = Effect.fnUntraced(function* (sql: SqlClient, sites: ReadonlyArray<number>) {
  const rows = yield* sql<NamedRow>`
    SELECT site_figures.*, sites.site AS name FROM site_figures JOIN sites ON sites.serial = site_figures.site
    WHERE ${sql.in("site_figures.site", sites)}`
  return new Map(rows.map((row) => [Number(row.site), row] as const))
})
