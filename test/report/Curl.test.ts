import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import type { ReportedExchange } from "../../engine/audit/Report.ts"
import { curlOf, outcomeText } from "../../engine/report/ReportView.ts"

const exchange = (parts: Partial<ReportedExchange> = {}): ReportedExchange => ({
  method: "GET",
  url: "https://docs.example.com/a",
  accept: "*/*",
  agent: "docgauge",
  status: 200,
  headers: [],
  body: null,
  body_bytes: 0,
  body_cut: false,
  ...parts
})

/** What a shell makes of the command's words. */
const wordsOf = (command: string): ReadonlyArray<string> =>
  execFileSync("/bin/sh", ["-c", `curl() { for word; do printf '%s\\n' "$word"; done; }; ${command}`], {
    encoding: "utf8"
  })
    .trimEnd()
    .split("\n")

describe("curlOf", () => {
  it("repeats the request with its Accept and User-Agent", () => {
    expect(curlOf(exchange({ accept: "text/markdown" }))).toBe(
      "curl -sSgi --compressed -A 'docgauge/0.1.0' -H 'Accept: text/markdown' 'https://docs.example.com/a'"
    )
  })

  it("follows redirects where they were followed, and sends what was sent", () => {
    const command =
      curlOf(
        exchange({
          method: "POST",
          request_body: '{"a":"it\'s"}',
          redirects: [{ url: "https://docs.example.com/a", status: 308, location: "https://docs.example.com/b" }]
        })
      ) ?? ""
    expect(wordsOf(command)).toEqual([
      "-sSgiL",
      "--compressed",
      "-A",
      "docgauge/0.1.0",
      "-H",
      "Content-Type: application/json",
      "--data-raw",
      '{"a":"it\'s"}',
      "https://docs.example.com/a"
    ])
  })

  it("gives a shell no word of a hostile URL", () => {
    const url = "https://docs.example.com/'$(touch x)`id`;rm -rf $HOME\"&|<>"
    expect(wordsOf(curlOf(exchange({ url })) ?? "").at(-1)).toBe(url)
  })

  it("is missing for requests that were never sent, and for URLs that are not http", () => {
    expect(curlOf(exchange({ status: null, fault: "not_public", url: "http://169.254.169.254/" }))).toBeNull()
    expect(curlOf(exchange({ status: null, fault: "bad_address", url: "file:///etc/passwd" }))).toBeNull()
    expect(curlOf(exchange({ status: null, fault: "first_byte_timeout" }))).not.toBeNull()
  })
})

describe("outcomeText", () => {
  it.each([
    [exchange({ body: "x", body_bytes: 1 }), "200, 1 byte"],
    [exchange({ body: "x", body_bytes: 5598, body_cut: true }), "200, 5,598 bytes, of which the first are shown"],
    [exchange({ redirects: [{ url: "a", status: 301, location: "b" }] }), "200, after 1 redirect, no bytes"],
    [exchange({ status: null, failure: "no answer within 15 s" }), "no response: no answer within 15 s"]
  ])("says what came back %#", (one, text) => expect(outcomeText(one)).toBe(text))
})
