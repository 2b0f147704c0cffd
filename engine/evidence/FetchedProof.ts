import { type Asked, type Exchange, type FaultKind, isAnswer } from "./Exchange.ts"
import { type JournalEntry, keyOf } from "./Journal.ts"

/** Faults of requests that were not sent, or not to the URL that they name: the refusal itself is the proof. */
const NEVER_SENT: ReadonlySet<FaultKind> = new Set([
  "off_site",
  "bad_address",
  "not_public",
  "blocked",
  "shut_out",
  "budget",
  "too_many_bytes",
  "deadline",
  "unresponsive",
  "rate_limited",
  "too_many_redirects"
])

/** Tells whether an exchange is one of the journal's: the same request, the same final URL and the same outcome. */
export const fetchedIn = (journal: ReadonlyArray<JournalEntry>): ((proof: Exchange) => boolean) => {
  const hops = new Map(journal.map(({ hop, request }) => [keyOf(request.asked), hop]))
  return (proof) => {
    if (!isAnswer(proof) && NEVER_SENT.has(proof.kind)) return true
    const last: Asked = { ...proof.asked, url: proof.url }
    const hop = hops.get(keyOf(last))
    if (hop === undefined || !hops.has(keyOf(proof.asked))) return false
    return !isAnswer(proof) || (hop._tag === "HopAnswer" && hop.status === proof.status)
  }
}
