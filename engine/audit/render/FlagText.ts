import { openText } from "./OpenPoints.ts"
import type { AuditReport, ReliabilityFlag } from "../Report.ts"
import { plainText } from "../../text/PlainText.ts"

/** What each reliability flag means for a reader of the score, in one sentence. */
const flagText: Readonly<Record<ReliabilityFlag, string>> = {
  catch_all:
    "The site returns a page for URLs that do not exist, so well-known files count only if they differ from it.",
  bot_challenge:
    "We got a bot challenge instead of pages: the score says more about the firewall than about the documentation.",
  login_wall: "Pages require a login, so we could not read them.",
  single_page: "We found only one page, so every share is 0% or 100%.",
  client_rendered: "Pages have no text without JavaScript, so we could not read what they show in a browser.",
  off_site: "The API description is on another site, which we never contact.",
  timed_out:
    "Our time limit ended before everything was fetched. On the command line, `--timeout` gives an audit more seconds.",
  unresponsive: "5 requests to a host timed out, so we stopped fetching from it and did not check the rest.",
  rate_limited: "The site limits the rate of requests, so we waited and fetched more slowly.",
  unanswered:
    "Important requests got no usable response (429, 5xx, a bot challenge or a timeout), so more than 2 points, or the list of pages, could not be checked.",
  truncated:
    "We reached a limit of ours (requests, bytes, or the size or complexity of a page), so the audit left something out. On the command line, a larger `--sample` has larger limits of requests.",
  plugin_failed: "A plugin failed, so its criterion could not be judged. This is a bug of the plugin, not of the site.",
  folder:
    "This is an audit of a folder, so we could not check what is outside it or needs a server: content negotiation, response headers, responses to other clients.",
  no_http_api: "We found no HTTP API of this product: criteria about one do not apply."
}

/** Flags that tell of limits of ours. */
const OURS: ReadonlySet<ReliabilityFlag> = new Set(["timed_out", "truncated"])

/** The summaries of criteria whose plugin failed. */
const PLUGIN_FAILED = /^(?:The plugin .+? failed: |The plugin of .+? cites |Our check of .+? failed)/

/** Characters of a plugin's own message. */
const MESSAGE = 300

/**
 * A sentence for each flag of a report. That of a plugin that failed is followed by what each such plugin said, in which a
 * plugin has a say: `quote` is how that is written.
 */
export const flagTexts = (
  { criteria, experimental, reliability: { flags } }: Pick<AuditReport, "criteria" | "experimental" | "reliability">,
  quote: (text: string) => string = (text) => text
): ReadonlyArray<string> =>
  flags.map((flag, index) => {
    const failed =
      flag !== "plugin_failed"
        ? []
        : [...criteria, ...experimental].filter(
            ({ status, summary }) => status === "inconclusive" && PLUGIN_FAILED.test(summary)
          )
    // Once, behind the last flag that tells of a limit.
    const isLast = OURS.has(flag) && !flags.slice(index + 1).some((later) => OURS.has(later))
    return [
      flagText[flag],
      ...(isLast ? [openText({ criteria })].filter((text) => text !== "") : []),
      ...failed.map(({ id, summary }) => quote(`${plainText(id, 20)}: ${plainText(summary, MESSAGE)}`))
    ].join(" ")
  })
