import * as Schema from "effect/Schema"
import { AGENT_KINDS } from "../agents/LogAgents.ts"
import { ANSWER_KINDS, READ_FORMS } from "./Tally.ts"

/** The version of the JSON: raised when a field changes or goes; later readers accept fields that are added. */
export const LOG_SUMMARY_VERSION = 1

const Texts = Schema.Array(Schema.String)

/** Requests by what was asked for. */
const Forms = Schema.Record(Schema.Literals(READ_FORMS), Schema.Int)

const AgentRow = Schema.Struct({
  /** The agent, by its name on the list of criterion A3; of scripts, the client that sent the requests. */
  name: Schema.String,
  kind: Schema.Literals(AGENT_KINDS),
  requests: Schema.Int,
  /** Distinct paths that it asked for, of those that are kept apart. */
  pages: Schema.Int,
  /** Bytes sent to it. */
  bytes: Schema.Int,
  /** Tokens of the texts it was sent, estimated as bytes divided by 4: fewer than it read if they were compressed. */
  tokens: Schema.Int,
  forms: Forms,
  /** Requests by how they were answered. */
  outcomes: Schema.Record(Schema.Literals(ANSWER_KINDS), Schema.Int),
  /** `null`: its operator publishes no list that we have, or the log has no addresses. */
  verified: Schema.NullOr(
    Schema.Struct({
      /** Requests from an address that its operator publishes. */
      published: Schema.Int,
      /** Requests from another address: somebody else used its name, or the log has the addresses of a proxy. */
      other: Schema.Int,
      /** Requests with an address that says nothing: none, a private or a shortened one. */
      unknown: Schema.Int,
      /** The day of the operator's list, `YYYY-MM-DD`; `unknown` for a list of `--ranges` without one. */
      list: Schema.String
    })
  )
})
export type AgentRow = typeof AgentRow.Type

const PathInVain = Schema.Struct({
  /** The path that was asked for, without its query. */
  path: Schema.String,
  /** How often agents and scripts got this answer. */
  requests: Schema.Int,
  /** Who asked, at most 5, acting for a person first. */
  agents: Texts,
  /** How many more asked; left out: none. */
  more_agents: Schema.optionalKey(Schema.Int),
  /** The page that was most likely meant; `null` if no page or several have such a path. */
  page: Schema.NullOr(Schema.String)
})
export type PathInVain = typeof PathInVain.Type

/** All requests with an answer, and the paths that were asked for most, at most 500. */
const InVain = Schema.Struct({ requests: Schema.Int, paths: Schema.Array(PathInVain) })

/** Paths that got 404 or 410 and have something in common. */
const Guess = Schema.Struct({
  pattern: Schema.String,
  requests: Schema.Int,
  /** How many they are. */
  paths: Schema.Int,
  /** The one of them that was asked for most. */
  example: Schema.String
})

/** A finding of an audit, with the requests that met it. */
const ReportHit = Schema.Struct({
  criterion: Schema.String,
  title: Schema.String,
  /** Points to gain. */
  gain: Schema.Int,
  requests: Schema.Int,
  /** What they met most often. */
  sentence: Schema.String
})
export type ReportHit = typeof ReportHit.Type

