import { plainText } from "../../engine/text/PlainText.ts"
import type { FixPlan } from "../../engine/fix/plan/Plan.ts"
import {
  costText,
  differenceText,
  DRIFT_ADVICE,
  DRIFT_TITLE,
  driftRest,
  gained,
  keptText,
  lostText,
  meantInstead,
  otherVersionsText,
  pagesInWords,
  pointsLeft,
  recipeGroups,
  scoreChange,
  stepsInWords,
  uncheckedText,
  unopenedText,
  unversionedTexts
} from "../../engine/fix/plan/PlanWords.ts"
import { block, type Style } from "../render/Style.ts"
import { firstNamed, grouped } from "../../engine/plugin/Wording.ts"

interface FixTextOptions {
  readonly width: number
  readonly style: Style
  /** Where the files were written, or would be. */
  readonly folder: string
  readonly isWritten: boolean
  /** The owner's decisions, as a command that writes into a build repeats them: ` --ai search-only`; empty: none. */
  readonly decisions: string
  /** The branch that the files were committed to; left out: none. */
  readonly branch?: string
}

/** How many files and todos are shown one by one. */
const SHOWN = 8

/** The plan for a terminal: what it gains, which files, what to do next. */
export const fixText = (
  plan: FixPlan,
  { branch, decisions, folder, isWritten, style, width }: FixTextOptions
): string => {
  const line = (text: string, indent = "  "): ReadonlyArray<string> =>
    block(plainText(text, 1_000), Math.min(width, 110), indent)
  return [
    style.bold(plainText(plan.before.base_url, 200)),
    ...headline(plan, style).flatMap((text) => line(text, "")),
    ...line(unopenedText(plan), ""),
    ...line(differenceText(plan), ""),
    ...line(otherVersionsText(plan), ""),
    ...line(costText(plan), ""),
    ...line(keptText(plan), ""),
    ...line(uncheckedText(plan), ""),
    ...section(
      "With your tools",
      recipeGroups(plan).flatMap(({ lead, recipes }) => [
        ...line(lead),
        ...recipes.flatMap((recipe) => [
          ...line(`${recipe.criteria.join(", ")}: ${recipe.do}`),
          `    ${plainText(recipe.url, 200)}`
        ])
      ]),
      style
    ),
    ...section(
      "Gained",
      [
        ...gained(plan).map(
          ({ after, before, criterion, max, title }) =>
            `  ${criterion}  ${plainText(title, 60).padEnd(46)} ${before} → ${after} of ${max}`
        ),
        ...line(lostText(plan))
      ],
      style
    ),
    ...section("Files", [...filesShown(plan), ...unversionedTexts(plan).flatMap((text) => line(text))], style),
    ...section(
      "Next",
      nextSteps(plan, plainText(folder, 200), decisions, isWritten, branch).flatMap((step, index) =>
        hanging(line(step, "     "), `${index + 1}.`)
      ),
      style
    ),
    ...section(
      DRIFT_TITLE,
      plan.drift.findings.length === 0
        ? []
        : [
            ...line(DRIFT_ADVICE),
            ...plan.drift.findings.flatMap((finding) => {
              const meant = meantInstead(finding)
              return hanging(line(`${finding.message}${meant === null ? "" : ` Does it mean ${meant}?`}`, "    "), "-")
            }),
            ...line(driftRest(plan.drift))
          ],
      style
    ),
    ...section(
      "Needs writing",
      plan.todo
        .slice(0, SHOWN)
        .flatMap(({ criterion, found, includes, pages, points, reasons, steps, title }) => [
          `  ${[criterion, ...includes].join(", ")}  +${points}  ${plainText(title, 80)}`,
          ...(reasons.length > 0 ? reasons : found === null ? steps.slice(0, 1) : [found]).flatMap((text) =>
            line(text, "      ")
          ),
          ...(pages.length === 0 ? [] : line(firstNamed(pages, 2), "      ").map(style.dim))
        ]),
      style
    ),
    ...(plan.todo.length > SHOWN ? [`  … and ${plan.todo.length - SHOWN} more (--format markdown shows all)`] : []),
    ""
  ].join("\n")
}

