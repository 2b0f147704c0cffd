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

/** The forms of a page whose tokens are a lower bound. */
export const atLeast = (description: string) =>
  Schema.optionalKey(
    Schema.Array(Schema.Literals(["html", "markdown"])).annotate({ description: `Lower bounds. ${description}` })
  )

export const ReadingCost = Schema.Struct({
  html: Schema.NullOr(Schema.Int).annotate({
    description:
      "Tokens of the median HTML page as an agent keeps it that converts it to Markdown with its navigation; `null` if no sampled page is HTML. Without `content_share`: of the raw HTML."
  }),
  markdown: Schema.NullOr(Schema.Int).annotate({
    description: "Tokens of the median Markdown version; `null` if none was found."
  }),
  boilerplate: Schema.optionalKey(
    Schema.NullOr(Schema.Finite).annotate({
      description:
        "The share of the median HTML page's bytes that are not its main text (markup, scripts, navigation), 0 to 1, of pages that were read to their ends; `null` if there is none."
    })
  ),
  content_share: Schema.optionalKey(
    Schema.NullOr(Schema.Finite).annotate({
      description:
        "The share of main content in the characters of the median HTML page as an agent keeps it, 0 to 1, of pages that were read to their ends; `null` if there is none. Missing in reports whose `html` is of the raw HTML."
    })
  ),
  at_least: atLeast(
    "The forms whose median could be higher if the pages that are longer than what is read of one had been read to their ends; missing if neither could."
  ),
  to_operation: Schema.optionalKey(
    Schema.NullOr(Routes).annotate({
      description: "Ways to the documentation of one operation; `null` if no page that we read shows one."
    })
  )
}).annotate({
  identifier: "ReadingCost",
  description: "What an agent pays to read one page, in tokens by `token_estimator`. It never changes the score."
})
export type ReadingCost = typeof ReadingCost.Type

/** How tokens are estimated, as reports name it: no model is involved, so the same bytes give the same number. */
export const TOKEN_ESTIMATOR = "utf8-bytes/4"

const BYTES_PER_TOKEN = 4

/** Bytes of text as sent, without content coding, divided by 4 and rounded up: close to what tokenizers make of English text. */
export const tokensOf = (bytes: number): number => Math.ceil(bytes / BYTES_PER_TOKEN)
