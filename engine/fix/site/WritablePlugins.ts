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
  "f2-catalogue-and-auth"
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

type Facts = Readonly<Record<string, unknown>>

/** Whether a fact is none of the values for which nothing can be written; a fact that a report lacks says nothing. */
const isNot =
  (name: string, ...values: ReadonlyArray<unknown>) =>
  (facts: Facts): boolean =>
    !(name in facts) || !values.includes(facts[name])

/** Whether a count or share is below 1. */
const lacks =
  (name: string) =>
  (facts: Facts): boolean => {
    const value = facts[name]
    return typeof value !== "number" || value < 1
  }

/** What is known beside the facts of a criterion. */
interface About {
  /** Whether there is an API description that is a document of its own. */
  readonly isDescribed: boolean
  readonly ownsRoot: boolean
}

type Condition = (facts: Facts, about: About) => boolean

const always: Condition = () => true

/** What of a criterion files can bring, by its facts: dates, longer descriptions and the like are the owner's. */
const CONDITIONS: Readonly<Record<WritablePlugin, Condition>> = {
  "a1-llms-txt": (facts) => {
    const titles = facts["h1"]
    return typeof titles !== "number" || titles <= 1
  },
  "a2-full-text": always,
  "a3-robots-policy": (_, about) => about.ownsRoot,
  "a4-sitemap": (facts) => lacks("covered")(facts) || lacks("locations")(facts) || isNot("relative", 0)(facts),
  "a5-entry-points": always,
  "b1-markdown-twins": lacks("with_twin"),
  "b2-markdown-negotiation": always,
  "b3-markdown-faithful": always,
  "b4-metadata": (facts) =>
    (lacks("canonical")(facts) && isNot("canonical_elsewhere", 1)(facts)) ||
    lacks("structured_data")(facts) ||
    lacks("title")(facts),
  "c1-spec-found": (facts) =>
    isNot("found_by", "none", "inline", "announced")(facts) && isNot("placeholder", true)(facts),
  "f2-catalogue-and-auth": (facts, about) =>
    about.isDescribed && about.ownsRoot && isNot("catalogue", "valid", "invalid")(facts)
}

/** The ids of those of some criteria of a report that files can be written for, as far as its facts tell. */
export const writableIds = (
  report: { readonly base_url: string; readonly criteria: ReadonlyArray<CriterionResult> },
  some: ReadonlyArray<CriterionResult>
): ReadonlyArray<string> => {
  const spec = criteriaBy(report.criteria, "c1-spec-found")[0]?.measured.facts
  const isDescribed =
    spec !== undefined && spec !== null && isNot("found_by", "none", "inline")(spec) && isNot("placeholder", true)(spec)
  return WRITABLE.flatMap((plugin) =>
    criteriaBy(some, plugin).flatMap(({ id, measured }) =>
      CONDITIONS[plugin](measured.facts ?? {}, { isDescribed, ownsRoot: ownsRoot(report.base_url) }) ? [id] : []
    )
  )
}

/** Hosts on which an owner has one site at the root, and a folder for each further project. */
const PROJECT_HOST = /\.(?:github\.io|gitlab\.io|codeberg\.page)$/i

/** Whether who publishes the documentation publishes the root of its host, too: the root of a project's pages is another project's. */
export const ownsRoot = (url: string): boolean => {
  const { hostname, pathname } = new URL(url)
  return !PROJECT_HOST.test(hostname) || pathname === "/"
}

/** Why a file at the root is not written; `file`: its name. */
export const rootText = (file: string, url: string): string =>
  `${file} belongs to the root of ${new URL(url).hostname}, which another repository publishes. Ask its owner, or publish the documentation on a host of its own.`
