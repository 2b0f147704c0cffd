/** A part of the documentation's navigation. */
interface ContentsSection {
  readonly title: string
  /** Pages in reading order, by their paths below `/v1`; `index` is the first page. */
  readonly slugs: ReadonlyArray<string>
}

/** The version in the documentation's URLs: the major version of the contract. */
export const DOCS_VERSION = "v1"

/** All pages in reading order. Each is a file below `server/docs/v1`. */
export const CONTENTS: ReadonlyArray<ContentsSection> = [
  { title: "Start", slugs: ["index", "quickstart", "authentication", "for-agents"] },
  {
    title: "Using the API",
    slugs: ["runs", "errors", "limits", "verify-site", "retries", "pagination", "events", "testing"]
  },
  {
    title: "Reference",
    slugs: [
      "reference",
      "operations/submit-audit",
      "operations/get-run",
      "operations/get-history",
      "operations/get-diff",
      "operations/get-archive",
      "operations/browse-summary",
      "operations/browse-top",
      "operations/browse-stats",
      "operations/browse-adoption",
      "operations/browse-search",
      "operations/browse-export",
      "operations/get-sites",
      "operations/get-dashboard",
      "operations/create-webhook",
      "operations/get-webhook",
      "operations/test-webhook",
      "operations/delete-webhook",
      "operations/get-contract-json",
      "operations/get-contract-yaml",
      "objects"
    ]
  },
  { title: "Tools", slugs: ["mcp-server", "cli", "criteria"] },
  { title: "About", slugs: ["versioning", "changelog", "glossary", "our-score"] }
]
