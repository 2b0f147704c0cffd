import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { FORMATS } from "../../engine/fix/hosts/Formats.ts"
import { HOSTS, type HostRules, linkHeader, rewritten } from "../../engine/fix/hosts/HostRules.ts"
import { markdownForms, markdownUrlOf, pathRewrites } from "../../engine/fix/site/MarkdownForms.ts"
import type { VersionForm } from "../../engine/site/markdown/VersionForm.ts"

const formats = HOSTS.flatMap((name) => {
  const format = FORMATS[name]
  return format === null ? [] : [{ name, format }]
})

const LEARNT: ReadonlyArray<ReadonlyArray<VersionForm>> = [
  [],
  ["page.md"],
  ["page/index.md"],
  ["page.html.md"],
  ["page.md", "page.html.md"]
]

describe("the rules for a host", () => {
  test.each(formats)("are read from $name files as they were written", ({ format, name }) => {
    for (const learnt of LEARNT) {
      const rules: HostRules = {
        link: linkHeader([
          { url: "/my%20docs/llms.txt", rel: "describedby" },
          { url: "/openapi.json", rel: "service-desc" }
        ]),
        rewrites: pathRewrites(markdownForms(learnt))
      }
      const read = format.read(format.write(rules))
      expect(read?.link).toBe(rules.link)
      // Caddy tries files whatever the path ends in, and has no placeholder for a path without its slash.
      if (name !== "caddy") expect(read?.rewrites).toEqual(rules.rewrites)
      else if (!learnt.includes("page.md")) expect(read?.rewrites).toEqual(expect.arrayContaining([...rules.rewrites]))
    }
  })

  test("lead from a page to the file that its Markdown is written to, whatever form the site uses", () => {
    for (const learnt of LEARNT) {
      const forms = markdownForms(learnt)
      for (const path of ["/", "/guide/", "/a/b/", "/guide", "/a/v1.2", "/guide.html", "/a/x.htm"]) {
        const url = markdownUrlOf(forms, `https://docs.example.com${path}`)
        const file = rewritten({ link: null, rewrites: pathRewrites(forms) }, path)
        expect(file, `${path} by ${learnt.join()}`).toBe(url === null ? null : new URL(url).pathname)
      }
    }
  })

  test("hold no link whose URL could mean something in a configuration", () => {
    fc.assert(
      fc.property(
        fc.webPath({ size: "small" }),
        fc.constantFrom("'", '"', ";", "}", "\n", "`", "$x", "\\", ">", " "),
        (path, character) => {
          expect(linkHeader([{ url: `${path}${character}x`, rel: "describedby" }])).toBeNull()
        }
      )
    )
    expect(linkHeader([{ url: "/llms.txt", rel: "describedby" }])).toBe('</llms.txt>; rel="describedby"')
  })

  test("write % twice for Apache, whose mod_headers stops at a format specifier that it does not know", () => {
    const [file] =
      FORMATS.apache?.write({ link: linkHeader([{ url: "/my%20docs/llms.txt", rel: "describedby" }]), rewrites: [] }) ??
      []
    expect(file?.text).toContain('Header add Link "</my%%20docs/llms.txt>; rel=\\"describedby\\""\n')
    expect(FORMATS.apache?.read([{ name: ".htaccess", text: file?.text.replaceAll("%%", "%") ?? "" }])?.link).toBeNull()
  })

  test("do nothing where a file was changed by hand to something that we do not read", () => {
    expect(
      FORMATS.nginx?.read([{ name: "docgauge-server.conf", text: "add_header Link '</x>; rel=evil; y';\n" }])
    ).toBeNull()
  })
})

describe("the function of an edge host", () => {
  const rules: HostRules = { link: null, rewrites: pathRewrites(markdownForms([])) }
  const scriptOf = (host: "netlify" | "vercel"): string =>
    FORMATS[host]?.write(rules).find(({ name }) => name.endsWith(".js"))?.text ?? ""
  const answered = async (host: "netlify" | "vercel", path: string, accept: string): Promise<Response | undefined> => {
    // The function runs as it was written, with a fetch that knows one file.
    const script = scriptOf(host).replace(
      "await fetch(file)",
      'file.pathname === "/guide/index.md" ? new Response("# Guide") : new Response("", { status: 404 })'
    )
    const { default: handle }: { default: (request: Request) => Promise<Response | undefined> } = await import(
      `data:text/javascript,${encodeURIComponent(script)}`
    )
    return handle(new Request(`https://docs.example.com${path}`, { headers: { accept } }))
  }

  test.each(["netlify", "vercel"] as const)(
    "answers with Markdown on %s where that is accepted and there",
    async (host) => {
      const response = await answered(host, "/guide/", "text/markdown, text/html;q=0.5")
      expect(await response?.text()).toBe("# Guide")
      expect(response?.headers.get("content-type")).toBe("text/markdown; charset=utf-8")
      expect(response?.headers.get("vary")).toBe("Accept")
      expect(await answered(host, "/guide/", "text/html")).toBeUndefined()
      expect(await answered(host, "/other/", "text/markdown")).toBeUndefined()
      expect(await answered(host, "/guide/index.md", "text/markdown")).toBeUndefined()
    }
  )
})
