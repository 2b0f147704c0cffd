import { withoutPageEnding } from "../../text/MarkdownFile.ts"

/** Folders and pages of release notes, archives and documentation that is no longer kept up. */
const PAST_SEGMENT = /^(?:release[-_]?notes?|relnotes|releases|change[-_]?logs?|what[-_]?s[-_]?new|archived?|archives|obsolete)$/i

/**
 * Whether a URL is that of release notes, an archive or an obsolete tree, unless the base is in the same one.
 *
 * @param base the base's URL.
 */
export const isPastPage = (url: string, base: string): boolean => {
  const own = new Set(segmentsOf(base))
  return segmentsOf(url).some((segment) => PAST_SEGMENT.test(segment) && !own.has(segment))
}

const segmentsOf = (url: string): ReadonlyArray<string> => new URL(url).pathname.split("/").map(withoutPageEnding)
