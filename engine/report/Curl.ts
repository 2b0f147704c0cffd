import { counted } from "../plugin/Wording.ts"
import { userAgents } from "../evidence/UserAgents.ts"
import { ENGINE_VERSION } from "../audit/Version.ts"
import type { ReportedExchange } from "../audit/Report.ts"

/** Faults of requests that are never sent, so that there is nothing to repeat. */
const NEVER_SENT: ReadonlySet<string> = new Set(["off_site", "bad_address", "not_public", "shut_out", "not_in_folder"])

/** In single quotes for a POSIX shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** The request as a curl command that prints status, headers and body; `null` if the request was never sent. */
export const curlOf = ({
  accept,
  agent,
  fault,
  method,
  redirects = [],
  request_body: body,
  url
}: ReportedExchange): string | null => {
  if (!/^https?:\/\//i.test(url) || (fault !== undefined && NEVER_SENT.has(fault))) return null
  return [
    `curl -sSgi${redirects.length === 0 ? "" : "L"} --compressed`,
    `-A ${quoted(userAgents(ENGINE_VERSION, null)[agent])}`,
    ...(accept === "*/*" ? [] : [`-H ${quoted(`Accept: ${accept}`)}`]),
    ...(method === "POST" ? [`-H 'Content-Type: application/json' --data-raw ${quoted(body ?? "")}`] : []),
    quoted(url)
  ].join(" ")
}

/** What came back, in a few words: `200, 5,598 bytes`; `no response: no answer within 15 s`. */
export const outcomeText = ({
  body,
  body_bytes: bytes,
  body_cut: cut,
  failure,
  redirects = [],
  status
}: ReportedExchange): string => {
  if (status === null) return `no response: ${failure ?? "not known why"}`
  const hops = redirects.length === 0 ? [] : [`after ${counted(redirects.length, "redirect")}`]
  return [
    String(status),
    ...hops,
    counted(bytes, "byte") + (cut && body !== null ? ", of which the first are shown" : "")
  ].join(", ")
}
