import * as Effect from "effect/Effect"
import { describe, it } from "vitest"
import { addressNames, callsIn } from "../../engine/drift/calls/CallsIn.ts"
import { headEnd } from "../../engine/fix/overlay/HeadInsertion.ts"
import { openArchive } from "../../engine/evidence/archive/Replay.ts"
import { LANGUAGES, languagesIn, readingLength, wordsIn } from "../../engine/text/languages/Language.ts"
import { english, meanings, readerIn } from "../../engine/text/languages/Vocabulary.ts"
import { plainText } from "../../engine/text/PlainText.ts"
import { readLinkHeader } from "../../engine/page/ResponseFacts.ts"
import { comparableBody } from "../../engine/site/wellknown/FileVerdict.ts"
import { type AgentConversion, readAsAgent } from "../../engine/page/conversion/AgentReading.ts"
import { markdownOf } from "../../engine/page/conversion/ConvertPage.ts"
import { previewOfHtml, previewOfText, readsAsErrorPage } from "../../engine/page/ErrorPage.ts"
import { installLines, isInstaller } from "../../engine/page/code/InstallLine.ts"
import { parseLlmsTxt } from "../../engine/page/markdown/LlmsDocument.ts"
import { readMarkdown } from "../../engine/page/markdown/MarkdownReader.ts"
import { shownOperations } from "../../engine/page/PageOperations.ts"
import { shownByScript } from "../../engine/page/script/ViewerScript.ts"
import { isNamedAfter, namesProduct } from "../../engine/site/topics/ProductName.ts"
import { readPage } from "../../engine/page/read/ReadPage.ts"
import { readSpec } from "../../engine/apispec/read/ReadSpec.ts"
import { parseSitemap } from "../../engine/site/wellknown/SitemapDocument.ts"
import { fold, parity } from "../../engine/page/markdown/TextParity.ts"
import { feedDates } from "../../plugins/d-content/Changelog.ts"
import { isRunnable } from "../../plugins/d-content/RunnableExample.ts"
import { datesIn } from "../../plugins/d-content/WrittenDate.ts"
import { metaContents } from "../../server/audits/VerificationElement.ts"
import { answerOf, ORIGIN } from "../site/FakeContext.ts"
import { expectLinear } from "./Growth.ts"

/** Inputs of a parser by name: a text that is repeated, or a function of the size. */
type Inputs = Readonly<Record<string, string | ((size: number) => string)>>

const times = (size: number, unit: string): string => unit.repeat(Math.ceil(size / unit.length))

const listed = (size: number, each: number, item: (index: number) => string, separator = ","): string =>
  Array.from({ length: Math.ceil(size / each) }, (_, index) => item(index)).join(separator)

const html = (body: string): unknown =>
  readPage({ answer: answerOf(`${ORIGIN}/`, `<!doctype html><body><main><h1>T</h1>${body}`) })

const asMarkdown = (body: string): unknown =>
  markdownOf(
    readPage({
      answer: answerOf(`${ORIGIN}/`, `<!doctype html><body><main><h1>T</h1><p>${"Text. ".repeat(40)}</p>${body}`)
    })
  )

const asAgent =
  (converts: AgentConversion) =>
  (body: string): unknown =>
    readAsAgent(answerOf(`${ORIGIN}/`, `<!doctype html><body><main><h1>T</h1>${body}`), { converts, keeps: 100_000 })

const markdownPage = (text: string): unknown =>
  readPage({ answer: answerOf(`${ORIGIN}/a.md`, { body: text, type: "text/markdown" }) })

const spec = (text: string): unknown =>
  readSpec({
    document: { url: `${ORIGIN}/spec`, mediaType: "", bytes: Buffer.from(text), cut: false },
    others: [],
    absent: [],
    limits: { documentBytes: 20 * 1024 * 1024, yamlBytes: 5 * 1024 * 1024 }
  })

const openApi = (paths: string, components = "{}", version = "3.1.0", more = ""): string =>
  `{"openapi":"${version}","info":{"title":"a","version":"1"},"paths":${paths},"components":${components}${more}}`

const schemas = (text: string): string => openApi("{}", `{"schemas":{${text}}}`)

const schemaRef = (index: number): string => `{"$ref":"#/components/schemas/S${index}"}`

const postman = (items: string, more = ""): string =>
  `{"info":{"name":"a","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},"item":[${items}]${more}}`

const asyncApi = (version: string, rest: string): string =>
  `{"asyncapi":"${version}","info":{"title":"a","version":"1"},${rest}}`

