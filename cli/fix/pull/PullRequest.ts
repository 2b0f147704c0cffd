import * as Effect from "effect/Effect"
import { counted, enumerated } from "../../../engine/plugin/Wording.ts"
import type { FixPlan } from "../../../engine/fix/plan/Plan.ts"
import {
  absentNote,
  costText,
  gained,
  lostText,
  otherVersionsText,
  said,
  scoreChange
} from "../../../engine/fix/plan/PlanWords.ts"
import type { GeneratedFile } from "../../../engine/fix/site/GeneratedFile.ts"
import { ownsRoot, type WritablePlugin } from "../../../engine/fix/site/WritablePlugins.ts"
import { autolink, escapeMarkdown, inlineCode, markdownTable } from "../../../engine/text/MarkupText.ts"
import { plainText, shellUrl } from "../../../engine/text/PlainText.ts"
import { trimBoth } from "../../../engine/text/WhiteSpace.ts"
import { type CliFailure, wrongUsage } from "../../io/CliFailure.ts"
import { type Checkout, openCheckout, whyNotAdded } from "./Checkout.ts"
import { type StaticFolder, staticFolders } from "./StaticFolder.ts"

/** Where the files of a branch go. */
export interface PullTarget {
  readonly checkout: Checkout
  readonly folder: StaticFolder
  /** The URL that the folder is published at. */
  readonly publishedAt: string
  /** The plugins whose criteria files of this folder can be for. */
  readonly plugins: ReadonlySet<WritablePlugin>
  /** The path in the repository of a file of the plan, by its path on the host; `null`: it is published elsewhere. */
  readonly pathOf: (path: string) => string | null
  /** Why a file cannot be in the branch, as a clause with the file as its subject; `null`: it can. */
  readonly whyNot: (file: GeneratedFile) => Effect.Effect<string | null>
}

/** Criteria that files in a folder of static files are for: heads and rules of the host are written elsewhere. */
const IN_FOLDER: ReadonlyArray<WritablePlugin> = [
  "a1-llms-txt",
  "a2-full-text",
  "a3-robots-policy",
  "a4-sitemap",
  "b1-markdown-twins",
  "b3-markdown-faithful",
  "f2-catalogue-and-auth"
]

const OF_MARKDOWN: ReadonlySet<WritablePlugin> = new Set(["b1-markdown-twins", "b3-markdown-faithful"])

/** Where the files for a site go in the checkout that the command is run in. `given`: the folder that the user names; `null`: none. */
export const pullTarget = Effect.fnUntraced(function* (
  cwd: string,
  baseUrl: string,
  given: string | null,
  only: ReadonlySet<WritablePlugin> | null
): Effect.fn.Return<PullTarget, CliFailure> {
  const checkout = yield* openCheckout(cwd)
  const folder = yield* folderOf(checkout, given)
  const base = baseOf(folder, baseUrl)
  const pathOf = (path: string): string | null => {
    if (!`/${path}`.startsWith(base)) return null
    const inside = path.slice(base.length - 1)
    return folder.path === "" ? inside : `${folder.path}/${inside}`
  }
  const plugins = new Set(
    IN_FOLDER.filter(
      (plugin) => (only === null || only.has(plugin)) && (folder.takesMarkdown || !OF_MARKDOWN.has(plugin))
    )
  )
  return {
    checkout,
    folder,
    publishedAt: `${new URL(baseUrl).origin}${base}`,
    plugins,
    pathOf,
    whyNot: Effect.fnUntraced(function* ({ completes, path }: GeneratedFile): Effect.fn.Return<string | null> {
      const own = pathOf(path)
      if (own === null) return `is published at the root of ${new URL(baseUrl).host}, above ${base}`
      if (completes === null) return whyNotAdded(checkout, own)
      const there = yield* checkout.read(own)
      if (there === null) return "is made by the build, not kept in the repository. Change it where it is made"
      return sameText(there, completes) ? null : "is not in the repository as it is published. Change it there"
    })
  }
})

/** Where the folder is published: as its configuration says, if the documentation is below it. */
const baseOf = ({ base, isDocumentation }: StaticFolder, baseUrl: string): string => {
  const { pathname } = new URL(baseUrl)
  const path = pathname.endsWith("/") || /\.[a-z]+$/i.test(pathname) ? pathname : `${pathname}/`
  if (base !== null && base !== "/" && path.startsWith(base)) return base
  if (isDocumentation) return folderOfPath(path)
  const [, first = ""] = path.split("/")
  // A project's pages on such a host are all below its first folder.
  return ownsRoot(baseUrl) ? "/" : `/${first}/`
}

const folderOfPath = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1)

const sameText = (one: string, other: string): boolean =>
  one.replaceAll("\r\n", "\n").trimEnd() === other.replaceAll("\r\n", "\n").trimEnd()

const folderOf = Effect.fnUntraced(function* (
  checkout: Checkout,
  given: string | null
): Effect.fn.Return<StaticFolder, CliFailure> {
  const { folders, without } = yield* staticFolders(checkout)
  if (given !== null) {
    const path = trimBoth(given === "." || given.startsWith("./") ? given.slice(1) : given, "/")
    if (path.split("/").includes(".."))
      return yield* wrongUsage(
        "--static takes a folder of this repository, relative to its top, such as website/static."
      )
    return (
      folders.find((folder) => folder.path === path) ?? {
        generator: "your generator",
        path,
        takesMarkdown: true,
        base: null,
        isDocumentation: false
      }
    )
  }
  const [folder, other] = folders
  if (folder !== undefined && other === undefined) return folder
  const named = folders.map(({ generator, path }) => `${path === "" ? "." : path} (${generator})`).join(", ")
  return yield* wrongUsage(
    folder === undefined
      ? `We found no folder for static files in ${plainText(checkout.top, 200)}${without.length === 0 ? "" : `: ${without.join(", ")} names none (for Sphinx, set html_extra_path)`}. Name it with --static, such as --static website/static.`
      : `This repository has several folders for static files: ${plainText(named, 500)}. Name the one of the documentation with --static.`
  )
})

/** A file of a branch, or one that is not in it, and why. */
interface PulledFile {
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
  return `Add ${enumerated(named) || "files"} for AI agents`
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
    ...said(lostText(plan)),
    ...said(costText(plan)),
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
      ...(file === undefined ? [] : said(absentNote(file)))
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
