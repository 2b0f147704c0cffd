import { type Answer, header } from "../evidence/Exchange.ts"
import type { DecodedText } from "../evidence/BodyText.ts"
import { announcedByHeaders } from "./Announcements.ts"
import type { Page, PageFormat } from "./Page.ts"

/** What is known of a page of any format before its body is read. */
export type ResponseFacts = Pick<Page, "answer" | "url" | "format" | "bytes" | "charset" | "robots" | "announcements">

export const responseFacts = (answer: Answer, decoded: DecodedText, format: PageFormat): ResponseFacts => ({
  answer,
  url: answer.url,
  format,
  bytes: answer.body.length,
  charset: { name: decoded.charset, declaredBy: decoded.declared },
  robots: robotsDirectives(header(answer, "x-robots-tag") ?? ""),
  announcements: announcedByHeaders(answer)
})

/** A crawler's name before directives that are for it alone. */
const ADDRESSEE = /^[\w-]{1,40}:\s*(?=no|all|index|follow)/

/** Robots directives in lower case, without the names of crawlers that they are for. */
export const robotsDirectives = (value: string): ReadonlyArray<string> =>
  value
    .toLowerCase()
    .split(",")
    .map((directive) => directive.trim().replace(ADDRESSEE, ""))
    .filter((directive) => directive !== "")