const openRpc = (methods: string, more = ""): string =>
  `{"openrpc":"1.3.2","info":{"title":"a","version":"1"},"methods":[${methods}]${more}}`

/** Opens an archive, and has it answer what it says was asked first. */
const archive = (text: string): Promise<unknown> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const {
        asked: [asked],
        send
      } = yield* openArchive(Buffer.from(text))
      if (asked !== undefined) yield* send({ asked, limitBytes: 1_000_000 })
    }).pipe(Effect.exit)
  )

const warcRecord = (type: string, block: string, headers = ""): string =>
  `WARC/1.1\r\nWARC-Type: ${type}\r\nWARC-Record-ID: <urn:1>\r\nWARC-Target-URI: ${ORIGIN}/\r\n${headers}Content-Length: ${Buffer.byteLength(block)}\r\n\r\n${block}\r\n\r\n`

const warcAnswer = (headers: string, body: string): string =>
  warcRecord("response", `HTTP/1.1 200 OK\r\n${headers}\r\n${body}`)

const ARCHIVES: Inputs = {
  records: (size) => warcRecord("metadata", "{}").repeat(size / 140),
  answers: (size) => warcAnswer("a: b\r\n", "x").repeat(size / 160),
  "requests that are concurrent to many": (size) =>
    listed(
      size,
      180,
      (index) => warcRecord("request", "GET / HTTP/1.1\r\n\r\n", `WARC-Concurrent-To: <urn:${index}>\r\n`),
      ""
    ),
  "one record's own headers": (size) => warcRecord("response", "", "x: y\r\n".repeat(size / 6)),
  "empty lines between records": (size) => `${warcRecord("metadata", "{}")}${"\r\n".repeat(12)}`.repeat(size / 160),
  "headers of an answer": (size) => warcAnswer("a: b\r\n".repeat(size / 6), ""),
  "folded headers of an answer": (size) => warcAnswer(`a: b\r\n${" c\r\n".repeat(size / 4)}`, ""),
  "spaces in a header of an answer": (size) => warcAnswer(`a: b${" ".repeat(size)}c\r\n`, ""),
  "chunks of an answer": (size) =>
    warcAnswer("transfer-encoding: chunked\r\n", `${"1\r\nx\r\n".repeat(size / 6)}0\r\n\r\n`),
  "extensions of a chunk": (size) =>
    warcAnswer("transfer-encoding: chunked\r\n", `1${";a=b".repeat(size / 4)}\r\nx\r\n0\r\n\r\n`),
  "one line": "a"
}

const NAMES = new Set(Array.from({ length: 1_000 }, (_, index) => `acme${index}x`))

const VARIABLES = new Map([["a", "https://example.com"]])

const runnable = (text: string): unknown =>
  isRunnable(
    { text, lines: 2, language: null, label: null, section: 0, line: null, lineByLine: false },
    { reader: english, names: NAMES, heading: "", around: () => text, isOwn: () => false, variables: VARIABLES }
  )

