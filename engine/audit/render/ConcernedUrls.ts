import { pathShown } from "../../criterion/Wording.ts"
import type { AuditReport, CriterionResult, EvidenceItem } from "../Report.ts"

/** The URLs that a fix is about, and how many more there are than are named. */
export interface ConcernedUrls {
  readonly urls: ReadonlyArray<string>
  readonly more: number
}

/**
 * The first `most` URLs that a fix is about. The report names ten with the remedy; findings against the site name the others.
 * Summaries cite one page for all, so they do not count, and neither does `except`. What no page has is proved by the base page, which
 * it is not about.
 */
export const concernedUrls = (
  { base_url, pages: [base] = [] }: Pick<AuditReport, "base_url" | "pages">,
  { findings = [], remedy }: CriterionResult,
  most: number,
  except: string | null = null
): ConcernedUrls => {
  const bad = findings.slice(1).filter(({ good }) => !good)
  const isProofAlone = (url: string): boolean =>
    (url === base_url || url === base?.url) &&
    bad.some((finding) => finding.url === url) &&
    !bad.some((finding) => finding.url === url && isNamed(finding))
  const all = [...new Set([...(remedy?.addresses ?? []), ...bad.map(({ url }) => url)])].filter(
    (url) => url !== except && !isProofAlone(url)
  )
  return { urls: all.slice(0, most), more: Math.max(0, all.length - most) }
}

/** Whether a finding says something of the page that it cites. */
const isNamed = ({ note, url }: EvidenceItem): boolean =>
  note.split(" ").some((word) => word.replace(/[,.:;]$/, "") === pathShown(url))
