import * as Schema from "effect/Schema"

/*
 * What each named agent is served, as reports have it. The descriptions are also in the service's contract document.
 */

const text = (description: string) => Schema.String.annotate({ description })
const orNull = <S extends Schema.Top>(item: S, description: string) => Schema.NullOr(item).annotate({ description })

/** The longest sentence or reason of an answer, in characters. */
export const LONGEST_AGENT_TEXT = 200

/** What came of asking for a URL as an agent. */
export const AgentAnswer = Schema.Struct({
  outcome: Schema.Literals(["answered", "disallowed", "robots_unread", "failed", "not_asked"]).annotate({
    description:
      "`answered`: with any status; `disallowed`: robots.txt forbids it to this agent, so it was not asked for; `robots_unread`: robots.txt got no usable answer (429, 5xx or none), which RFC 9309 takes as forbidden, so it was not asked for; `failed`: asked for, without an answer; `not_asked`: a limit of ours came first, it is on another host than the one whose owner asked, or the archive does not have it."
  }),
  status: orNull(Schema.Int, "The HTTP status, after redirects; `null` without an answer."),
  type: orNull(Schema.String, "The media type, in lower case; empty if none was named; `null` without an answer."),
  url: Schema.optionalKey(text("The URL that answered; only if it is another one.")),
  challenge: Schema.optionalKey(
    Schema.Literal(true).annotate({ description: "A bot filter answered in the site's place." })
  ),
  characters: orNull(
    Schema.Int,
    "Characters of the text after the agent's conversion, of a 2xx answer; `null` of any other, of what is no text, and of what is longer than we read of one."
  ),
  given: orNull(Schema.Int, "Of these, the ones that the agent's model is given; fewer if its tool cuts them off."),
  ends: orNull(Schema.String, "The last sentence that the model is given, or the end of it."),
  why: Schema.optionalKey(text("Why there is no answer, in one plain clause."))
}).annotate({ identifier: "AgentAnswer", description: "What came of asking for a URL as an agent." })
export type AgentAnswer = typeof AgentAnswer.Type

/** An agent, how it asked, and what it got. */
export const AskedAgent = Schema.Struct({
  id: text("Our name of it, as in the header `X-Docgauge` of its requests."),
  name: text("What it is called."),
  operator: text("Who runs or publishes it."),
  robots_token: text("The product token that it was held to in robots.txt."),
  user_agent: text("The `User-Agent` that was sent."),
  accept: text("The `Accept` that was sent."),
  accept_published: Schema.Boolean.annotate({
    description: "`false`: what it accepts is not published, so any type was asked for."
  }),
  converts: orNull(
    Schema.Literals(["markdown", "article", "text"]),
    "What its tool makes of HTML: the whole page as Markdown, its main content as Markdown, or the text of the whole page; `null` if that is not published. We convert with our own converter."
  ),
  keeps: orNull(Schema.Int, "Characters that its model is given at most; `null` if no limit is published."),
  sources: Schema.Array(Schema.String).annotate({ description: "URLs where that is published." }),
  checked: text("The day on which they were read, `YYYY-MM-DD`."),
  answers: Schema.Array(AgentAnswer).annotate({ description: "One for each of `asked`, in its order." })
}).annotate({ identifier: "AskedAgent", description: "An agent, how it asked, and what it got." })
export type AskedAgent = typeof AskedAgent.Type

/** What each named agent is served. */
export const AsAgentsReport = Schema.Struct({
  asked: Schema.Array(
    Schema.Struct({
      what: Schema.Literals(["robots.txt", "base", "page", "llms.txt"]),
      url: text("The URL that was asked for.")
    }).annotate({ identifier: "AskedUrl", description: "A URL that was asked for as each agent." })
  ).annotate({ description: "What was asked for: robots.txt, the base page, up to three pages and llms.txt." }),
  agents: Schema.Array(AskedAgent).annotate({ description: "The agents, each with its answers." }),
  requests: Schema.Int.annotate({
    description: "Requests that were sent as agents, with their redirects and without retries."
  })
}).annotate({
  identifier: "AsAgentsReport",
  description:
    "What each named agent is served (`--as-agents`). It never changes the score. Every request had the header `X-Docgauge`, which names docgauge."
})
export type AsAgentsReport = typeof AsAgentsReport.Type
