import type { Page } from "../../engine/page/Page.ts"
import { answerOf, ORIGIN } from "./FakeContext.ts"

/** A page of the fake site with these parts, and nothing else in it. */
export const pageAt = (path: string, parts: Partial<Page> & { readonly words?: string } = {}): Page => {
  const { words = "", ...rest } = parts
  const url = `${ORIGIN}${path}`
  return {
    answer: answerOf(url, words),
    url,
    format: "html",
    bytes: words.length,
    charset: { name: "UTF-8", declaredBy: "header" },
    title: "",
    description: "",
    lang: "",
    canonical: null,
    robots: [],
    meta: [],
    generators: [],
    announcements: [],
    structured: { types: [] },
    main: {
      container: "main",
      text: words,
      characters: words.length,
      offset: 0,
      segments: words === "" ? [] : [words]
    },
    visibleCharacters: words.length,
    substance: "substantive",
    headings: [],
    sections: [{ heading: "", level: 0, anchor: null, path: [], text: words }],
    links: [],
    kept: { characters: 0, bytes: 0, content: 0, contentEnd: 0 },
    beside: { isPart: false, segments: [], headings: [], code: [] },
    isFrameMenu: false,
    overlongLinks: 0,
    textCut: false,
    codeBlocks: [],
    tables: [],
    definitions: [],
    operations: [],
    times: [],
    modified: null,
    redirect: null,
    saysNotFound: false,
    loginWall: false,
    challenge: null,
    hashRouting: false,
    versionLinks: null,
    controls: { copyMarkdown: false, viewMarkdown: [], assistants: [] },
    sourceLinks: [],
    viewers: [],
    hiddenInstructions: [],
    ...rest
  }
}
