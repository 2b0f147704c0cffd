import { describe, expect, it } from "vitest"
import type { PageLink } from "../../../engine/page/Page.ts"
import { readControls, sourceLinks } from "../../../engine/page/html/PageControls.ts"
import { walked } from "./Walked.ts"

const link = (text: string, url: string): PageLink => ({
  url,
  text,
  fragment: "",
  rel: [],
  place: "main",
  seen: true
})

describe("controls of a page", () => {
  it.each([
    ["a button that copies the page", "<button>Copy page</button>", [], { copyMarkdown: true }],
    [
      "a button that is named by an attribute",
      '<button aria-label="Copy as Markdown"><svg></svg></button>',
      [],
      { copyMarkdown: true }
    ],
    ["the script that makes such a button", "<script src=/assets/copy-page.js></script>", [], { copyMarkdown: true }],
    [
      "not a button that copies a block of code",
      "<button>Copy</button><script src=/assets/copy-code.js></script>",
      [],
      { copyMarkdown: false }
    ],
    [
      "a link to the page's Markdown",
      "",
      [link("View as Markdown", "https://docs.example.com/keys.md")],
      { viewMarkdown: ["https://docs.example.com/keys.md"] }
    ],
    [
      "not a code host's page about the file",
      "",
      [link("View source", "https://github.com/a/b/blob/main/keys.md")],
      { viewMarkdown: [] }
    ],
    [
      "assistants that get the page, not mere links to them",
      "<button>Ask Claude about this</button>",
      [link("Open", "https://chatgpt.com/?q=Read+this"), link("Perplexity", "https://www.perplexity.ai/")],
      { assistants: ["chatgpt", "claude"] }
    ]
  ])("are %s", (_, body, links, controls) => {
    expect(readControls(walked(body), links)).toMatchObject(controls)
  })
})

it("links to a page's source by their label or their URL, each once", () => {
  const edit = link("Edit this page", "https://github.com/a/b/edit/main/docs/keys.md")
  expect(
    sourceLinks([
      edit,
      edit,
      link("Markdown", "https://docs.example.com/_sources/keys.rst"),
      link("Next page", "https://docs.example.com/next")
    ])
  ).toEqual([edit.url, "https://docs.example.com/_sources/keys.rst"])
})
