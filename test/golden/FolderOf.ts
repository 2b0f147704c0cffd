import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { answering, headersOf } from "../../engine/testing/FakeSite.ts"
import type { GoldenSite } from "./AuditFakeSite.ts"

/** Writes a golden site as a static build: its pages as files, redirects as `_redirects`, headers as `_headers`. */
export const writeFolder = (folder: string, { site, url }: GoldenSite): void => {
  const { host, origin } = new URL(url)
  const answer = answering(site, origin)
  const redirects: Array<string> = []
  const headers: Array<string> = []
  for (const place of Object.keys(site)) {
    const address = URL.parse(place, origin)
    if (place === "*" || address === null || address.host !== host) continue
    const response = answer({ method: "GET", url: address.href, accept: "*/*", agent: "docgauge" })
    const path = decodeURI(address.pathname)
    if (response.redirect !== undefined) redirects.push(`${path} ${response.redirect} ${response.status ?? 301}!`)
    if (response.body === undefined || (response.status ?? 200) !== 200) continue
    headers.push(path, ...headersOf(address.href, response).map(([name, value]) => `  ${name}: ${value}`))
    const file = join(folder, fileOf(path))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, response.body)
  }
  const { body, status = 200 } = answer({
    method: "GET",
    url: `${origin}/no-such-page-of-any-site`,
    accept: "*/*",
    agent: "docgauge"
  })
  if (status === 200 && body !== undefined) {
    writeFileSync(join(folder, "any-page.html"), body)
    redirects.push("/* /any-page.html 200")
  }
  writeFileSync(join(folder, "_redirects"), redirects.join("\n"))
  writeFileSync(join(folder, "_headers"), headers.join("\n"))
}

const fileOf = (path: string): string => {
  if (path.endsWith("/")) return `${path}index.html`
  return /\.\w+$|\/\.well-known\//.test(path) ? path : `${path}.html`
}
