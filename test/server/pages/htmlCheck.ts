import { HtmlValidate } from "html-validate"

/**
 * The recommended rules. What is left out says nothing of validity: how void elements and the doctype are written, how long a
 * title is, and that the page of a run under way reloads itself without a script.
 */
const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    "doctype-style": "off",
    "void-style": "off",
    "long-title": "off",
    "meta-refresh": "off",
    "no-trailing-whitespace": "off"
  }
})

/** What is wrong with a page: a line for each fault, with the rule, the place and the words; empty where it is valid. */
export const htmlFaults = async (page: string): Promise<ReadonlyArray<string>> => {
  const { results } = await validator.validateString(page)
  const faults = results.flatMap(({ messages }) =>
    messages.map(({ column, line, message, ruleId }) => `${ruleId} (${line}:${column}): ${message}`)
  )
  return [
    ...faults,
    ...NU_RULES.flatMap(({ fault, pattern }) => [...page.matchAll(pattern)].map(([found]) => `${fault}: ${found}`))
  ]
}

/** What the Nu checker found in our pages and html-validate does not look for. */
const NU_RULES = [
  { fault: "a second has three digits at most", pattern: /<time datetime="[^"]*\.\d{4,}[^"]*"/g },
  { fault: "a <pre> has no role that may have a name", pattern: /<pre\b[^>]*aria-label(?:ledby)?=[^>]*>/g }
]
