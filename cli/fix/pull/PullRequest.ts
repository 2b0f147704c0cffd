import * as Effect from "effect/Effect"
import { ownsRoot, type WritablePlugin } from "../../../engine/fix/site/WritablePlugins.ts"
import type { GeneratedFile } from "../../../engine/fix/site/GeneratedFile.ts"
import { plainText } from "../../../engine/text/PlainText.ts"
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
