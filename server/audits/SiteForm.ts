import { normalise } from "../../engine/evidence/Address.ts"

/**
 * `base_url_norm`: no scheme, default port, trailing slash or `www.`. The path stays, without what most servers ignore: empty
 * segments (`//a`), parameters of segments (`/a;x`, RFC 3986 §3.3) and a final `index.html`.
 */
export const siteFormOf = (url: string): string => {
  const { host, pathname } = new URL(normalise(url) ?? url)
  const segments = pathname.split("/").map((segment) => segment.split(";", 1)[0] ?? "").filter((segment) => segment !== "")
  if (INDEX_FILE.test(segments.at(-1) ?? "")) segments.pop()
  return [host.replace(/^www\.(?=[^.]+\.)/, ""), ...segments].join("/")
}

const INDEX_FILE = /^index\.html?$/i
