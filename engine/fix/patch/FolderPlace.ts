import { normalise } from "../../evidence/Address.ts"
import type { SiteFolder } from "../../evidence/folder/SiteFolder.ts"
import { folderOf } from "../../text/PageFile.ts"
import { filePathOf } from "../site/FilePath.ts"
import type { PublishedSite } from "../site/PublishedSite.ts"

/** Where a folder is published. */
export interface FolderPlace {
  /** URL of the folder, with a slash at its end. */
  readonly url: string
  /** Whether the site links to `guide`, not to `guide.html`. */
  readonly cleanUrls: boolean
}

/** Where the folder is published, and how most of its pages are linked to. */
export const placeOf = ({ base, sample }: PublishedSite, folder: SiteFolder): FolderPlace => {
  const { origin, pathname } = new URL(base.audited)
  const url = `${origin}${folderOf(pathname)}`
  const paths = sample.pages.flatMap((page) => pathIn({ url }, page.url) ?? [])
  const clean = paths.filter((path) => folder.has(`${path}.html`)).length
  const named = paths.filter((path) => /\.html?$/i.test(path) && folder.has(path)).length
  return { url, cleanUrls: clean > named }
}

/** The file of a URL in the folder; `null` if it is published elsewhere. */
export const pathIn = ({ url: root }: Pick<FolderPlace, "url">, url: string): string | null =>
  url.startsWith(root) ? filePathOf(`${new URL(root).origin}/${url.slice(root.length)}`) : null

/** The URL that a file is published at: an index file at its folder's. */
export const urlOfFile = ({ cleanUrls, url }: FolderPlace, file: string): string | null => {
  const path = file.replace(/(^|\/)index\.html?$/i, "$1")
  const shown = cleanUrls ? path.replace(/\.html?$/i, "") : path
  return normalise(`${url}${encodeURI(shown).replaceAll("?", "%3F").replaceAll("#", "%23")}`)
}
