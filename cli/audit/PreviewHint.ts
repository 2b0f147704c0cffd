import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { plainText } from "../../engine/text/PlainText.ts"
import { writeOut } from "../io/Stdout.ts"
import { notice } from "../render/report/GithubAnnotations.ts"

/** What was audited: a site or folder, an archive, which refuses the flag, or a site of `docgauge.yaml`, where a key says the same. */
type Previewed = { readonly from: "site" | "archive" } | { readonly from: "config"; readonly url: string }

/** Says how to have the links of a preview count, if they name another origin. */
export const printPreviewHint = (
  origin: string | null,
  previewed: Previewed,
  { format, quiet }: { readonly format: string; readonly quiet: boolean }
): Effect.Effect<void> => {
  if (origin === null) return Effect.void
  const hint = hintText(plainText(origin, 200), previewed)
  // The action is quiet, and a preview without its origin loses points that it has: annotations always tell.
  if (format === "github") return writeOut(notice(hint), format)
  return quiet ? Effect.void : Console.error(`docgauge: ${hint}`)
}

const hintText = (origin: string, previewed: Previewed): string => {
  const seen = `the site's llms.txt, sitemap or canonical URLs point to ${origin}. If this is a preview of that site,`
  if (previewed.from === "config")
    return `${previewed.url}: ${seen} add canonical_origin: ${origin} to it in docgauge.yaml.`
  return previewed.from === "archive"
    ? `${seen} audit it again, not from the archive, with --canonical-origin ${origin}`
    : `${seen} add --canonical-origin ${origin}`
}
