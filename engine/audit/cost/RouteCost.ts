import * as Schema from "effect/Schema"

/** What an agent pays on a way through the site. */
export const RouteCost = Schema.Struct({
  requests: Schema.Int.annotate({ description: "Requests, that for the page included." }),
  tokens: Schema.Int.annotate({
    description:
      "Tokens of everything fetched on the way, the page included, by `token_estimator`; of HTML what an agent keeps that converts it to Markdown."
  }),
  at_least: Schema.optionalKey(
    Schema.Literal(true).annotate({
      description: "`tokens` is a lower bound: something on the way is longer than what is read of one."
    })
  )
}).annotate({
  identifier: "RouteCost",
  description: "What an agent pays on the cheapest way of its kind: fewest requests, then fewest tokens."
})
export type RouteCost = typeof RouteCost.Type

/** Ways to the documentation of one operation; `null`: this way leads to none. */
export const Routes = Schema.Struct({
  llms_txt: Schema.NullOr(RouteCost).annotate({
    description: "By llms.txt; `null` if it leads to none of the pages that we read."
  }),
  sitemap: Schema.NullOr(RouteCost).annotate({ description: "By robots.txt and sitemaps." }),
  links: Schema.NullOr(RouteCost).annotate({
    description: "From `base_url` along links, among the pages that we read."
  })
}).annotate({
  identifier: "RoutesToOperation",
  description: "Ways to a page that shows one operation, a method with a path."
})
export type Routes = typeof Routes.Type

/** How tokens are estimated, as reports name it: no model is involved, so the same bytes give the same number. */
export const TOKEN_ESTIMATOR = "utf8-bytes/4"

const BYTES_PER_TOKEN = 4

/** Bytes of text as sent, without content coding, divided by 4 and rounded up: close to what tokenizers make of English text. */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN)
