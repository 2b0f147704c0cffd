import { describe, expect, it } from "vitest"
import type { Hit } from "../../engine/logs/read/Hit.ts"
import { makeLogReader, newLineCounts } from "../../engine/logs/read/LogReader.ts"
import { isMadeFormat, madeLog, madeRequests, WRITERS } from "./MadeLog.ts"

const read = (text: string) => {
  const counts = newLineCounts()
  const hits: Array<Hit> = []
  const readLine = makeLogReader(counts, (hit) => hits.push(hit))
  for (const line of text.split("\n")) readLine(line)
  return { counts, hits }
}

const REQUESTS = [...madeRequests(300, 7)]

const FORMATS = Object.keys(WRITERS).filter(isMadeFormat)

/** What each format is called, and which fields it leaves out. */
const EXPECTED: Readonly<Record<string, { readonly name: string; readonly lacks: ReadonlyArray<string> }>> = {
  combined: { name: "combined", lacks: ["host", "accept", "mediaType"] },
  "combined with a host before": { name: "combined", lacks: ["accept", "mediaType"] },
  "combined with media type and Accept behind": { name: "combined", lacks: ["host", "accept"] },
  "combined as a message of syslog": { name: "combined", lacks: ["host", "accept", "mediaType"] },
  CloudFront: { name: "CloudFront", lacks: ["accept"] },
  W3C: { name: "W3C", lacks: ["host", "accept", "mediaType"] },
  Cloudflare: { name: "Cloudflare", lacks: ["accept"] },
  Fastly: { name: "Fastly", lacks: ["accept", "mediaType"] },
  Caddy: { name: "Caddy", lacks: [] },
  Vercel: { name: "Vercel", lacks: ["accept", "mediaType"] },
  Netlify: { name: "Netlify", lacks: ["accept", "mediaType", "bytes"] },
  "nginx in JSON": { name: "JSON", lacks: [] },
  common: { name: "common", lacks: ["host", "accept", "mediaType", "userAgent"] }
}

/** A user agent as the format gives it back: W3C logs have a dash for none, and IIS a plus for a space. */
const userAgentIn = (format: string, userAgent: string): string => {
  if ((format === "W3C" || format === "CloudFront") && userAgent === "-") return ""
  return format === "W3C" ? userAgent.replaceAll("+", " ") : userAgent
}

const only = <A>(list: ReadonlyArray<A>): A => {
  const [first] = list
  if (first === undefined || list.length !== 1) throw new Error(`${list.length} instead of one`)
  return first
}

