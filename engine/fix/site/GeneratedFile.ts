import type { WritablePlugin } from "./WritablePlugins.ts"
import { isUtf8 } from "node:buffer"
import { textOf } from "../../evidence/BodyText.ts"
import type { Answer } from "../../evidence/Exchange.ts"
import { percentDecoded } from "../../text/UrlPath.ts"

/** What AI agents may do, as `--ai` says: `search-only` lets agents answer from the site and keeps training crawlers out. */
export const AI_POLICIES = ["allow", "search-only", "deny"] as const
export type AiPolicy = (typeof AI_POLICIES)[number]

/** A file to publish or to include in a configuration. */
export interface GeneratedFile {
  /** Relative to the output folder, with `/` between its parts; safe to join to a folder. */
  readonly path: string
  /** Where it is published; `null` for a configuration or a snippet. */
  readonly url: string | null
  /** The plugins whose criteria it is for. */
  readonly plugins: ReadonlyArray<WritablePlugin>
  readonly text: string
  /** The text of the published file that it completes; `null`: a new file. */
  readonly completes: string | null
  /** The URL of the page that it is the Markdown version of; left out: it is none. */
  readonly versionOf?: string
  /** What was changed in the owner's text beside what was added, as a sentence; left out: nothing. */
  readonly remark?: string
}

/** Points that no file can gain, and why. */
export interface Unwritten {
  readonly plugin: WritablePlugin
  /** One plain sentence: what is missing, and what to do. */
  readonly reason: string
  readonly pages: ReadonlyArray<string>
  /** The option with which a file is written. */
  readonly option?: "--ai" | "--host"
  /** Whether only someone else can do it: what the criterion advises does not help then. */
  readonly isElsewhere?: true
}

/** What a writer came to: files, and what it could not write. */
export interface Written {
  readonly files: ReadonlyArray<GeneratedFile>
  readonly unwritten: ReadonlyArray<Unwritten>
}

export const NOTHING: Written = { files: [], unwritten: [] }

/** What a file is written for as soon as the owner has decided. */
export const leftToOwner = (
  plugin: WritablePlugin,
  option: "--ai" | "--host",
  reason: string,
  pages: ReadonlyArray<string> = []
): Written => ({ files: [], unwritten: [{ plugin, reason, pages, option }] })

export const onlyFile = (file: GeneratedFile): Written => ({ files: [file], unwritten: [] })

export const notWritten = (plugin: WritablePlugin, reason: string, pages: ReadonlyArray<string> = []): Written => ({
  files: [],
  unwritten: [{ plugin, reason, pages }]
})

/** What belongs to a place that the documentation's owner does not publish. */
export const elsewhere = (plugin: WritablePlugin, reason: string): Written => ({
  files: [],
  unwritten: [{ plugin, reason, pages: [], isElsewhere: true }]
})

/** Leaves out files that are published on another host than `origin`: their paths say nothing of it. */
export const onHost = (origin: string, { files, unwritten }: Written): Written => {
  const isOn = ({ url }: GeneratedFile): boolean => url === null || URL.parse(url)?.origin === origin
  const notes = files
    .filter((file) => !isOn(file))
    .flatMap(({ plugins, url }) =>
      plugins.map((plugin): Unwritten => ({
        plugin,
        reason: "This file is on another host than the documentation. Change it there.",
        pages: url === null ? [] : [url]
      }))
    )
  return { files: files.filter(isOn), unwritten: [...unwritten, ...notes] }
}

export const together = (all: ReadonlyArray<Written>): Written => ({
  files: all.flatMap(({ files }) => files),
  unwritten: all.flatMap(({ unwritten }) => unwritten)
})

/** Why a published file cannot be completed without losing some of it, as a clause and what to do; `null`: it can, and `textOf` is all of it. */
export const whyNotCompleted = (answer: Answer): string | null => {
  if (answer.cut) return "is longer than what we read, so we did not add to it. Make it shorter and run this again."
  return isUtf8(answer.body) && new TextDecoder().decode(answer.body) === textOf(answer).text
    ? null
    : "is not in UTF-8, so we did not add to it. Convert it to UTF-8 and run this again."
}

/** Names that Windows reserves, with any extension. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/** File systems allow 255 bytes. */
const LONGEST_NAME = 200

const LONGEST_PATH = 1_000

/** Room for the folder of the output that a file is written to, such as `site/`. */
const LONGEST_FOLDER = 20

/**
 * The path of the file that a static host would serve at a URL's path, relative to its document root; `null` if that is no safe
 * name on every system: dot segments, control characters, separators, reserved names, overlong names.
 */
export const filePathOf = (url: string): string | null => {
  const parsed = URL.parse(url)
  if (parsed === null || parsed.search !== "") return null
  const path = percentDecoded(parsed.pathname)
  if (path === null) return null
  const file = path.slice(1)
  return path.startsWith("/") && file.length <= LONGEST_PATH - LONGEST_FOLDER && isSafePath(file) ? file : null
}

/** Whether a relative path stays in its folder, and is a name on every system. */
export const isSafePath = (path: string): boolean => path.length <= LONGEST_PATH && path.split("/").every(isSafeName)

const isSafeName = (name: string): boolean =>
  name !== "" &&
  name !== "." &&
  name !== ".." &&
  !/[\p{C}\\:*?"<>|]/u.test(name) &&
  !/[. ]$/.test(name) &&
  Buffer.byteLength(name) <= LONGEST_NAME &&
  !RESERVED.test(name) &&
  !name.startsWith(".git")

/** Paths of files in one folder, on systems that ignore case, too. */
export interface TakenPaths {
  /** Takes a path, unless another file has it, or has the name of one of its folders: then `false`. */
  readonly take: (path: string) => boolean
}

export const takenPaths = (): TakenPaths => {
  const files = new Set<string>()
  const folders = new Set<string>()
  return {
    take: (path) => {
      const name = path.toLowerCase()
      const above = foldersOf(name)
      if (files.has(name) || folders.has(name) || above.some((folder) => files.has(folder))) return false
      files.add(name)
      for (const folder of above) folders.add(folder)
      return true
    }
  }
}

const foldersOf = (path: string): ReadonlyArray<string> =>
  path
    .split("/")
    .slice(0, -1)
    .map((_, index, segments) => segments.slice(0, index + 1).join("/"))
