import { checkCommand, PROMPT_RULES, promptPages } from "../../report/FixPrompt.ts"
import { autolink, escapeMarkdown, inlineCode, markdownTable } from "../../text/MarkupText.ts"
import { plainText, shellUrl } from "../../text/PlainText.ts"
import type { PlanText } from "./PlanSummary.ts"
import {
  absentNote,
  costText,
  differenceText,
  DRIFT_ADVICE,
  DRIFT_TITLE,
  driftRest,
  gained,
  judgedAgainText,
  keptText,
  lostText,
  meantInstead,
  notOverwritten,
  otherVersionsText,
  planHeadline,
  recipeGroups,
  said,
  scoreChange,
  scoreInWords,
  uncheckedText,
  unopenedText,
  unversionedTexts
} from "./PlanWords.ts"
import { counted, firstNamed } from "../../plugin/Wording.ts"
import type { AuditReport } from "../../audit/Report.ts"

const inline = (text: string): string => inlinePart(plainText(text))

const inlinePart = (text: string): string => escapeMarkdown(text).replaceAll(/&(?=(?:\\#)?\w+;)/g, "\\&")

/** A text of the rubric or of a recipe, in which `backticks` mark code. A `|` would end a cell of a table, in code, too. */
const coded = (text: string): string =>
  plainText(text)
    .split(/`([^`|\s](?:[^`|]*[^`|\s])?)`/)
    .map((part, index) => (index % 2 === 1 ? `\`${part}\`` : inlinePart(part)))
    .join("")

const PAGES = 10

/** How a plan is written for a certain reader. */
interface PlanMarkdownOptions {
  /** How a URL of the site is written, in a table too; as a link unless given otherwise. */
  readonly siteUrl?: (url: string) => string
  /** How text that may quote the site is written on one line; escaped unless given otherwise. */
  readonly quote?: (text: string) => string
  /** Paragraphs after the headline. */
  readonly notes?: ReadonlyArray<string>
}

/** The plan as Markdown, for a pull request or an issue. */
export const planMarkdown = (
  plan: PlanText,
  { notes = [], quote = inline, siteUrl = autolink }: PlanMarkdownOptions = {}
): string =>
  [
    `# ${inline(plan.before.base_url)}: ${scoreChange(plan)} of 100`,
    planHeadline(plan),
    ...said(judgedAgainText(plan)),
    ...notes,
    ...said(unopenedText(plan, siteUrl)),
    ...said(differenceText(plan, inlineCode)),
    ...said(otherVersionsText(plan, siteUrl)),
    ...said(costText(plan)),
    ...said(keptText(plan, siteUrl)),
    ...said(uncheckedText(plan)),
    ...(plan.recipes.length === 0
      ? []
      : [
          "## With your tools",
          ...recipeGroups(plan).flatMap(({ lead, recipes }) => [
            lead,
            recipes
              .map((recipe) => `- ${recipe.criteria.join(", ")}: ${coded(recipe.do)} ${autolink(recipe.url)}`)
              .join("\n")
          ])
        ]),
    ...(gained(plan).length === 0
      ? []
      : [
          "## Gained",
          markdownTable(
            ["Criterion", "", "Before", "After", "Of"],
            gained(plan).map((gain) => [
              gain.criterion,
              coded(gain.title),
              String(gain.before),
              String(gain.after),
              String(gain.max)
            ])
          ).join("\n")
        ]),
    ...said(lostText(plan)),
    ...(plan.files.length === 0
      ? []
      : [
          "## Files",
          markdownTable(
            ["File", "For", "URL"],
            plan.files.map((file) => [
              `${inlineCode(file.path)}${absentNote(file) === "" ? "" : ` (${absentNote(file)})`}`,
              file.criteria.join(", "),
              file.url === null ? "" : siteUrl(file.url)
            ])
          ).join("\n"),
          ...plan.files.flatMap(({ path, remark }) => (remark === undefined ? [] : [`${inlineCode(path)}: ${remark}`])),
          ...unversionedTexts(plan, siteUrl),
          ...(plan.host === null ? [] : [`${plan.host.title}: ${plan.host.use}`])
        ]),
    ...driftPart(plan.drift, siteUrl, quote),
    ...(plan.todo.length === 0 ? [] : ["## Needs writing", ...plan.todo.map((todo) => todoText(todo, siteUrl, quote))])
  ]
    .join("\n\n")
    .concat("\n")

