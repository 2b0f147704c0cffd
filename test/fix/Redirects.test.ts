import { describe, expect, test } from "vitest"
import { HOSTS, redirectFiles, takesRedirects } from "../../engine/fix/hosts/HostRules.ts"

const REDIRECTS = [
  { from: "/errors", to: "/docs/errors" },
  { from: "/v1.2/start/", to: "/docs/start" }
]

describe("the redirects for a host", () => {
  test("are in the words of each host, with where the file goes", () => {
    const texts = Object.fromEntries(
      HOSTS.flatMap((host) => redirectFiles(host, REDIRECTS).map(({ name, text }) => [host, `${name}\n${text}`]))
    )
    const lines = `_redirects
# Written by docgauge fix. Add these lines to _redirects in the folder that is published.
/errors /docs/errors 301
/v1.2/start/ /docs/start 301
`
    expect(texts).toEqual({
      netlify: lines,
      cloudflare: lines,
      vercel: `redirects-for-vercel.json\n${JSON.stringify({ redirects: REDIRECTS.map(({ from, to }) => ({ source: from, destination: to, permanent: true })) }, null, 2)}\n`,
      nginx: `docgauge-redirects.conf
# Written by docgauge fix. In the server block: include docgauge-redirects.conf;
location = /errors { return 301 /docs/errors; }
location = /v1.2/start/ { return 301 /docs/start; }
`,
      caddy: `docgauge-redirects.caddy
# Written by docgauge fix. In the site's block: import docgauge-redirects.caddy
redir /errors /docs/errors permanent
redir /v1.2/start/ /docs/start permanent
`,
      apache: `redirects.htaccess
# Written by docgauge fix. Add these lines to the .htaccess of the document root, or to the virtual host.
RedirectMatch 301 ^/errors$ /docs/errors
RedirectMatch 301 ^/v1[.]2/start/$ /docs/start
`
    })
    expect(HOSTS.filter((host) => !takesRedirects(host))).toEqual(["github-pages", "s3"])
  })

  test("hold no path that could mean something in a configuration or lead to another site", () => {
    const hostile = [
      "//evil.example",
      "/a b",
      "/a;}",
      "/a$1",
      "/a*",
      "/a:b",
      "/a\n/b",
      "/%41",
      "/a'",
      "/(a)",
      "a",
      "/[address]"
    ]
    for (const path of hostile)
      for (const host of HOSTS) {
        expect(redirectFiles(host, [{ from: path, to: "/docs" }])).toEqual([])
        expect(redirectFiles(host, [{ from: "/docs", to: path }])).toEqual([])
      }
    expect(redirectFiles("nginx", [{ from: "/a", to: "/a" }])).toEqual([])
    expect(redirectFiles(null, REDIRECTS)).toEqual([])
  })
})
