import * as Result from "effect/Result"
import { register, type Registry, registryOf } from "../engine/plugin/Registry.ts"
import { a1LlmsTxt } from "./a-discovery/a1-llms-txt.ts"
import { a2FullText } from "./a-discovery/a2-full-text.ts"
import { a3RobotsPolicy } from "./a-discovery/a3-robots-policy.ts"
import { a4Sitemap } from "./a-discovery/a4-sitemap.ts"
import { a5EntryPoints } from "./a-discovery/a5-entry-points.ts"
import { b1MarkdownTwins } from "./b-page-artifacts/b1-markdown-twins.ts"
import { b2MarkdownNegotiation } from "./b-page-artifacts/b2-markdown-negotiation.ts"
import { b3MarkdownFaithful } from "./b-page-artifacts/b3-markdown-faithful.ts"
import { b4Metadata } from "./b-page-artifacts/b4-metadata.ts"
import { b5PageSize } from "./b-page-artifacts/b5-page-size.ts"
import { b6FrontMatter } from "./b-page-artifacts/b6-front-matter.ts"
import { c1SpecFound } from "./c-api-spec/c1-spec-found.ts"
import { c2SpecValid } from "./c-api-spec/c2-spec-valid.ts"
import { c3SpecDescribed } from "./c-api-spec/c3-spec-described.ts"
import { c4SpecExamples } from "./c-api-spec/c4-spec-examples.ts"
import { c5SpecActionable } from "./c-api-spec/c5-spec-actionable.ts"
import { d1RunnableExamples } from "./d-content/d1-runnable-examples.ts"
import { d2ExampleLanguages } from "./d-content/d2-example-languages.ts"
import { d3Errors } from "./d-content/d3-errors.ts"
import { d4Authentication } from "./d-content/d4-authentication.ts"
import { d5RateLimits } from "./d-content/d5-rate-limits.ts"
import { d6SafeRetries } from "./d-content/d6-safe-retries.ts"
import { d7Lifecycle } from "./d-content/d7-lifecycle.ts"
import { e1ServerRendered } from "./e-hygiene/e1-server-rendered.ts"
import { e2HonestAnswers } from "./e-hygiene/e2-honest-answers.ts"
import { e3StableAddresses } from "./e-hygiene/e3-stable-addresses.ts"
import { e4SameForAgents } from "./e-hygiene/e4-same-for-agents.ts"
import { e5HiddenInstructions } from "./e-hygiene/e5-hidden-instructions.ts"
import { f1McpServer } from "./f-agent-surface/f1-mcp-server.ts"
import { f2CatalogueAndAuth } from "./f-agent-surface/f2-catalogue-and-auth.ts"
import { f3Instructions } from "./f-agent-surface/f3-instructions.ts"
import { f4Ergonomics } from "./f-agent-surface/f4-ergonomics.ts"

/** All plugins, in the order of the rubric. What is not in this list does not exist. */
export const plugins: Registry = Result.getOrThrow(
  registryOf([
    register(a1LlmsTxt),
    register(a2FullText),
    register(a3RobotsPolicy),
    register(a4Sitemap),
    register(a5EntryPoints),
    register(b1MarkdownTwins),
    register(b2MarkdownNegotiation),
    register(b3MarkdownFaithful),
    register(b4Metadata),
    register(b5PageSize),
    register(c1SpecFound),
    register(c2SpecValid),
    register(c3SpecDescribed),
    register(c4SpecExamples),
    register(c5SpecActionable),
    register(d1RunnableExamples),
    register(d2ExampleLanguages),
    register(d3Errors),
    register(d4Authentication),
    register(d5RateLimits),
    register(d6SafeRetries),
    register(d7Lifecycle),
    register(e1ServerRendered),
    register(e2HonestAnswers),
    register(e3StableAddresses),
    register(e4SameForAgents),
    register(f1McpServer),
    register(f2CatalogueAndAuth),
    register(f3Instructions),
    register(f4Ergonomics),
    register(b6FrontMatter),
    register(e5HiddenInstructions)
  ])
)
