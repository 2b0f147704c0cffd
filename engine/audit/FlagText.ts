import type { ReliabilityFlag } from "./Report.ts"

/** What each reliability flag means for a reader of the score, in one sentence. */
export const flagText: Readonly<Record<ReliabilityFlag, string>> = {
  catch_all: "The site answers addresses that do not exist with a page, so well-known files count only where they differ from it.",
  bot_challenge: "A bot challenge stood in place of pages: the score says more about the firewall than about the documentation.",
  login_wall: "Pages ask for a login: what lies behind it was not seen.",
  single_page: "There is one page only: shares are all or nothing.",
  client_rendered: "Pages hold no text without JavaScript: what they show in a browser was not seen.",
  off_site: "The API description lies on another site, which is never contacted.",
  timed_out: "Gathering time was over before everything was fetched.",
  unresponsive: "The site let more than 5 requests in a row run out of time, so we stopped asking: the rest was not checked.",
  truncated: "A limit on requests, bytes or sizes left something out.",
  plugin_failed: "A plugin failed, so its criterion could not be judged: a fault of the plugin, not of the site.",
  no_http_api: "Nothing on the site suggests an HTTP API: category C and parts of D say little."
}
