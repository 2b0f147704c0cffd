import type { FixPlan } from "../../../engine/fix/plan/Plan.ts"
import {
  absentNote,
  costText,
  gained,
  lostText,
  otherVersionsText,
  scoreChange
} from "../../../engine/fix/plan/PlanWords.ts"
import { autolink, escapeMarkdown, inlineCode, markdownTable } from "../../../engine/text/MarkdownText.ts"
import { plainText, shellUrl } from "../../../engine/text/PlainText.ts"
import { counted } from "../../../engine/criterion/Wording.ts"

/** A file of a branch, or one that is not in it, and why. */
export interface PulledFile {
  readonly path: string
  /** In the repository. */
  readonly at: string
}

/** What is told of a branch. */
export interface PullStory {
  readonly plan: FixPlan
  readonly files: ReadonlyArray<PulledFile>
  readonly leftOut: ReadonlyArray<{ readonly path: string; readonly reason: string }>
  readonly folder: string
  /** The URL that the folder is published at. */
  readonly publishedAt: string
  readonly takesMarkdown: boolean
  readonly generator: string
}

/** Paths that a list names one by one. */
const NAMED = 12

/** The title of the pull request, and the first line of its commit. */
export const pullTitle = ({ plan }: Pick<PullStory, "plan">): string => {
  const others = plan.files
    .filter(({ isVersion, path }) => !isVersion && path.startsWith("site/"))
    .map(({ path }) => path.slice("site/".length))
  const versions = plan.files.filter(({ isVersion }) => isVersion).length
  const named = [
    ...others.slice(0, 2).map((path) => plainText(path, 60)),
    ...(others.length > 2 ? [counted(others.length - 2, "more file")] : []),
    ...(versions === 0 ? [] : [counted(versions, "Markdown version")])
  ]
  const last = named.at(-1) ?? "files"
  return `Add ${named.length > 1 ? `${named.slice(0, -1).join(", ")} and ${last}` : last} for AI agents`
}

/** The text of the pull request: what, why, points and tokens before and after, and how to verify it. */
export const pullText = (story: PullStory): string => {
  const { files, folder, generator, leftOut, plan, publishedAt, takesMarkdown } = story
  const url = shellUrl(plan.before.base_url.replace(/\/$/, ""))
  return [
    `# ${escapeMarkdown(pullTitle(story))}`,
    `These files are written from what ${autolink(plan.before.base_url)} publishes today, by ${inlineCode("docgauge fix --pull-request")}. ${generator} publishes ${inlineCode(folder === "" ? "." : folder)} as it is, at ${autolink(publishedAt)}. No page changes, and no file that was there is replaced, unless it is listed as completed.`,
    "## What",
    listOf(files, plan),
    "## Why",
    `AI agents read documentation as Markdown and find its pages by lists such as llms.txt. With these files alone the score of the documentation goes ${scoreChange(plan)} of 100, measured by an audit of the site with the files in place:`,
    ...(gained(plan).length === 0
      ? []
      : [
          markdownTable(
            ["Criterion", "", "Before", "After", "Of"],
            gained(plan).map((gain) => [
              gain.criterion,
              escapeMarkdown(plainText(gain.title)),
              String(gain.before),
              String(gain.after),
              String(gain.max)
            ])
          ).join("\n")
        ]),
    ...(lostText(plan) === "" ? [] : [lostText(plan)]),
    ...(costText(plan) === "" ? [] : [costText(plan)]),
    ...(plan.otherVersions.length === 0 ? [] : [otherVersionsText(plan, autolink)]),
    "## How to verify",
    [
      "1. Read the files: each says what its page says, and where to go on.",
      `2. Merge and publish, then run ${inlineCode(`npx docgauge fix --verify PLAN.json ${url}`)} with the PLAN.json that was written beside this text: a line for each file.`,
      `3. The score: ${inlineCode(`npx docgauge ${url}`)}.`
    ].join("\n"),
    "The files are as the site was on the day they were written. A setting or a plugin of the generator that writes them in each build keeps them current.",
    ...restOf(leftOut, takesMarkdown, generator)
  ]
    .join("\n\n")
    .concat("\n")
}

const listOf = (files: PullStory["files"], plan: FixPlan): string => {
  const byPath = new Map(plan.files.map((file) => [file.path, file] as const))
  const lines = files.map(({ at, path }) => {
    const file = byPath.get(path)
    const notes = [
      ...(file === undefined ? [] : [file.criteria.join(", ")]),
      ...(file?.completes === true ? ["completed"] : []),
      ...(file === undefined || absentNote(file) === "" ? [] : [absentNote(file)])
    ].filter((note) => note !== "")
    return {
      isVersion: file?.isVersion === true,
      line: `- ${inlineCode(at)}${notes.length === 0 ? "" : ` (${notes.join("; ")})`}`
    }
  })
  const versions = lines.filter(({ isVersion }) => isVersion)
  return [
    ...lines.filter(({ isVersion }) => !isVersion).map(({ line }) => line),
    ...(versions.length <= NAMED
      ? versions.map(({ line }) => line)
      : [
          ...versions.slice(0, 3).map(({ line }) => line),
          `- and ${counted(versions.length - 3, "more Markdown version")} of pages, each beside its page`
        ])
  ].join("\n")
}

const restOf = (leftOut: PullStory["leftOut"], takesMarkdown: boolean, generator: string): ReadonlyArray<string> => {
  const lines = [
    ...leftOut
      .slice(0, NAMED)
      .map(({ path, reason }) => `- ${inlineCode(path)} ${escapeMarkdown(plainText(reason, 300))}.`),
    ...(leftOut.length > NAMED ? [`- and ${counted(leftOut.length - NAMED, "more file")}`] : []),
    ...(takesMarkdown
      ? []
      : [
          `- Markdown versions of pages: ${generator} would build Markdown in this folder as pages, or leave it out. ${inlineCode("docgauge fix ./build --as URL --patch ./build")} writes them into the build.`
        ]),
    `- What belongs into the heads of pages and into the rules of the host: ${inlineCode("docgauge fix URL --host NAME")} writes these.`
  ]
  return ["## Not in this branch", lines.join("\n")]
}
