import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import type { SiteFolder } from "../../evidence/folder/SiteFolder.ts"
import { notConverted } from "../../page/conversion/Conversion.ts"
import { VERSION_FORMS, versionUrl } from "../../site/markdown/VersionForm.ts"
import { pageMarkdown, withReference } from "../files/PageMarkdownFile.ts"
import { withoutWayOn } from "../files/WayOn.ts"
import { takenPaths, type Unwritten } from "../site/GeneratedFile.ts"
import { markdownUrlOf, unversioned } from "../site/MarkdownForms.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"
import type { PublishedMarkdown } from "../site/SitePages.ts"
import type { Wish } from "../write/Wish.ts"
import { type FolderPage, type FolderPlace, pathIn, type Skipped, UNREADABLE_FILE } from "./FolderPages.ts"

interface FolderVersions {
  /** The owner's Markdown file of a page, and its URL; `null`: there is none. */
  readonly ownOf: (page: string) => { readonly path: string; readonly url: string } | null
  /** The owner's version of a page, else a conversion; `null`: neither. */
  readonly versionOf: (read: FolderPage) => Effect.Effect<PublishedMarkdown | null>
  readonly notes: () => ReadonlyArray<Unwritten>
  readonly skipped: ReadonlyArray<Skipped>
}

/** More of one file is not read, in bytes. */
const LONGEST = 20_000_000

export const folderVersions = (
  folder: SiteFolder,
  site: PublishedSite,
  place: FolderPlace,
  { forms, gap }: Wish
): FolderVersions => {
  const texts = new Set<string>()
  const without = unversioned()
  const skipped: Array<Skipped> = []
  const paths = takenPaths()
  for (const file of folder.files) paths.take(file)
  const ownOf: FolderVersions["ownOf"] = (page) => {
    const usual = markdownUrlOf(forms, page)
    for (const url of [
      ...(usual === null ? [] : [usual]),
      ...VERSION_FORMS.flatMap((form) => versionUrl(form, page) ?? [])
    ]) {
      const path = pathIn(place, url)
      if (path !== null && folder.has(path)) return { path, url }
    }
    return null
  }
  return {
    ownOf,
    versionOf: Effect.fnUntraced(function* ({
      conversion,
      page
    }: FolderPage): Effect.fn.Return<PublishedMarkdown | null> {
      const own = ownOf(page.url)
      if (own !== null) {
        const read = yield* folder.read(own.path, LONGEST)
        if (read === null) skipped.push({ path: own.path, reason: UNREADABLE_FILE })
        const text = read === null ? "" : new TextDecoder().decode(read.body)
        texts.add(digestOf(withoutWayOn(text)))
        return { url: own.url, text, written: false }
      }
      const url = markdownUrlOf(forms, page.url)
      const file = pageMarkdown(
        withReference(site, page, conversion ?? notConverted("crashed")),
        url !== null && pathIn(place, url) !== null ? url : null
      )
      if (typeof file === "string") {
        without.add(file, page.url)
        return null
      }
      const digest = digestOf(file.text)
      if (texts.has(digest)) {
        without.add("same_text", page.url)
        return null
      }
      texts.add(digest)
      const isPublished = gap("b1-markdown-twins") && paths.take(pathIn(place, file.url ?? "") ?? "")
      if (!isPublished) without.add("taken", page.url)
      return { url: isPublished ? file.url : null, text: file.text, written: isPublished }
    }),
    notes: without.notes,
    skipped
  }
}

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex")
