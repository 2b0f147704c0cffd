import { brotliCompressSync, constants, gzipSync } from "node:zlib"
import { MB, nested, page, PROSE } from "./HostileSite.ts"

/** An archive that does what a file can do to a replay. */
export interface HostileArchive {
  /** What it attacks, in one sentence. */
  readonly attacks: string
  readonly bytes: () => Uint8Array
}

const BASE = "http://docs.hostile-archive.com"

type Headers = Readonly<Record<string, string>>

const record = (type: string, block: string | Uint8Array, headers: Headers = {}): Buffer => {
  const body = Buffer.from(block)
  const lines = Object.entries({
    "WARC-Type": type,
    "WARC-Record-ID": "<urn:uuid:1>",
    "WARC-Date": "2026-11-21T10:00:00Z",
    "Content-Length": String(body.length),
    ...headers
  })
  return Buffer.concat([
    Buffer.from(`WARC/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`),
    body,
    Buffer.from("\r\n\r\n")
  ])
}

const LIMITS = { redirects: 5, pageBytes: 5 * MB, documentBytes: 20 * MB, requests: 200, auditBytes: 100 * MB }

/** The record that says what was audited; `changes` are what it says falsely. */
const info = (changes: Readonly<Record<string, unknown>> = {}): Buffer => {
  const run = {
    software: "docgauge/0.1.0",
    date: "2026-11-21",
    audited: BASE,
    agents: { docgauge: "docgauge/0.1.0", browser: "Mozilla/5.0 (compatible; docgauge/0.1.0; browser comparison)" },
    rubric: { id: "docgauge", version: "1", digest: "x" },
    limits: LIMITS,
    parameters: { sampleSize: 20, canonicalOrigin: null },
    ...changes
  }
  return record("warcinfo", `docgauge-run: ${JSON.stringify(run)}\r\n`)
}

