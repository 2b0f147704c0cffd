import { pluginFolder } from "../../engine/rubric/CriterionPage.ts"
import type { CriterionNames } from "./CriterionNames.ts"

/** The case that fails until the plugin checks something and the case's site meets it. */
export const FAILING_CASE = "every page meets it"

/** The maximum points of the criterion while it is on trial. */
export const TRIAL_POINTS = 2

/** The test of a new criterion. One case fails: the plugin does not check anything yet, so no site can meet it. */
export const testTemplate = ({ category, exported, plugin }: CriterionNames): string =>
  `import { testCriterion } from "../../../engine/testing/CriterionTester.ts"
import { ${exported} } from "../../../plugins/${pluginFolder(category.key)}/${plugin}.ts"

const page = (content: string, title = "Docs"): string =>
  \`<!doctype html><html lang="en"><title>\${title}</title><main><h1>\${title}</h1><p>An API, and how to call it, in a few plain words.</p>\${content}</main></html>\`

testCriterion(${exported}, {
  cases: [
    {
      name: "no page meets it",
      site: { "/": page("") },
      earns: 0,
      facts: { pages: 1, matching: 0 },
      findings: [{ proof: "/", good: false }]
    },
    {
      // Fails until the plugin checks something and this page meets it.
      name: "${FAILING_CASE}",
      site: { "/": page("<p>Replace this by what the criterion requires.</p>") },
      earns: ${TRIAL_POINTS}
    }
  ]
})
`
