import type { AuditReport } from "../../audit/Report.ts"
import { inlineCode } from "../../text/MarkupText.ts"

/** What only a person who knows the product can say, by the plugin whose criterion shows that the documentation does not. */
const QUESTIONS: Readonly<Record<string, ReadonlyArray<string>>> = {
  "f3-instructions": [
    "In which order are operations called to reach the usual goals, and which results does the next call need?",
    "Which calls return success though nothing was done, or is done later?"
  ],
  "c3-spec-described": ["Which value does each optional parameter have when it is left out?"],
  "d1-runnable-examples": ["Which request can be run as it is, and what does its caller see?"],
  "d3-errors": ["Which errors can a call return, and which of them mean: correct the request, wait, or give up?"],
  "d4-authentication": ["Where does a caller get credentials, and which call shows that they work?"],
  "d5-rate-limits": [
    "How many requests are allowed, by what are they counted, and what tells a caller that it must wait?"
  ],
  "d6-safe-retries": [
    "Which calls can be repeated after a timeout without harm, and what must be sent so that they can?"
  ],
  "d7-lifecycle": ["Which operations will go away, when, and what replaces them?"]
}

/** Pages that a question names. */
const PAGES = 3

/** The questions that an audit raises, for a person to answer in the documentation; `null`: none. No points are promised for them. */
export const questionsMarkdown = ({ base_url, criteria, pages = [] }: AuditReport): string | null => {
  const asked = criteria.flatMap(({ applicable, id, max, measured, score, status }) => {
    const questions = QUESTIONS[measured.plugin] ?? []
    if (status === "inconclusive" || applicable === false || score >= max) return []
    const where = pages.flatMap(({ failed, url }) => (failed.includes(id) ? [url] : [])).slice(0, PAGES)
    return questions.map(
      (question) =>
        `- [ ] ${question} (${id}${where.length === 0 ? "" : `; ${where.map((url) => inlineCode(url)).join(", ")}`})`
    )
  })
  return asked.length === 0
    ? null
    : [
        `# Questions about ${inlineCode(base_url)}`,
        "We did not find the answers in the documentation. Agents guess where they are missing. Somebody who knows the product should answer them where readers look for them; this file is not for publishing.",
        asked.join("\n")
      ]
        .join("\n\n")
        .concat("\n")
}
