import { isIP } from "node:net"
import { isJsonObject, type JsonObject, parsedJson } from "../../text/JsonText.ts"
import { plainText } from "../../text/PlainText.ts"
import { makeFieldReader, makeTextReader } from "./TextLine.ts"
import type { Hit, LogFormat } from "./Hit.ts"
import { readJsonRecord } from "./JsonLine.ts"

/** What came of the lines that were read so far. */
export interface LineCounts {
  /** All lines but empty ones and those that begin with `#`. */
  lines: number
  /** Lines that are JSON and about no request, such as the output of a function. */
  others: number
  unreadable: number
  /** The first unreadable line, without addresses and cut short; `null`: all could be read. */
  example: string | null
  /** Requests by the format of their lines. */
  readonly formats: Map<LogFormat, number>
}

export const newLineCounts = (): LineCounts => ({
  lines: 0,
  others: 0,
  unreadable: 0,
  example: null,
  formats: new Map()
})

/** Requests whose ids are kept: Vercel writes a line with the same request for everything that a function prints. */
const KEPT_IDS = 1_000

/** Reads the lines of one file, each in the format that it begins like, and passes every request on. */
export const makeLogReader = (counts: LineCounts, onHit: (hit: Hit) => void): ((line: string) => void) => {
  const readText = makeTextReader()
  const fields = makeFieldReader()
  const seen = new Set<string>()

  const take = (reading: { readonly format: LogFormat; readonly hit: Hit }): void => {
    counts.formats.set(reading.format, (counts.formats.get(reading.format) ?? 0) + 1)
    onHit(reading.hit)
  }

  const takeRecord = (object: JsonObject): void => {
    const reading = isRepeated(object) ? null : readJsonRecord(object)
    if (reading === null) counts.others += 1
    else take(reading)
  }

  const isRepeated = (object: JsonObject): boolean => {
    const id = object["proxy"] === undefined ? undefined : object["requestId"]
    if (typeof id !== "string" || id === "") return false
    if (seen.has(id)) return true
    if (seen.size >= KEPT_IDS) for (const [oldest] of seen.entries().take(1)) seen.delete(oldest)
    seen.add(id)
    return false
  }

  /** Whether the line is JSON of objects. */
  const readJson = (line: string): boolean => {
    const value = parsedJson(line)
    const records = (Array.isArray(value) ? value : [value]).filter(isJsonObject)
    for (const record of records) takeRecord(record)
    return records.length > 0
  }

  const read = (line: string): boolean => {
    const first = line.charCodeAt(0)
    if ((first === BRACE || first === BRACKET) && readJson(line)) return true
    const reading = fields.read(line) ?? readText(line)
    if (reading !== null) take(reading)
    return reading !== null
  }

  return (line) => {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line
    if (text.charCodeAt(0) === HASH) return fields.directive(text)
    if (text.trim() === "") return
    counts.lines += 1
    if (read(text.charCodeAt(0) === ANGLE ? withoutSyslogHead(text) : text)) return
    counts.unreadable += 1
    counts.example ??= withoutAddresses(text)
  }
}

const [HASH, ANGLE, BRACKET, BRACE] = [0x23, 0x3c, 0x5b, 0x7b]

/** Fastly sends lines as messages of syslog: `<134>2026-11-30T02:01:47Z cache-fra1 docs[212]: …`. */
const withoutSyslogHead = (line: string): string => {
  const [head = ""] = /^<\d{1,3}>[^:]{1,100}(?::\d\d){0,2}[^:]{0,200}: /.exec(line) ?? []
  return line.slice(head.length)
}

/** Shown characters of an unreadable line. */
const EXAMPLE = 160

/** An excerpt of a line without what may name a person: IP addresses, e-mail addresses and queries. */
const withoutAddresses = (line: string): string =>
  plainText(
    withoutIpAddresses(
      line
        .slice(0, 1_000)
        .replaceAll(/\?[^\s"]*/g, "?…")
        .replaceAll(/[\w.+-]{1,64}@[\w.-]{1,200}/g, "[address]")
    ),
    EXAMPLE
  )

/** A text with a word in place of each IP address. */
export const withoutIpAddresses = (text: string): string =>
  text
    .replaceAll(/(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])/g, "[address]")
    .replaceAll(/(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/gi, (address) =>
      isIP(address) === 0 ? address : "[address]"
    )