const response = (
  path: string,
  body: string | Uint8Array,
  headers = "content-type: text/html\r\n",
  warc: Headers = {}
): Buffer =>
  record("response", Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\n${headers}\r\n`), Buffer.from(body)]), {
    "WARC-Target-URI": `${BASE}${path}`,
    ...warc
  })

const archive = (...records: ReadonlyArray<Buffer>): Buffer => Buffer.concat([info(), ...records])

const first = response("/", page("First"))

/** Files to give to `docgauge --replay`, by name. */
export const hostileArchives: Readonly<Record<string, HostileArchive>> = {
  empty: { attacks: "The file is empty.", bytes: () => Buffer.alloc(0) },
  "no-archive": { attacks: "The file is megabytes without a line end.", bytes: () => Buffer.alloc(20 * MB, "a") },
  "gzip-bomb": {
    attacks: "The file is two megabytes that inflate to two gigabytes.",
    bytes: () => gzipSync(Buffer.concat([info(), Buffer.alloc(400 * MB, "\r\n")]), { level: 1 })
  },
  "gzip-cut": {
    attacks: "The file's compression ends in the middle.",
    bytes: () => gzipSync(archive(first)).subarray(0, -20)
  },
  "gzip-members": {
    attacks: "The file is 100,000 empty gzip members.",
    bytes: () => Buffer.concat(Array(100_000).fill(gzipSync("")))
  },
  "many-records": {
    attacks: "The file has 200,000 records.",
    bytes: () => Buffer.concat([info(), ...Array(200_000).fill(record("metadata", "{}"))])
  },
  "endless-headers": {
    attacks: "A record's headers have no end.",
    bytes: () => Buffer.concat([info(), Buffer.from(`WARC/1.1\r\n${"X-More: to come\r\n".repeat(500_000)}`)])
  },
  "length-huge": {
    attacks: "A record says that it has 900 terabytes.",
    bytes: () =>
      Buffer.concat([
        info(),
        Buffer.from("WARC/1.1\r\nWARC-Type: response\r\nContent-Length: 999999999999999\r\n\r\nx")
      ])
  },
  "length-odd": {
    attacks: "Lengths of records are negative, fractions and several at once.",
    bytes: () =>
      archive(record("response", "x", { "Content-Length": "-1" }), record("response", "x", { "content-length": "1.5" }))
  },
  "spaces-in-headers": {
    attacks:
      "A header of a stored answer is a quarter of a megabyte of spaces, on which trimming takes quadratic time.",
    bytes: () =>
      archive(response("/", page("Spaces"), `content-type: text/html\r\nx-robots-tag: a${" ".repeat(250_000)}b\r\n`))
  },
  "colons-in-headers": {
    attacks: "A stored answer has 100,000 headers of a letter each.",
    bytes: () => archive(response("/", page("Colons"), `content-type: text/html\r\n${"a:\r\n".repeat(60_000)}`))
  },
  "concurrent-to": {
    attacks: "A record is concurrent to 2,000 others, which do not exist.",
    bytes: () =>
      archive(
        record("request", "GET / HTTP/1.1\r\nuser-agent: docgauge/1\r\n\r\n", { "WARC-Target-URI": `${BASE}/` }),
        record("response", "HTTP/1.1 200 OK\r\n\r\nx", {
          "WARC-Concurrent-To": "<urn:uuid:2>\r\nWARC-Concurrent-To: <urn:uuid:3>".repeat(1_000)
        })
      )
  },
  "brackets-in-target": {
    attacks: "The URL of a record is 60,000 angle brackets and slashes.",
    bytes: () =>
      archive(
        first,
        record("response", "HTTP/1.1 200 OK\r\n\r\nx", {
          "WARC-Target-URI": `<${"<".repeat(20_000)}${"/".repeat(20_000)}>${">".repeat(10_000)}`
        })
      )
  },
  "slashes-in-target": {
    attacks: "What was audited and what was answered have URLs of 60,000 slashes.",
    bytes: () =>
      Buffer.concat([
        info({ audited: `${BASE}/x${"/".repeat(60_000)}y` }),
        response(`/x${"/".repeat(60_000)}y`, page("Slashes"))
      ])
  },
  "body-bomb": {
    attacks: "A stored answer inflates to 512 MB.",
    bytes: () =>
      archive(
        response(
          "/",
          brotliCompressSync(Buffer.alloc(512 * MB, "<p>"), { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
          "content-type: text/html\r\ncontent-encoding: br\r\n"
        )
      )
  },
  chunks: {
    attacks: "A stored answer is a million chunks of a byte.",
    bytes: () =>
      archive(
        response(
          "/",
          `${"1\r\na\r\n".repeat(1_000_000)}0\r\n\r\n`,
          "content-type: text/html\r\ntransfer-encoding: chunked\r\n"
        )
      )
  },
  "markdown-bomb": {
    attacks: "A stored page is 250,000 beginnings of an image.",
    bytes: () => archive(response("/", `# Title\n\n${"![".repeat(250_000)}`, "content-type: text/markdown\r\n"))
  },
  "slashes-in-link": {
    attacks: "A stored page links to a URL of 400,000 slashes.",
    bytes: () => archive(response("/", page("Links", PROSE, `<a href="/x${"/".repeat(400_000)}y">x</a>`)))
  },
  "redirect-circle": {
    attacks: "Stored answers redirect to each other.",
    bytes: () =>
      archive(
        ...["/", "/a", "/b"].map((path, index) =>
          record("response", `HTTP/1.1 302 Found\r\nlocation: ${["/a", "/b", "/"][index]}\r\n\r\n`, {
            "WARC-Target-URI": `${BASE}${path}`
          })
        )
      )
  },
  limits: {
    attacks: "The record of the run claims limits without bound, of the wrong types and below zero.",
    bytes: () =>
      Buffer.concat([
        info({
          limits: {
            redirects: 1e308,
            pageBytes: -1,
            documentBytes: 1e15,
            requests: 1e12,
            auditBytes: 0.5,
            sitemapEntries: 1e12
          },
          parameters: { sampleSize: 500, canonicalOrigin: BASE }
        }),
        first
      ])
  },
  "run-deep": {
    attacks: "The record of the run is JSON that nests 100,000 levels.",
    bytes: () => Buffer.concat([record("warcinfo", `docgauge-run: ${nested("[", "]", 100_000)}\r\n`), first])
  },
  "fault-messages": {
    attacks: "Stored faults have messages of a megabyte of control characters.",
    bytes: () =>
      archive(
        first,
        record(
          "metadata",
          JSON.stringify({
            asked: { method: "GET", url: `${BASE}/robots.txt`, accept: "*/*", agent: "docgauge" },
            kind: "refused",
            message: "\u0007\u202e".repeat(500_000)
          })
        )
      )
  },
  statuses: {
    attacks: "Stored answers have statuses that do not exist.",
    bytes: () =>
      archive(
        ...["000", "999", "100", "204"].map((status, index) =>
          record("response", `HTTP/1.1 ${status} \r\n\r\nx`, {
            "WARC-Target-URI": `${BASE}/${index === 0 ? "" : index}`
          })
        )
      )
  }
}
