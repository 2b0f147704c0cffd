import { percentDecoded } from "../../text/PercentDecoding.ts"
import { type Hit, hostOf, mediaTypeOf, pathOf } from "./Hit.ts"
import { makeTimeReader } from "./TextLine.ts"

/** Reads lines whose fields a `#Fields:` line names (https://www.w3.org/TR/WD-logfile.html): CloudFront, IIS and others. */
interface FieldReader {
  /** Takes a `#` line. */
  readonly directive: (line: string) => void
  readonly read: (line: string) => { readonly format: "CloudFront" | "W3C"; readonly hit: Hit } | null
}

/** The first fields of CloudFront's standard logs, for a file that lost its first lines. */
const CLOUDFRONT_FIELDS =
  "date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent)".split(
    " "
  )

const FIELDS = "#Fields:"

const CLOUDFRONT_LINE = /^\d{4}-\d\d-\d\d\t\d\d:\d\d:\d\d\t/

export const makeFieldReader = (): FieldReader => {
  let fields: ReadonlyMap<string, number> | null = null
  let format: "CloudFront" | "W3C" = "W3C"
  const timeOf = makeTimeReader((text) => finite(Date.parse(text)))
  const setFields = (names: ReadonlyArray<string>): void => {
    fields = new Map(names.map((name, index) => [name.toLowerCase(), index]))
    format = fields.has("x-edge-location") ? "CloudFront" : "W3C"
  }
  return {
    directive: (line) => {
      if (line.startsWith(FIELDS)) setFields(line.slice(FIELDS.length).trim().split(/\s+/))
    },
    read: (line) => {
      if (fields === null && CLOUDFRONT_LINE.test(line)) setFields(CLOUDFRONT_FIELDS)
      if (fields === null) return null
      const values = line.split(line.includes("\t") ? "\t" : " ")
      const get = (name: string): string | null => {
        const value = values[fields?.get(name) ?? -1]
        return value === undefined || value === "-" ? null : value
      }
      const status = get("sc-status")
      const target = get("cs-uri-stem") ?? get("cs-uri")
      if (target === null || status === null || !/^\d{3}$/.test(status)) return null
      const date = get("date")
      // IIS writes a plus for a space.
      const text = (name: string): string =>
        format === "W3C" ? (get(name) ?? "").replaceAll("+", " ") : decoded(get(name) ?? "")
      return {
        format,
        hit: {
          address: get("c-ip") ?? "",
          host: hostOf(get("x-host-header") ?? get("cs(host)") ?? get("cs-host") ?? ""),
          time: date === null ? null : timeOf(`${date}T${get("time") ?? "00:00:00"}Z`),
          method: get("cs-method") ?? "GET",
          path: pathOf(target),
          status: Number(status),
          bytes: Number(get("sc-bytes")) || 0,
          userAgent: fields.has("cs(user-agent)") ? text("cs(user-agent)") : null,
          accept: fields.has("cs(accept)") ? text("cs(accept)") : null,
          mediaType: mediaTypeOf(text("sc-content-type"))
        }
      }
    }
  }
}

/** CloudFront encodes what has spaces as URLs do, older logs twice. */
const decoded = (value: string): string => {
  if (!value.includes("%")) return value
  const once = value.replaceAll("%25", "%")
  return percentDecoded(once) ?? once
}

const finite = (number: number): number | null => (Number.isFinite(number) ? number : null)
