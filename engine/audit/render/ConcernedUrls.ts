import type { CriterionResult } from "../Report.ts"

/** The URLs that a fix is about, and how many more there are than are named. */
export interface ConcernedUrls {
  readonly urls: ReadonlyArray<string>
  readonly more: number
}

/**
 * The first `most` URLs that a fix is about. The report names ten with the remedy; findings against the site name the others.
 * Summaries cite one page for all, so they do not count, and neither does `except`.
 */
export const concernedUrls = ({ findings = [], remedy }: CriterionResult, most: number, except: string | null = null): ConcernedUrls => {
  const bad = findings.slice(1).filter(({ good }) => !good).map(({ url }) => url)
  const all = [...new Set([...(remedy?.addresses ?? []), ...bad])].filter((url) => url !== except)
  return { urls: all.slice(0, most), more: Math.max(0, all.length - most) }
}