const headline = (plan: FixPlan, style: Style): ReadonlyArray<string> => {
  const more = pointsLeft(plan)
  if (plan.files.length === 0) return [`${plan.before.total_score} of 100. There is no file to write.${more}`]
  return [`${style.good(`${scoreChange(plan)} of 100`)}${pagesInWords(plan)}${stepsInWords(plan)}${more}`]
}

const section = (title: string, lines: ReadonlyArray<string>, style: Style): ReadonlyArray<string> =>
  lines.length === 0 ? [] : ["", style.bold(title), ...lines]

/** Lines with a mark before the first of them. */
const hanging = ([first = "", ...rest]: ReadonlyArray<string>, mark: string): ReadonlyArray<string> => [
  `  ${mark} ${first.trimStart()}`,
  ...rest
]

/** Named files one by one; Markdown versions and snippets, of which there are many, as two lines. */
const filesShown = ({ files }: FixPlan): ReadonlyArray<string> => {
  const versions = files.filter((file) => file.isVersion)
  const heads = files.filter(({ path }) => path.startsWith("head/"))
  const others = files.filter((file) => !versions.includes(file) && !heads.includes(file))
  const shown = others.flatMap(({ completes, criteria, onlyIfAbsent, path, remark }) => [
    `  ${path.padEnd(38)} ${criteria.join(", ")}${completes ? "  (yours, completed)" : onlyIfAbsent === true ? "  (only if absent)" : ""}`,
    ...(remark === undefined ? [] : [`    ${remark}`])
  ])
  const many = (label: string, of: typeof files, what: string): ReadonlyArray<string> =>
    of.length === 0
      ? []
      : [
          `  ${label.padEnd(38)} ${[...new Set(of.flatMap(({ criteria }) => criteria))].sort().join(", ")}  (${grouped(of.length)} ${what}${onlyIfAbsentText(of)})`
        ]
  return [
    ...shown,
    ...many("site/**.md", versions, versions.length === 1 ? "Markdown version" : "Markdown versions"),
    ...many("head/**.html", heads, heads.length === 1 ? "snippet" : "snippets")
  ]
}

/** How many of some files may only be published where there is none. */
const onlyIfAbsentText = (files: FixPlan["files"]): string => {
  const count = files.filter(({ onlyIfAbsent }) => onlyIfAbsent === true).length
  return count === 0 ? "" : count === files.length ? ", only if absent" : `, ${grouped(count)} only if absent`
}

const nextSteps = (
  plan: FixPlan,
  where: string,
  decisions: string,
  isWritten: boolean,
  branch: string | undefined
): ReadonlyArray<string> => {
  if (plan.files.length === 0) return []
  const last = `Publish, then run: docgauge fix --verify ${where}/PLAN.json, which checks what is published, and docgauge ${plainText(plan.before.base_url, 200)}`
  if (branch !== undefined)
    return [
      `The files are committed to the new branch ${branch}. Your own branch, index and files are as they were, and nothing is pushed. Look at it: git show ${branch}`,
      `Push it: git push -u origin ${branch}. The text of the pull request is ${where}/PULL_REQUEST.md.`,
      last
    ]
  const has = (part: string): boolean => plan.files.some(({ path }) => path.startsWith(part))
  return [
    ...(!isWritten ? [`Run this command without --plan to write the files to ${where}/.`] : []),
    ...(has("site/")
      ? [`Copy what is in ${where}/site/ to the root of the host, at the same paths, or let your build write it.`]
      : []),
    ...(has("head/")
      ? [
          `Add each snippet of ${where}/head/ to the <head> of its page; in a static build, docgauge fix ./build --as ${plainText(plan.before.base_url, 200)} --patch ./build${decisions} does both.`
        ]
      : []),
    ...(plan.host === null ? [] : [`${plan.host.title}: ${plan.host.use}`]),
    last
  ]
}