const todoText = (
  { criterion, found, includes, pages, points, reasons, steps, title }: PlanText["todo"][number],
  siteUrl: (url: string) => string,
  quote: (text: string) => string
): string =>
  [
    `### ${[criterion, ...includes].join(", ")} ${coded(title)} (+${points})`,
    ...(reasons.length === 0 ? [] : [reasons.map(inline).join(" ")]),
    ...(found === null ? [] : [quote(found)]),
    ...(steps.length === 0 ? [] : [steps.map((step) => `- ${coded(step)}`).join("\n")]),
    ...(pages.length === 0 ? [] : [`Pages: ${firstNamed(pages.map(siteUrl), PAGES)}`])
  ].join("\n\n")

const driftPart = (
  drift: PlanText["drift"],
  siteUrl: (url: string) => string,
  quote: (text: string) => string
): ReadonlyArray<string> => {
  if (drift.findings.length === 0) return []
  const items = drift.findings.map((finding) => {
    const { description, message, page } = finding
    const meant = meantInstead(finding)
    const places = [
      ...(page === null ? [] : [`Page: ${siteUrl(page.url)}${page.line === null ? "" : `, line ${page.line}`}`]),
      ...(description === null
        ? []
        : [
            `API description: ${siteUrl(description.url)}${description.pointer === "" ? "" : ` at ${quote(description.pointer)}`}`
          ])
    ]
    return [
      `- ${quote(message)}${meant === null ? "" : ` Does it mean ${quote(meant)}?`}`,
      ...places.map((place) => `  - ${place}`)
    ].join("\n")
  })
  const rest = driftRest(drift)
  return [`## ${DRIFT_TITLE}`, DRIFT_ADVICE, [...items, ...(rest === "" ? [] : [`- ${rest}`])].join("\n")]
}

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
          `\n## Files to publish\n\ndocgauge can write ${counted(plan.files.length, "file")} to ${folder} (${zip === null ? "the same command without --prompt" : `${inlineCode(`npx docgauge fix ${quoted}`)}, or unpack ${zip}`}). ${scoreInWords(plan)} Publish what is below ${folder}/site/ at the same paths, add each snippet of ${folder}/head/ to the head of its page${plan.host === null ? "." : `, and for ${plan.host.title}: ${plan.host.use}`}`,
          ...said(notOverwritten(plan)),
          "Prefer a setting or a plugin of the documentation generator where there is one; otherwise let the build write these files, so that they stay current."
        ]
  return [
    `Improve the documentation at ${inlineCode(quoted)} for AI agents. It has ${plan.before.total_score} of 100 points by docgauge.`,
    PROMPT_RULES,
    ...said(judgedAgainText(plan)),
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
    ...said(rest)
  ]
}

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
const ASKED_PAGES = 3

/** The questions that an audit raises, for a person to answer in the documentation; `null`: none. No points are promised for them. */
export const questionsMarkdown = ({ base_url, criteria, pages = [] }: AuditReport): string | null => {
  const asked = criteria.flatMap(({ applicable, id, max, measured, score, status }) => {
    const questions = QUESTIONS[measured.plugin] ?? []
    if (status === "inconclusive" || applicable === false || score >= max) return []
    const where = pages.flatMap(({ failed, url }) => (failed.includes(id) ? [url] : [])).slice(0, ASKED_PAGES)
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
