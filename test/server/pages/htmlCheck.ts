import { HtmlValidate } from "html-validate"

/**
 * The recommended rules. What is left out says nothing of validity: how void elements and the doctype are written, how long a
 * title is, and that the page of a run under way loads itself anew where there is no script.
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
  return results.flatMap(({ messages }) => messages.map(({ column, line, message, ruleId }) => `${ruleId} (${line}:${column}): ${message}`))
}
