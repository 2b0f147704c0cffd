import * as Schema from "effect/Schema"
import { trimTrailingSlashes } from "../../text/WhiteSpace.ts"

/*
 * Apart from what signs and verifies, because the contract of the service needs no cryptography.
 */

/** Maximum length of a signature in characters: twice that of one with the longest URLs. */
export const LONGEST_SIGNATURE = 8_192

/** Where a service publishes the keys of its signatures, below its URL. */
export const KEYS_PATH = "/.well-known/docgauge-keys.json"

export const ReportClaims = Schema.Struct({
  /** The URL of the service that signs. */
  iss: Schema.String,
  run_id: Schema.String,
  /** The audited URL, and when the run was accepted, as the run has them. */
  base_url: Schema.String,
  started_at: Schema.String,
  /** SHA-256 of the report's canonical JSON in UTF-8, as 64 hexadecimal digits. */
  report_sha256: Schema.String
})
export type ReportClaims = typeof ReportClaims.Type

/** The URL of a service in the spelling of signatures; `null` unless it is http or https, without login, query and fragment. */
export const issuerUrl = (text: string): string | null => {
  const url = URL.parse(text)
  const isPlain =
    url !== null && /^https?:$/.test(url.protocol) && [url.username, url.password, url.search, url.hash].join("") === ""
  return isPlain ? trimTrailingSlashes(url.origin + url.pathname) : null
}
