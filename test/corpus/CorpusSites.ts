import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { CORPUS } from "./CorpusServer.ts"

export interface CorpusSite {
  readonly site: string
  /** The URL that it had on the web. */
  readonly url: string
}

/** The sites whose archives are in the corpus. */
export const corpusSites = (corpus = CORPUS): ReadonlyArray<CorpusSite> => {
  const extracted = new Set(readdirSync(join(corpus, "sites")).map((name) => name.replace(/\.tar\.xz$/, "")))
  return readFileSync(join(corpus, "provenance.tsv"), "utf8")
    .split("\n")
    .flatMap((line) => {
      const [site = "", , , , , host = "", path = ""] = line.split("\t")
      return extracted.has(site) ? [{ site, url: `https://${host}${path}` }] : []
    })
}
