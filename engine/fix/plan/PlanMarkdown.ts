import { autolink, escapeMarkdown, inlineCode, markdownTable } from "../../text/MarkdownText.ts"
import { plainText } from "../../text/PlainText.ts"
import { filesInWords, type FixPlan, pointsLeft, scoreChange, uncheckedText } from "./Plan.ts"

const inline = (text: string): string => escapeMarkdown(plainText(text))

const PAGES = 10

/** The plan as Markdown, for a pull request or an issue. */
export const planMarkdown = (plan: FixPlan): string => [
  `# ${inline(plan.before.base_url)}: ${scoreChange(plan)} of 100`,
  headline(plan),
  ...(plan.unchecked.length === 0 ? [] : [uncheckedText(plan)]),
  ...(plan.recipes.length === 0 ? [] : ["## With your tools", plan.recipes.map((recipe) => `- ${recipe.criteria.join(", ")}: ${inline(recipe.do)} ${autolink(recipe.url)}`).join("\n")]),
  ...(plan.gains.length === 0 ? [] : ["## Gained", markdownTable(["Criterion", "", "Before", "After", "Of"], plan.gains.map((gain) => [gain.criterion, inline(gain.title), String(gain.before), String(gain.after), String(gain.max)])).join("\n")]),
  ...(plan.files.length === 0 ? [] : ["## Files", markdownTable(["File", "For", "URL"], plan.files.map((file) => [inlineCode(file.path), file.criteria.join(", "), file.url === null ? "" : autolink(file.url)])).join("\n"), ...(plan.host === null ? [] : [`${plan.host.title}: ${plan.host.use}`])]),
  ...(plan.todo.length === 0 ? [] : ["## Needs writing", ...plan.todo.map(todoText)])
].join("\n\n").concat("\n")

const headline = (plan: FixPlan): string => {
  const more = pointsLeft(plan)
  return plan.files.length === 0 ? `There is no file to write.${more}` : `${scoreChange(plan)} of 100 if you ${filesInWords(plan)}.${more}`
}

const todoText = ({ criterion, pages, points, reasons, steps, title }: FixPlan["todo"][number]): string =>
  [
    `### ${criterion} ${inline(title)} (+${points})`,
    ...(reasons.length === 0 ? [] : [reasons.map(inline).join(" ")]),
    ...(steps.length === 0 ? [] : [steps.map((step) => `- ${inline(step)}`).join("\n")]),
    ...(pages.length === 0 ? [] : [`Pages: ${pages.slice(0, PAGES).map(autolink).join(", ")}${pages.length > PAGES ? ` and ${pages.length - PAGES} more` : ""}`])
  ].join("\n\n")
