import type { CriterionResult } from "../../audit/Report.ts"

/**
 * Plugins whose criteria `docgauge fix` can write files for. Plugins, not ids: another rubric may give a criterion's id to another plugin.
 * Apart from what writes the files, so that a report that names them does not load it.
 */
export const WRITABLE = [
  "a1-llms-txt",
  "a2-full-text",
  "a3-robots-policy",
  "a4-sitemap",
  "a5-entry-points",
  "b1-markdown-twins",
  "b2-markdown-negotiation",
  "b3-markdown-faithful",
  "b4-metadata",
  "c1-spec-found",
  "f2-catalogue-and-auth",
  "f3-instructions"
] as const

export type WritablePlugin = (typeof WRITABLE)[number]

export const isWritable = (plugin: string): plugin is WritablePlugin => WRITABLE.some((one) => one === plugin)

/** What came of the criteria that a plugin measures: none, one, or several with params of their own. */
export const criteriaBy = (
  criteria: ReadonlyArray<CriterionResult>,
  plugin: WritablePlugin
): ReadonlyArray<CriterionResult> => criteria.filter(({ measured }) => measured.plugin === plugin)

/** The ids that a report gives to the criteria of plugins; those that its rubric has no criterion for are left out. */
export const idsOf = (
  { criteria }: { readonly criteria: ReadonlyArray<CriterionResult> },
  plugins: ReadonlyArray<WritablePlugin>
): ReadonlyArray<string> => plugins.flatMap((plugin) => criteriaBy(criteria, plugin).map(({ id }) => id))