/** What access logs say of agents: the one shape that all formats print. Every text of a log in it is fit to be shown. */
export const LogSummary = Schema.Struct({
  log_summary: Schema.Literal(LOG_SUMMARY_VERSION),
  /** The earliest and the latest request, in UTC, and what is between them; `null` if no line has a time that we can read. */
  period: Schema.NullOr(Schema.Struct({ from: Schema.String, to: Schema.String, days: Schema.Finite })),
  lines: Schema.Struct({
    /** Lines that are not empty. */
    read: Schema.Int,
    /** Lines about something else than a request. */
    others: Schema.Int,
    /** Lines that are in none of the formats. */
    unreadable: Schema.Int,
    /** One unreadable line, without addresses and queries. */
    example: Schema.NullOr(Schema.String),
    /** Requests by format. */
    formats: Schema.Record(Schema.String, Schema.Int)
  }),
  requests: Schema.Struct({
    /** All requests to the site. */
    all: Schema.Int,
    /** Of agents that are known by name. */
    agents: Schema.Int,
    /** Of clients that any program uses. */
    scripts: Schema.Int,
    /** Of browsers, by their name. */
    browsers: Schema.Int,
    /** Of crawlers that do not read for a model, such as those of search engines and monitors. */
    crawlers: Schema.Int,
    /** Of docgauge, under its own name. */
    docgauge: Schema.Int,
    /** Of lines whose format has no user agent. */
    no_user_agent_field: Schema.Int,
    /** To other hosts than the site's, which nothing else counts. */
    other_hosts: Schema.Int,
    /** Of scripts, for leaks and other software, which nothing but `all` counts. */
    scans: Schema.Int
  }),
  /** The hosts that the log names, at most 20. */
  hosts: Texts,
  /** Whether the log has media types of responses: without them, `negotiated` is always 0. */
  negotiation_visible: Schema.Boolean,
  /** Who read, most requests first. */
  agents: Schema.Array(AgentRow),
  forms: Forms,
  /** What agents and scripts were answered with most, at most 500, and who asked, at most 5. */
  pages: Schema.Array(
    Schema.Struct({
      path: Schema.String,
      requests: Schema.Int,
      agents: Texts,
      more_agents: Schema.optionalKey(Schema.Int)
    })
  ),
  in_vain: Schema.Struct({
    /** 404 or 410. */
    not_found: InVain,
    redirected: InVain,
    /** 403 or another 4xx but 404, 410 and 429. */
    refused: InVain,
    /** 429. */
    rate_limited: InVain,
    /** 5xx. */
    failed: InVain,
    /** A web page with status 200 where a text file was asked for. */
    soft_404: InVain,
    /** Paths of several forms that were all answered 200 with as many bytes: most likely one page for whatever is asked for. */
    same_size: Schema.NullOr(Schema.Struct({ paths: Schema.Int, bytes: Schema.Int, example: Schema.String })),
    /** What missing paths have in common, most requests first. */
    guesses: Schema.Array(Guess)
  }),
  never_read: Schema.Struct({
    /** Pages that the log or the report shows; 0 where lines do not say who asked. */
    known: Schema.Int,
    /** Of them, pages that no agent or script asked for, nor was answered with as Markdown. */
    unread: Schema.Int,
    /** Their paths, at most 500. */
    paths: Texts
  }),
  llms_txt: Schema.Struct({
    /** Requests for llms.txt and llms-full.txt. */
    requests: Schema.Int,
    answered: Schema.Int,
    /** Who asked, most requests first. */
    agents: Schema.Array(Schema.Struct({ name: Schema.String, requests: Schema.Int })),
    /** Agents at one address that were answered with it. */
    readers: Schema.Int,
    /** Of these, those that asked for a page within an hour. */
    went_on: Schema.Int,
    /** Of these, those that got on to a Markdown version. */
    to_markdown: Schema.Int
  }),
  paths: Schema.Struct({
    /** Distinct paths that are kept apart, at most 100,000. */
    kept: Schema.Int,
    /** Requests of agents and scripts for all other paths. */
    beyond: Schema.Int
  }),
  /** What the report of `--with` found, what agents meet most first; `null` without one. */
  report: Schema.NullOr(
    Schema.Struct({ base_url: Schema.String, audit_date: Schema.String, hits: Schema.Array(ReportHit) })
  )
})
export type LogSummary = typeof LogSummary.Type

/** Times in a week, of a log of at least a week; `null` for a shorter one, of which a week is not known. */
export const perWeek = (requests: number, period: LogSummary["period"]): number | null =>
  period === null || period.days < 7 ? null : Math.round((requests * 7) / period.days)
