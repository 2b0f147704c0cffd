import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { Readable } from "node:stream"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { below, normalise, onSite, pageKey, plainForm, siteOf } from "../../../engine/evidence/Address.ts"
import { readResponseBody } from "../../../engine/evidence/http/ContentCoding.ts"
import { HopFailure } from "../../../engine/evidence/http/HopFailure.ts"
import { dechunked, parseHttpMessage, statusOf, storedHeaders } from "../../../engine/evidence/http/HttpMessage.ts"
import { isPublicAddress, isReservedName } from "../../../engine/evidence/http/PublicAddress.ts"
import { openArchive } from "../../../engine/evidence/archive/Replay.ts"
import { parseResolveRule, ruleFor } from "../../../engine/evidence/http/Destination.ts"
import { retryAfterMs } from "../../../engine/evidence/politeness/RateLimits.ts"
import { gunzipText, isGzip } from "../../../engine/site/wellknown/SitemapDocument.ts"
import { isAsideAddress, judgeAddress } from "../../../engine/site/address/PageUrl.ts"
import { topicsNamed } from "../../../engine/site/topics/TopicNames.ts"
import { VERSION_FORMS, versionUrl } from "../../../engine/site/markdown/VersionForm.ts"
import { versionIn } from "../../../engine/site/address/VersionFolders.ts"
import { type FuzzTarget, holds, split, textOf } from "../Target.ts"
import { isMarkdownUrl } from "../../../engine/text/UrlPath.ts"

const LIMIT = 1024 * 1024

const CODINGS = ["gzip", "deflate", "br", "zstd", "gzip, br", "x-gzip", "identity", ""] as const

const ENCODE = [gzipSync, deflateSync, deflateRawSync, brotliCompressSync, zstdCompressSync]

/** Fails by `HopFailure` only, and never gives more than the limit. */
const coded = async (wire: Uint8Array, coding: string): Promise<void> => {
  try {
    const { body } = await readResponseBody(Readable.from([wire], { objectMode: true }), coding, LIMIT)
    holds("a body is no longer than its limit", body.length <= LIMIT)
  } catch (error) {
    if (!(error instanceof HopFailure)) throw error
  }
}

const address = (text: string, base: string): void => {
  const url = normalise(text, URL.canParse(base) ? base : "https://docs.example.com/guide/")
  if (url === null) return
  holds("normalising twice is normalising once", normalise(url) === url)
  holds("the plain form is its own plain form", plainForm(plainForm(url)) === plainForm(url))
  const plain = plainForm(url)
  if (URL.canParse(plain)) below(plain, "llms.txt")
  pageKey(url)
  judgeAddress(url)
  isAsideAddress(url)
  isMarkdownUrl(url)
  topicsNamed(url, [text.slice(0, 2_000)])
  for (const form of VERSION_FORMS) versionUrl(form, url)
  const { hostname, pathname } = new URL(url)
  versionIn(pathname)
  holds("an address is on its own site", onSite(url, siteOf(hostname)))
  isReservedName(hostname)
  isPublicAddress(hostname)
}

/** Parsers of what comes over the network, and of archives of it. */
export const networkTargets: ReadonlyArray<FuzzTarget> = [
  {
    name: "archive",
    kinds: ["warc"],
    read: async (bytes) => {
      const opened = await Effect.runPromise(Effect.result(openArchive(bytes)))
      if (Result.isFailure(opened)) return
      for (const asked of opened.success.asked) {
        const hop = await Effect.runPromise(opened.success.send({ asked, limitBytes: LIMIT }))
        holds("a replayed body is no longer than its limit", hop._tag === "HopFault" || hop.body.length <= LIMIT)
      }
    }
  },
  {
    name: "HTTP message",
    kinds: ["http", "warc"],
    read: (bytes) => {
      const message = parseHttpMessage(bytes)
      if (message === null) return
      statusOf(message.startLine)
      storedHeaders(message.headers)
      holds("what was chunked is no longer than it was", dechunked(message.body).length <= message.body.length)
      const wait = retryAfterMs(message.headers, Date.now())
      holds("a wait is a number", wait === null || !Number.isNaN(wait))
    }
  },
  {
    name: "chunked body",
    kinds: ["http"],
    read: (bytes) => {
      dechunked(bytes)
    }
  },
  {
    name: "content coding, broken",
    kinds: ["http", "html"],
    read: async (bytes) => {
      for (const coding of CODINGS) await coded(bytes, coding)
    }
  },
  {
    name: "content coding, changed after compression",
    kinds: ["html", "text"],
    read: async (bytes) => {
      const pick = bytes[0] ?? 0
      const wire = ENCODE[pick % ENCODE.length]?.(bytes) ?? bytes
      const at = ((bytes[1] ?? 0) * 256 + (bytes[2] ?? 0)) % Math.max(1, wire.length)
      wire[at] = (wire[at] ?? 0) ^ (1 << (pick % 8))
      for (const coding of CODINGS) await coded(wire, coding)
      if (isGzip(wire)) await Effect.runPromise(gunzipText(wire, LIMIT))
    }
  },
  { name: "address", kinds: ["text", "html"], read: (bytes) => address(...split(bytes)) },
  {
    name: "resolve rule",
    kinds: ["text"],
    read: (bytes) => {
      const rule = parseResolveRule(textOf(bytes))
      if (Result.isSuccess(rule)) ruleFor([rule.success], rule.success.host, rule.success.port)
    }
  }
]
