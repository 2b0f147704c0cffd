import { checkCommand, PROMPT_RULES, promptPages } from "../../audit/render/FixPrompt.ts"
import { inlineCode } from "../../text/MarkdownText.ts"
import { plainText } from "../../text/PlainText.ts"
import { shellUrl } from "../../text/ShellWord.ts"
import {
  DRIFT_ADVICE,
  DRIFT_TITLE,
  driftRest,
  judgedAgainText,
  meantInstead,
  notOverwritten,
  otherVersionsText,
  scoreInWords
} from "./PlanWords.ts"
import type { PlanText } from "./PlanSummary.ts"

/**
 * A prompt for a coding agent in the repository of the documentation: what is left to do, where, and how to check each step.
 * `zip`: the URL of the files, if they can be downloaded; without it, the command that printed the prompt writes them.
 */
export const planPrompt = (plan: PlanText, folder: string, zip: string | null = null): string => {
  const url = plan.before.base_url.replace(/\/$/, "")
  const quoted = shellUrl(url)
  const files =
    plan.files.length === 0
      ? []
      : [
          `\n## Files to publish\n\ndocgauge can write ${plan.files.length === 1 ? "1 file" : `${plan.files.length.toLocaleString("en")} files`} to ${folder} (${zip === null ? "the same command without --prompt" : `${inlineCode(`npx docgauge fix ${quoted}`)}, or unpack ${zip}`}). ${scoreInWords(plan)} Publish what is below ${folder}/site/ at the same paths, add each snippet of ${folder}/head/ to the head of its page${plan.host === null ? "." : `, and for ${plan.host.title}: ${plan.host.use}`}`,
          ...(notOverwritten(plan) === "" ? [] : [notOverwritten(plan)]),
          "Prefer a setting or a plugin of the documentation generator where there is one; otherwise let the build write these files, so that they stay current."
        ]
  return [
    `Improve the documentation at ${inlineCode(quoted)} for AI agents. It has ${plan.before.total_score} of 100 points by docgauge.`,
    PROMPT_RULES,
    ...(judgedAgainText(plan) === "" ? [] : [judgedAgainText(plan)]),
    ...files,
    ...(plan.otherVersions.length === 0 ? [] : [otherVersionsText(plan, (other) => inlineCode(plainText(other, 300)))]),
    ...plan.recipes.map(
      (recipe) => `With ${recipe.generator} (${recipe.criteria.join(", ")}): ${recipe.do} See ${recipe.url}`
    ),
    ...driftPrompt(plan.drift),
    ...(plan.todo.length === 0 ? [] : ["\n## To write"]),
    ...plan.todo.map(({ criterion, found, includes, pages, plugin, points, reasons, steps, title }) =>
      [
        `### ${[criterion, ...includes].join(", ")} ${title} (+${points})`,
        ...reasons.map((reason) => plainText(reason)),
        ...(found === null ? [] : [`Found: ${JSON.stringify(plainText(found))}`]),
        ...steps.map((step) => `- ${plainText(step)}`),
        ...promptPages(pages),
        `Check: ${inlineCode(checkCommand(plugin, plan.before.base_url))}`
      ].join("\n")
    ),
    `\nWhen all is published: ${inlineCode(`npx docgauge ${quoted}`)}`
  ]
    .join("\n\n")
    .concat("\n")
}

const driftPrompt = (drift: PlanText["drift"]): ReadonlyArray<string> => {
  if (drift.findings.length === 0) return []
  const rest = driftRest(drift)
  return [
    `\n## ${DRIFT_TITLE}\n\n${DRIFT_ADVICE} Operations and pointers in code spans are quoted from the site, too.`,
    ...drift.findings.map((finding) => {
      const { description, message, page } = finding
      const meant = meantInstead(finding)
      return [
        `Found: ${JSON.stringify(plainText(message))}`,
        ...(page === null
          ? []
          : [`Page: ${inlineCode(plainText(page.url, 300))}${page.line === null ? "" : `, line ${page.line}`}`]),
        ...(description === null
          ? []
          : [
              `API description: ${inlineCode(plainText(description.url, 300))}${description.pointer === "" ? "" : ` at ${inlineCode(plainText(description.pointer))}`}`
            ]),
        ...(meant === null ? [] : [`Does it mean ${inlineCode(plainText(meant))}?`])
      ].join("\n")
    }),
    ...(rest === "" ? [] : [rest])
  ]
}
