import type { WritablePlugin } from "./WritablePlugins.ts"

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