describe("the readers of log lines", () => {
  it.each(FORMATS)("read every request of a log in the format: %s", (format) => {
    const { counts, hits } = read(madeLog(format, REQUESTS))
    const { lacks, name } = EXPECTED[format] ?? { name: "", lacks: [] }
    expect([counts.lines, counts.unreadable, counts.others, [...counts.formats]]).toEqual([300, 0, 0, [[name, 300]]])
    const shown = (field: string, value: unknown, none: unknown) => ({ [field]: lacks.includes(field) ? none : value })
    expect(hits).toEqual(
      REQUESTS.map(({ accept, address, bytes, host, mediaType, path, status, time, userAgent }) =>
        expect.objectContaining({
          address,
          method: "GET",
          path,
          status,
          time: time.getTime(),
          ...shown("bytes", bytes, 0),
          ...shown("host", host, ""),
          ...shown("userAgent", userAgentIn(format, userAgent), null),
          ...shown("accept", accept, format === "combined with media type and Accept behind" ? "*/*" : null),
          ...shown("mediaType", mediaType, null)
        })
      )
    )
  })

  it("drop queries and fragments, and take the path of a whole URL", () => {
    const line = (target: string) =>
      `192.0.2.1 - - [30/Nov/2026:02:01:47 +0000] "GET ${target} HTTP/1.1" 200 1 "-" "curl/8"`
    expect(
      read(["/a?key=secret", "/a#part", "https://Docs.example.com:443/a/b?c", "*"].map(line).join("\n")).hits.map(
        ({ host, path }) => [host, path]
      )
    ).toEqual([
      ["", "/a"],
      ["", "/a"],
      ["docs.example.com", "/a/b"],
      ["", ""]
    ])
  })

  it("read escaped quotes, users with spaces, IPv6 addresses, zones and what is no request", () => {
    const lines = [
      String.raw`2001:db8::1 - - [30/Nov/2026:02:01:47 +0130] "GET /say/\"hi\" HTTP/1.1" 200 12 "-" "a \"quoted\" agent"`,
      `192.0.2.1 - john doe [30/Nov/2026:02:01:47 -0800] "POST /x HTTP/2.0" 201 - "-" "-"`,
      String.raw`192.0.2.1 - - [30/Nov/2026:02:01:47 +0000] "\x16\x03\x01" 400 150 "-" "-"`,
      `192.0.2.1 - - [30/Nov/2026:02:01:47 +0000] "-" 408 0 "-" "-"`
    ]
    const { counts, hits } = read(lines.join("\r\n"))
    expect(counts.unreadable).toBe(0)
    expect(hits.map(({ address, method, path, userAgent }) => [address, method, path, userAgent])).toEqual([
      ["2001:db8::1", "GET", String.raw`/say/\"hi\"`, String.raw`a \"quoted\" agent`],
      ["192.0.2.1", "POST", "/x", "-"],
      ["192.0.2.1", "", "", "-"],
      ["192.0.2.1", "", "", "-"]
    ])
    expect(hits.slice(0, 2).map(({ time }) => new Date(time ?? 0).toISOString())).toEqual([
      "2026-11-30T00:31:47.000Z",
      "2026-11-30T10:01:47.000Z"
    ])
  })

  it("read CloudFront's lines without the two that begin its files, and its logs in JSON", () => {
    const body = madeLog("CloudFront", REQUESTS).split("\n").slice(2).join("\n")
    expect(read(body).counts).toMatchObject({ unreadable: 0, formats: new Map([["CloudFront", 300]]) })
    const json = JSON.stringify({
      date: "2026-11-30",
      time: "02:01:47",
      "c-ip": "192.0.2.1",
      "cs-method": "GET",
      "cs-uri-stem": "/a",
      "sc-status": "200",
      "sc-bytes": "12",
      "cs(User-Agent)": "GPTBot/1.2",
      "x-host-header": "docs.example.com"
    })
    const { time, ...hit } = only(read(json).hits)
    expect([new Date(time ?? 0).toISOString(), hit]).toEqual([
      "2026-11-30T02:01:47.000Z",
      expect.objectContaining({ path: "/a", status: 200, bytes: 12, userAgent: "GPTBot/1.2", host: "docs.example.com" })
    ])
  })

  it("take a drain's batches, and count what is no request apart", () => {
    const proxy = { method: "GET", path: "/a", host: "h.example", statusCode: 200, userAgent: ["x"], timestamp: 1 }
    const { counts, hits } = read(
      [
        JSON.stringify([
          { requestId: "1", proxy },
          { requestId: "2", proxy },
          { requestId: "1", proxy, message: "a second line of the same request" },
          { source: "build", message: "Building" }
        ]),
        JSON.stringify({ requestId: "3", proxy: { ...proxy, statusCode: -1 } })
      ].join("\n")
    )
    expect([hits.length, counts.lines, counts.others, counts.unreadable]).toEqual([2, 2, 3, 0])
  })

  it("tell times in seconds, milliseconds, microseconds and nanoseconds apart", () => {
    const at = Date.UTC(2026, 10, 30)
    const lines = [at / 1e3, at, at * 1e3, at * 1e6, `${at / 1e3}.5`, "2026-11-30T00:00:00Z", "never"].map(
      (timestamp) => JSON.stringify({ timestamp, url: "/", status: 200 })
    )
    expect(read(lines.join("\n")).hits.map(({ time }) => time)).toEqual([at, at, at, at, at + 500, at, null])
  })

  it("count a line that is in no format, and show the first without addresses, mail and queries", () => {
    const { counts, hits } = read(
      [
        "GET /x?token=abc from 192.0.2.1 and 2001:db8::7 by bob@example.com at 02:01:47\u001b[31m",
        '{"cut": "short',
        "# a remark",
        "",
        '192.0.2.1 - - [30/Nov/2026] "GET / HTTP/1.1" soon'
      ].join("\n")
    )
    expect(hits).toEqual([])
    expect(counts).toMatchObject({
      lines: 3,
      unreadable: 3,
      example: "GET /x?… from [address] and [address] by [address] at 02:01:47 [31m"
    })
  })
})
