import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { noticeAnswer, type Notice } from "../pages/kit/NoticePage.ts"
import { JSON_TYPE } from "./Answers.ts"
import { prefersHtml } from "./PrefersHtml.ts"

type HeaderRecord = Readonly<Record<string, string>>

/** What is told instead of what was asked for: a page for people, JSON for programs, both with one status. */
export interface Told {
  readonly status: number
  readonly page: Notice
  readonly json: Readonly<Record<string, unknown>>
  readonly headers?: HeaderRecord
}

/** Tells it in the form that the client prefers. */
export const toldAnswer = (request: HttpServerRequest, { headers = {}, json, page, status }: Told): HttpServerResponse.HttpServerResponse =>
  prefersHtml(request)
    ? noticeAnswer(status, page, headers)
    : HttpServerResponse.text(JSON.stringify(json), { status, contentType: JSON_TYPE, headers })