const MARKDOWN: Inputs = {
  "images that are not closed": "![",
  "links that are not closed": "[a](",
  "links in angle brackets that are not closed": "[a](<b",
  "nested brackets": (size) => "[".repeat(size / 2) + "]".repeat(size / 2),
  "nested links": (size) => "[".repeat(size / 5) + "](u)".repeat(size / 5),
  "runs of emphasis": "*a **a ",
  "emphasis that opens and closes": (size) => "*a ".repeat(size / 6) + " b*".repeat(size / 6),
  "emphasis of all kinds": "_a*b~~c ",
  "backticks in runs of every length": (size) =>
    Array.from({ length: Math.floor(Math.sqrt(size * 2)) }, (_, index) => `e${"`".repeat(index)}`).join(""),
  "quotes in quotes, gone on with lazily": (size) => `${"> ".repeat(100)}\n${"a\n".repeat(size / 2)}`,
  "lists in lists": "- ",
  "items of a list": "- a\n",
  "link reference definitions": (size) => listed(size, 8, (index) => `[a${index}]: u`, "\n"),
  "a reference's title that is not closed": (size) => `[a]: u '${"a\n".repeat(size / 2)}`,
  "references to one definition": (size) => `[b]: u\n\n${"[a][b]".repeat(size / 6)}`,
  "a wide table": (size) => `${"|a".repeat(size / 4)}\n${"|-".repeat(size / 4)}\n`,
  "a table of short rows": (size) => `|${"a|".repeat(300)}\n|${"-|".repeat(300)}\n${"a\n".repeat(size / 2)}`,
  "escaped bars": (size) => `|a|\n|-|\n${"\\|".repeat(size / 2)}`,
  "blocks of HTML": "<div>\n\n",
  "HTML that is not closed": 'a<a b="',
  "comments that are not closed": "a<!--",
  entities: "&#1234567",
  fences: "```\n~~~\n",
  "lines of a paragraph": "a\n",
  headings: "# a\n",
  "one heading": (size) => `# ${"A".repeat(size)}`,
  "headings below a long one": (size) => `# ${"a".repeat(size / 2)}\n${"## a\n".repeat(size / 10)}`,
  "spaces at the end of a line": (size) => `a${" ".repeat(size)}b`,
  "a front matter that is not closed": (size) => `---\na: b\n${"a\n".repeat(size / 2)}`
}

const PAGES: Inputs = {
  "a link of slashes": (size) => `<a href="${"/".repeat(size)}x">a</a>`,
  "a base of slashes": (size) => `<base href="${"/".repeat(size)}x"><a href=y>a</a>`,
  links: "<a href=/a>b</a>",
  "links in links": "<a><table>",
  "tables whose columns are all errors": (size) =>
    `<table><tr>${"<th>Errors</th>".repeat(40)}</tr>${`<tr>${"<td>404 x</td>".repeat(40)}</tr>`.repeat(size / 600)}`,
  "terms before one definition": (size) => `<dl>${"<dt>a".repeat(size / 5)}<dd>b`,
  "code blocks of white space": "<pre> \n \n</pre>",
  "scripts that redirect under conditions": `<script>${"/*".repeat(300)}${"if(a)location='b';".repeat(100)}</script>`,
  "wrappers that hold the content far below": (size) =>
    `${"<div class=sidebar>".repeat(400)}${"<b></b>".repeat(2_000)}<main>x</main>${"</div>".repeat(400)}`.repeat(
      Math.ceil(size / 26_000)
    ),
  classes: (size) => `<p class="${"a ".repeat(size / 2)}">x`,
  "a meta refresh of white space": (size) => `<meta http-equiv=refresh content="0;${" ".repeat(size)}x">`,
  "operations that end in dots": `<p>GET /a${".".repeat(450)}x</p>`,
  "a title of many parts": (size) => `<title>${"a | ".repeat(size / 4)}</title>`,
  "viewers that show nothing": "<script>Redoc.init(     </script>",
  "objects that are not closed": (size) => `<script>SwaggerUIBundle({${" spec:{".repeat(size / 7)}</script>`,
  "docsify without its settings": (size) =>
    `<script>$docsify${"routerMode ".repeat(1_700)}</script>`.repeat(Math.ceil(size / 19_000)),
  "JSON-LD": (size) => `<script type=application/ld+json>[${'{"@type":"A"},'.repeat(size / 14)}{}]</script>`,
  "white space": " \n",
  "menus of versions": "<select><option>v1</select>"
}

const SPECS: Inputs = {
  "references that lead nowhere": (size) =>
    openApi(`{${listed(size, 40, (index) => `"/a${index}":{"$ref":"#/x/y${index}"}`)}}`),
  "a chain of schemas": (size) =>
    openApi(
      "{}",
      `{"schemas":{${listed(size, 45, (index) => `"S${index}":{"$ref":"#/components/schemas/S${index + 1}"}`)}}}`
    ),
  "examples of one schema with many required members": (size) =>
    schemas(
      `"A":{"required":[${listed(size / 2, 8, (index) => `"m${index}"`)}],"examples":[${listed(size / 2, 9, () => `{"m0":1}`)}]}`
    ),
  "examples of one long set of values": (size) =>
    schemas(
      `"A":{"enum":[${listed(size / 2, 8, (index) => `"m${index}"`)}],"examples":[${listed(size / 2, 8, (index) => `"x${index}"`)}]}`
    ),
  "one example with members of every alternative": (size) =>
    schemas(
      `"A":{"anyOf":[${listed(size / 2, 14, (index) => `{"enum":[${index}]}`)}],"example":{${listed(size / 2, 9, (index) => `"m${index}":1`)}}}`
    ),
  "alternatives of alternatives": (size) =>
    schemas(
      `${listed(size / 2, 90, (index) => `"S${index}":{"oneOf":[${schemaRef(index + 1)},${schemaRef(index + 2)}]}`)},"A":{"allOf":[${schemaRef(0)}],"examples":[${listed(size / 2, 4, (index) => `"${index}"`)}]}`
    ),
  "patterns of examples": (size) =>
    schemas(
      `"A":{"properties":{${listed(size, 70, (index) => `"p${index}":{"pattern":"^(a${index}|b){20}[a-z]{1,50}$","example":"aab${index}"}`)}}}`
    ),
  "operations with one id": (size) =>
    openApi(`{${listed(size, 50, (index) => `"/a${index}":{"get":{"operationId":"x"}}`)}}`),
  "operations that are none": (size) => openApi(`{${listed(size, 20, (index) => `"/a${index}":{"get":1}`)}}`),
  "tags without names": (size) => openApi("{}", "{}", "3.1.0", `,"tags":[${listed(size, 3, () => "{}")}]`),
  "tags that have to differ": (size) =>
    openApi("{}", "{}", "3.0.3", `,"tags":[${listed(size, 14, (index) => `{"name":"t${index}"}`)}]`),
  "values that have to differ": (size) =>
    openApi("{}", `{"schemas":{"A":{"enum":[${listed(size, 8, (index) => `"a${index}"`)}]}}}`, "3.0.3"),
  parameters: (size) =>
    openApi(
      `{"/a":{"get":{"parameters":[${listed(size, 30, (index) => `{"name":"p${index}","in":"query"}`)}]}}}`,
      "{}",
      "3.0.3"
    ),
  "a path of braces": (size) => openApi(`{"/${"{".repeat(size)}":{"get":{}}}`),
  "wrong properties of one schema": (size) =>
    openApi(
      "{}",
      `{"schemas":{"A":{"properties":{${listed(size, 24, (index) => `"p${index}":{"type":"strng"}`)}}}}}`,
      "3.0.3"
    ),
  "wrong properties of one schema of a dialect": (size) =>
    openApi("{}", `{"schemas":{"A":{"properties":{${listed(size, 24, (index) => `"p${index}":{"type":"strng"}`)}}}}}`),
  "wrong schemas that lead to one another": (size) =>
    openApi(
      "{}",
      `{"schemas":{${listed(size, 70, (index) => `"S${index}":{"type":"strng","items":{"$ref":"#/components/schemas/S${index + 1}"}}`)}}}`,
      "3.0.3"
    ),
  "wrong schemas that all operations use": (size) =>
    openApi(
      `{${listed(size / 2, 40, (index) => `"/a${index}":{"$ref":"#/paths/~1x"}`)},"/x":{"get":{"responses":{"200":{"$ref":"#/components/responses/R"}}}}}`,
      `{"responses":{"R":{"description":"R","content":{"a/b":{"schema":{"oneOf":[${listed(size / 4, 40, (index) => `{"$ref":"#/components/schemas/S${index}"}`)}]}}}}},` +
        `"schemas":{${listed(size / 4, 24, (index) => `"S${index}":{"type":"strng"}`)}}}`,
      "3.0.3"
    ),
  "operations that share a response of many media types": (size) =>
    openApi(
      `{${listed(size / 2, 70, (index) => `"/a${index}":{"get":{"responses":{"200":{"$ref":"#/components/responses/R"}}}}`)}}`,
      `{"responses":{"R":{"description":"R","headers":{${listed(size / 4, 10, (index) => `"h${index}":{}`)}},"content":{${listed(size / 4, 12, (index) => `"a/b${index}":{}`)}}}}}`
    ),
  "operations that share a request body of many media types": (size) =>
    openApi(
      `{${listed(size / 2, 70, (index) => `"/a${index}":{"post":{"requestBody":{"$ref":"#/components/requestBodies/B"}}}`)}}`,
      `{"requestBodies":{"B":{"content":{${listed(size / 2, 22, (index) => `"a/b${index}":{"schema":{}}`)}}}}}`
    ),
  "properties that share a schema of many alternatives": (size) =>
    openApi(
      "{}",
      `{"schemas":{"S":{"oneOf":[${listed(size / 2, 16, () => '{"type":"object"}')}]},` +
        `"P":{"properties":{${listed(size / 2, 42, (index) => `"p${index}":{"$ref":"#/components/schemas/S"}`)}}}}}`
    ),
  "operations without one of many schemes": (size) =>
    openApi(
      `{${listed(size / 2, 20, (index) => `"/a${index}":{"get":{}}`)}}`,
      "{}",
      "3.0.3",
      `,"security":[{${listed(size / 2, 9, (index) => `"s${index}":[]`)}}]`
    ),
  "servers that are none": (size) =>
    openApi(
      `{${listed(size / 2, 20, (index) => `"/a${index}":{"get":{}}`)}}`,
      "{}",
      "3.0.3",
      `,"servers":[${listed(size / 2, 12, (index) => `{"url":${index}}`)}]`
    ),
  "identical paths": (size) => openApi(`{${listed(size, 20, (index) => `"/a/{x${index}}":{"get":{}}`)}}`),
  "keys that are there twice": (size) => `{"openapi":"3.0.0",${'"a":1,'.repeat(size / 6)}"b":1}`,
  "YAML keys": (size) => `openapi: 3.0.0\n${listed(size, 8, (index) => `a${index}: 1`, "\n")}`,
  "YAML anchors and aliases": (size) =>
    `${listed(size / 2, 14, (index) => `k${index}: &a${index} 1`, "\n")}\n${listed(size / 2, 14, (index) => `l${index}: *a${index}`, "\n")}`,
  "a YAML text of blank lines": (size) => `a: >\n${"  a\n\n".repeat(size / 6)}`,
  "GraphQL types that are not defined": (size) =>
    `type Query { a: A }\n${listed(size, 18, (index) => `type A${index} {a:B}`, "\n")}`,
  "GraphQL types of one name": (size) => `type Query { a: A }\n${"type A {a:A}\n".repeat(size / 13)}`,
  "GraphQL extensions of nothing": (size) =>
    `type Query { a: A }\n${listed(size, 18, (index) => `extend type Z${index} {a:A}`, "\n")}`,
  "GraphQL types that lack the fields of their interfaces": (size) =>
    `type Query { a: A }\n${listed(size / 3, 20, (index) => `interface I${index} {f:A g${index}:A}`, "\n")}\n` +
    `type A implements ${listed(size / 3, 6, (index) => `I${index}`, "&")} {a:A}\n${listed(size / 3, 18, (index) => `extend type A {b${index}:A}`, "\n")}`,
  "GraphQL interfaces that implement one another": (size) => {
    const names = Array.from({ length: Math.floor(Math.sqrt(size / 3)) }, (_, index) => `I${index}`)
    return `type Query { a: Int }\n${names.map((name, index) => `interface ${name} implements ${names.slice(0, index + 1).join("&")} {a:Int}`).join("\n")}`
  },
  "GraphQL inputs that require one another": (size) =>
    `type Query { a(b:I0): Int }\n${listed(size, 30, (index) => `input I${index} {a:I${index + 1}! b:I0!}`, "\n")}\ninput I${Math.ceil(size / 30)} {a:Int}`,
  "a GraphQL union of one type": (size) => `type Query { a: U }\nunion U = ${"Query|".repeat(size / 6)}Query`,
  "GraphQL types in a chain": (size) =>
    `type Query { a: T0 }\n${listed(size, 17, (index) => `type T${index} {a:T${index + 1}}`, "\n")}\ntype T${Math.ceil(size / 17)} {a:Int}`,
  "Postman requests": (size) =>
    postman(
      listed(size, 60, (index) => `{"name":"r${index}","request":{"method":"GET","url":"https://a.b/${index}"}}`)
    ),
  "Postman folders in folders": (size) =>
    postman(`${'{"name":"f","item":['.repeat(size / 24)}${"]}".repeat(size / 24)}`),
  "Postman variables in URLs": (size) =>
    postman(
      listed(size / 2, 30, (index) => `{"request":"{{v${index}}}/{{w"}`),
      `,"variable":[${listed(size / 2, 30, (index) => `{"key":"v${index}","value":"https://{{"}`)}]`
    ),
  "Postman URLs in parts": (size) =>
    postman(
      `{"request":{"url":{"host":[${listed(size / 2, 4, () => '"a"')}],"path":[${listed(size / 2, 14, () => '{"value":"b"}')}]}}}`
    ),
  "Postman URLs of braces": (size) => postman(`{"request":"https://${"{{".repeat(size / 2)}"}`),
  "Postman logins": (size) => postman(listed(size, 40, (index) => `{"auth":{"type":"t${index}"},"request":"/a"}`)),
  "AsyncAPI channels": (size) =>
    asyncApi(
      "2.6.0",
      `"channels":{${listed(size, 60, (index) => `"c${index}":{"publish":{"message":{"payload":{"type":"strng"}}}}`)}}`
    ),
  "AsyncAPI operations of one channel with many messages and parameters": (size) =>
    asyncApi(
      "3.0.0",
      `"channels":{"c":{"parameters":{${listed(size / 4, 10, (index) => `"p${index}":{}`)}},"messages":{${listed(size / 4, 10, (index) => `"m${index}":{}`)}}}},` +
        `"operations":{${listed(size / 2, 60, (index) => `"o${index}":{"action":"send","channel":{"$ref":"#/channels/c"}}`)}}`
    ),
  "AsyncAPI operations that share a message of many": (size) =>
    asyncApi(
      "2.6.0",
      `"channels":{${listed(size / 2, 60, (index) => `"c${index}":{"publish":{"message":{"$ref":"#/components/messages/M"}}}`)}},` +
        `"components":{"messages":{"M":{"oneOf":[${listed(size / 2, 20, () => '{"payload":{"a":1}}')}]}}}`
    ),
  "AsyncAPI channels in a circle": (size) =>
    asyncApi(
      "2.6.0",
      `"channels":{${listed(size, 75, (index) => `"c${index}":{"publish":{"message":{"$ref":"#/channels/c${(index + 1) % Math.ceil(size / 75)}/publish/message"}}}`)}}`
    ),
  "AsyncAPI channels that share a message of many references": (size) =>
    asyncApi(
      "2.6.0",
      `"channels":{${listed(size / 2, 60, (index) => `"c${index}":{"publish":{"message":{"$ref":"#/components/messages/M"}}}`)}},` +
        `"components":{"messages":{"M":{"oneOf":[${listed(size / 2, 36, () => '{"$ref":"#/components/messages/X0"}')}]},${listed(1_600, 40, (index) => `"X${index}":{"$ref":"#/components/messages/X${(index + 1) % 40}"}`)}}}`
    ),
  "AsyncAPI servers": (size) =>
    asyncApi("2.6.0", `"channels":{},"servers":{${listed(size, 40, (index) => `"s${index}":{"url":"wss://{a}{b"}`)}}`),
  "OpenRPC methods": (size) => openRpc(listed(size, 40, (index) => `{"name":"m${index}","params":[{"name":"p"}]}`)),
  "OpenRPC parameters of one method": (size) =>
    openRpc(`{"name":"m","params":[${listed(size, 20, (index) => `{"name":"p${index}"}`)}]}`),
  "OpenRPC methods that share a result and a parameter of many properties": (size) =>
    openRpc(
      listed(
        size / 2,
        110,
        (index) =>
          `{"name":"m${index}","params":[{"$ref":"#/components/contentDescriptors/P"}],"result":{"$ref":"#/components/contentDescriptors/P"}}`
      ),
      `,"components":{"contentDescriptors":{"P":{"name":"p","schema":{"properties":{${listed(size / 2, 24, (index) => `"p${index}":{"type":"strng"}`)}}}}}}`
    ),
  "OpenRPC methods that are a chain of references": (size) =>
    openRpc(listed(size, 30, (index) => `{"$ref":"#/methods/${index + 1}"}`)),
  "lines that begin like a GraphQL type": "type Query\n",
  "beginnings of a GraphQL schema": (size) =>
    `${`schema ${"@".padEnd(200, "a")}\n`.repeat(size / 208)}type Query { a: A }`
}

/** Heads of pages, in which a token is looked for. */
const HEADS: Inputs = {
  "elements of a head": "<meta a=1>",
  "one element of attributes": (size) => `<meta ${listed(size, 7, (index) => `a${index}`, " ")}>`,
  "attributes that are not closed": '<meta a="',
  "comments that are not closed": "<!--",
  entities: '<meta content="&amp;&#1234567',
  "templates in templates": (size) => "<template>".repeat(size / 21) + "</template>".repeat(size / 21),
  "elements in a template": (size) => `<template>${"<a><b></i>".repeat(size / 10)}`,
  "scripts in scripts": "<script><!--<script></script>",
  "texts that are not closed": "<title><"
}

const FEEDS: Inputs = {
  "nested elements": "<a>",
  "elements that are closed out of order": (size) => "<a>".repeat(size / 7) + "</b>".repeat(size / 7),
  dates: "<updated>2026-01-01</updated>",
  "an element of attributes": (size) => `<a${" b='c'".repeat(size / 6)}>`
}

const SITEMAPS: Inputs = {
  "nested elements": "<a>",
  locations: (size) => `<urlset>${"<url><loc>https://docs.example.com/a</loc></url>".repeat(size / 47)}`,
  "one location of slashes": (size) => `<urlset><url><loc>${"/".repeat(size)}</loc></url>`,
  "one location of entities": (size) => `<urlset><url><loc>${"&amp;".repeat(size / 5)}`,
  "elements that are closed and were never open": (size) => `<urlset>${"</a>".repeat(size / 4)}`,
  "addresses as text": "https://docs.example.com/a\n"
}

const EXAMPLES: Inputs = {
  "white space": " \n",
  continuations: " \\\n",
  "comments that a line end stands in": (size) => `${" # ".repeat(size / 3)}\r`,
  addresses: "curl https://",
  "words that may be the product's": (size) => `import ${"acme ".repeat(size / 5)}`,
  "dotted names": "a.",
  assignments: "A=b "
}

/** Blocks of code by the language that they are read as; each begins with a sign of a client. */
const CALLS: Readonly<Record<string, string>> = {
  shell: "curl /a\n",
  http: "GET /a\n",
  javascript: "fetch('/a')\n",
  python: "requests.get('/a')\n",
  go: "http.Get()\n",
  java: "HttpRequest\n",
  kotlin: "HttpRequest\n",
  php: "curl_init();\n",
  ruby: "Net::HTTP\n",
  csharp: "HttpClient\n"
}

const BLOCKS: Inputs = {
  "white space": " \n",
  brackets: "[{(",
  "calls in calls": "fetch(",
  "calls with arguments": "a.b(c, d=1).e(",
  "commands with quotes that are not closed": "curl 'a\n",
  "commands within commands": "curl $(",
  "here-documents that do not end": "curl <<A\n",
  "texts that are here-documents": "x = <<~A\n",
  "texts of PHP that are here-documents": "$x = <<<A\n",
  "texts that are not closed": `a = "b\n`,
  "texts of three quotes": `"""`,
  "holes that are not closed": 'f"{',
  "templates that are not closed": "`${",
  "comments that are not closed": "/*",
  "patterns that are not closed": "= /[",
  continuations: "curl \\\n",
  "dots and names": "a.b",
  "types of a call": "a<b,",
  "joined texts": "a = a + a + 'b'\n",
  "a dictionary that grows by itself": "d.update(d)\nd['a'] = d\n",
  "lists in lists by name": "a = [a, a]\nfetch('/x', {body: a})\n",
  "entries of a dictionary": (size) => `d = {}\n${listed(size, 14, (index) => `d["k${index}"] = 1`, "\n")}`,
  "assigned names": (size) => listed(size, 12, (index) => `a${index} = a${index + 1}`, "\n"),
  "typed names": "a: b.c<d>",
  loops: "for a b c d e f\n",
  "functions of names": "function (a, b, c, d)\n",
  "arguments of a command": "curl -H a: -d b=c ",
  "headers of a request": (size) => `GET /a HTTP/1.1\n${"A: b\n".repeat(size / 5)}`,
  "a request line of dashes": (size) => `GET /a ${"- ".repeat(size / 2)}`,
  "a query of many fields": (size) => `curl '/a?${"b=c&".repeat(size / 4)}'`,
  "an address of braces": (size) => `curl /${"{".repeat(size)}`,
  placeholders: "<a {{a ${a "
}

const shownCalls = (text: string): unknown =>
  Object.entries(CALLS).map(([language, sign]) => callsIn({ language, text: sign + text }))

const LINES: Inputs = {
  quotes: `npm i ${'"'.repeat(400)}a\n`,
  brackets: `npm i ${"[".repeat(400)}\n`,
  "white space": `dotnet add ${" ".repeat(400)}\n`,
  "fetches that are not piped": "fetch-",
  dashes: "curl -"
}

const TEXTS: Inputs = {
  "white space": " \n",
  marks: "# ",
  letters: "a",
  words: "not found. ",
  "marks above letters": "a\u0301\u0302",
  entities: "&#",
  digits: "1 ",
  months: "may "
}

const everyLanguage = readerIn(...LANGUAGES)

const FOREIGN: Inputs = {
  "one word": "ошибка",
  "the beginning of a phrase": "limite de ",
  numbers: "100 ",
  "numbers and units": "1 Anfrage ",
  ideographs: "请求限制",
  "numbers and ideographs": "每1秒",
  "hiragana and katakana": "あのキー",
  Hangul: "요청 1 ",
  "months without a year": "3. Mai ",
  "letters with marks": "é̂",
  "nouns of credentials": "token "
}

const answerIn = (text: string): unknown => readsAsErrorPage(answerOf(`${ORIGIN}/`, { body: text, type: "text/plain" }))

const suites: ReadonlyArray<readonly [parser: string, run: (input: string) => unknown, inputs: Inputs, most: number]> =
  [
    ["Markdown", readMarkdown, MARKDOWN, 500_000],
    [
      "llms.txt",
      parseLlmsTxt,
      {
        "images that are not closed": "![",
        items: "- [a](/b): c\n",
        "nested brackets": (size) => "[".repeat(size / 2) + "]".repeat(size / 2)
      },
      1_000_000
    ],
    [
      "a Markdown page",
      markdownPage,
      { "one heading": (size) => `# ${"A".repeat(size)}`, headings: "# Errors\n", "plain text": "a\n \n" },
      500_000
    ],
    ["a web page", html, PAGES, 1_000_000],
    ["a web page that becomes Markdown", asMarkdown, PAGES, 1_000_000],
    ["a web page that becomes Markdown as a whole", asAgent("markdown"), PAGES, 1_000_000],
    ["a web page that becomes text", asAgent("text"), PAGES, 1_000_000],
    ["an API description", spec, SPECS, 400_000],
    ["an archive", archive, ARCHIVES, 1_000_000],
    ["where a head ends", (text) => headEnd(`<!doctype html><html><head>${text}`), HEADS, 1_000_000],
    ["a head that may have a token", (text) => metaContents(text, "docgauge-verification"), HEADS, 1_000_000],
    ["a feed", feedDates, FEEDS, 1_000_000],
    ["a sitemap", (text) => parseSitemap(text, 50_000), SITEMAPS, 1_000_000],
    ["examples", runnable, EXAMPLES, 10_000],
    ["calls in code", shownCalls, BLOCKS, 50_000],
    ["names of addresses in code", (text) => addressNames([{ text }]), { ...EXAMPLES, names: "a=https://b\n" }, 10_000],
    ["install lines", (text) => [installLines(text), isInstaller(text)], LINES, 200_000],
    ["a text as an error page", answerIn, TEXTS, 500_000],
    ["the preview of a text", previewOfText, TEXTS, 100_000],
    [
      "the preview of a page",
      previewOfHtml,
      { "nested elements": "<b>", headings: (size) => `<h1>${"a<b>".repeat(size / 4)}` },
      100_000
    ],
    [
      "a body without its own address",
      (text) => comparableBody(text, [text.slice(0, 4_000)]),
      { ...TEXTS, "its address": "/ab" },
      200_000
    ],
    [
      "viewers in scripts",
      shownByScript,
      {
        "objects that open": "{openapi:",
        "objects that are whole": '{openapi:"3",info:{},paths:{a:1}}',
        calls: "SwaggerUIBundle({url:a,spec:b});",
        "names that lead to names": (size) =>
          `SwaggerUIBundle(a0);${listed(size, 12, (index) => `a${index}=a${index + 1}`, ";")}`,
        "a name given again and again": (size) => `SwaggerUIBundle(a);${times(size, "a={b:")}`,
        quotes: (size) => `SwaggerUIBundle(${times(size, `'"\``)}`,
        brackets: (size) => `SwaggerUIBundle(${times(size, "[{")}`,
        "comments that do not end": (size) => `SwaggerUIBundle(${times(size, "/*")}`,
        introspections: '{"__schema":{'
      },
      200_000
    ],
    [
      "operations",
      (text) => shownOperations([text], [{ header: [text], rows: [[text, text]] }]),
      { methods: "GET ", paths: "GET /a", servers: "GET {a}<", hosts: "GET https://<a>", labels: "endpoint: /" },
      20_000
    ],
    [
      "a Link header",
      readLinkHeader,
      {
        parameters: "<a>;a=b,",
        "white space": (size) => `<a>${" ".repeat(size)}x`,
        "a quoted parameter": (size) => `<a>;a="${"\\a".repeat(size / 2)}`
      },
      250_000
    ],
    ["dates", (text) => datesIn(text), TEXTS, 100_000],
    ["dates of every language", (text) => datesIn(text, new Set(LANGUAGES)), FOREIGN, 100_000],
    [
      "what a text of any language says",
      (text) => meanings().map((meaning) => everyLanguage.says(meaning, text)),
      FOREIGN,
      40_000
    ],
    [
      "the words and the language of a text",
      (text) => [wordsIn(text), readingLength(text), languagesIn({ text, lang: "" })],
      FOREIGN,
      500_000
    ],
    ["the words of a page in its Markdown", (text) => parity([text], [text], 20), TEXTS, 500_000],
    ["a folded text", fold, TEXTS, 500_000],
    ["a text that is shown", (text) => plainText(text, 10_000), TEXTS, 500_000],
    [
      "a package named after a product",
      (text) => isNamedAfter(NAMES, text),
      { words: "acm-", "one word": "acme" },
      100_000
    ],
    [
      "words named after a product",
      (text) => text.split(" ").map((word) => namesProduct(NAMES, word)),
      { words: "acme9 ", others: "ab " },
      500_000
    ]
  ]

describe.each(suites)("reading %s grows no faster than its length", (_, run, inputs, most) => {
  it.each(Object.entries(inputs))("for %s", (name, input) =>
    expectLinear({ name, run, most, make: (size) => (typeof input === "string" ? times(size, input) : input(size)) })
  )
})
