/**
 * Headers that an audited preview asks for, such as `Authorization`. They are added where a request is sent and nowhere else, so
 * that no journal, archive, message or other host ever gets them.
 */
export interface SiteHeaders {
  /** The only origin that gets them, such as `https://preview.example.net`. */
  readonly origin: string
  readonly headers: Readonly<Record<string, string>>
  /** What in them is secret: removed from responses that echo it. */
  readonly secrets: ReadonlyArray<string>
}

/** The headers for a request to this URL: none for another origin, where a redirect may lead. */
export const siteHeadersFor = (url: URL, site: SiteHeaders | undefined): Readonly<Record<string, string>> =>
  site !== undefined && url.origin === site.origin ? site.headers : {}
