import type { SeedKind } from "./Target.ts"

const lines = (text: string): ReadonlyArray<string> =>
  text
    .trim()
    .split("\n")
    .map((line) => line.replaceAll("\\n", "\n").replaceAll("\\t", "\t").replaceAll("\\r", "\r").replaceAll("\\s", " "))

const URLS = lines(`
https://docs.example.com/
https://docs.example.com////
//example.com/a
/guide/p1
../../x
%2e%2e/%2F%ff
https://ex%41mple.com../a;b?c=d#e
http://[::1]:80/
javascript:alert(1)
data:text/html,x
mailto:a@b
https://user:pass@host:99999/
xn--nxasmq6b
`)

/** Pieces that mean something to the parsers of each kind; between them goes anything. */
export const TOKENS: Readonly<Record<SeedKind, ReadonlyArray<string>>> = {
  html: [
    ...lines(`
<div>
</div>
<table><tr><td colspan=9999999>
<th>
</table>
<pre><code class="language-js">
</code></pre>
<h1>
</h6>
<nav>
<main>
<a href="
">
<link rel="alternate" type="text/markdown" href="
<meta charset=utf-16le>
<meta http-equiv=refresh content="0;url=
<meta name=robots content="noindex,
<base href="
<script type="application/ld+json">{"@type":"TechArticle","@graph":[
</script>
<script>SwaggerUIBundle({url:"
<redoc spec-url="
<template>
<svg><foreignObject>
<math><mtext>
<select><option>
<b><i><p>
<!--
-->
<![CDATA[
<dl><dt>
<dd>
<style>
<title>
<body hidden style="display:none"
&#x110000;
&amp
&notanentity;
\\u0000
\\n
\\s
curl -X POST https://api.example.com/v1/things -H "Authorization: Bearer $KEY"
Error 429 Too Many Requests
`),
    ...URLS
  ],
  markdown: [
    ...lines(`
#\\s
\\n\\n
\\n
![
[
](
)
[a]: /b "c"\\n
**
*
_
\`
\`\`\`js\\n
\`\`\`\\n
~~~\\n
- \\s
1. \\s
>\\s
| a | b |\\n|---|---|\\n
|
<a id="x">
<!--
---\\n
\\t
\\s\\s\\s\\s
\\\\
&#0;
<https://
{#anchor}
:::tip\\n
import X from 'y'\\n
`),
    ...URLS
  ],
  llms: [
    ...lines(`
# Title\\n
> Summary\\n
## Section\\n
- [Page](
): description\\n
- [
](
\\n
* [a](b.md)\\n
## Optional\\n
<!doctype html>
404 Not Found
`),
    ...URLS
  ],
  robots: [
    ...lines(`
User-agent: *\\n
User-agent: GPTBot\\n
useragent:
Disallow: /\\n
Disallow: /*p*p*p*p*p$\\n
Allow:
*
$
%E3%81
Sitemap: https://docs.example.com/sitemap.xml\\n
Crawl-delay: 1e9\\n
Content-Signal: search=yes, ai-train=no\\n
#
\\r
\\n
:
`),
    ...URLS
  ],
  xml: [
    ...lines(`
<?xml version="1.0"?>
<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemapindex>
<sitemap>
<url>
<loc>
</loc>
<lastmod>2026-11-21T10:00:00+25:61</lastmod>
</url>
</urlset>
<rss><channel><item><pubDate>
Sat, 21 Nov 2026 10:00:00 GMT
</pubDate>
<feed><entry><updated>
<![CDATA[
]]>
<!--
-->
&#xD800;
&b;
`),
    ...URLS
  ],
  json: [
    ...lines(`
{
}
[
]
:
,
"
"openapi":"3.1.0"
"swagger":"2.0"
"asyncapi":"3.0.0"
"openrpc":"1.3.2"
"info":{"title":"T","version":"1","schema":"https://schema.getpostman.com/json/collection/v2.1.0/collection.json"}
"paths":{"/a/{b}":{"get":{"responses":{"200":{"description":"d"}}}}}
"components":{"schemas":{"A":{"$ref":"#/components/schemas/A"}}}
"$ref":"#/components/schemas/A"
"$ref":"#"
"$ref":"other.json#/a"
"$ref":"#/%7Bx~1y~0"
"item":[{"name":"n","request":{"method":"GET","url":"https://a/:b"}}]
"__proto__":{"a":1}
"constructor":
"allOf":[{"$ref":"#/components/schemas/A"}]
"properties":{"a":{"type":"string","pattern":"(a+)+$","enum":[null]}}
"redirect_uris":["http://127.0.0.1:1/cb"]
"client_id":"https://c.example/app.json"
"jsonrpc":"2.0","id":1,"method":"initialize"
{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"audit","arguments":{"base_url":"https://a.dev"}}}
"method":"resources/read"
"method":"prompts/get"
"method":"notifications/cancelled"
"params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}
"params":{"cursor":"x"}
"base_url":"https://docs.example.com"
null
1e999
-0
"\\\\ud800"
\\n
`),
    ...URLS
  ],
  yaml: [
    ...lines(`
openapi: 3.1.0\\n
swagger: "2.0"\\n
asyncapi: 2.6.0\\n
info:\\n  title: T\\n  version: 1\\n
paths:\\n  /a:\\n    get:\\n      responses:\\n        "200":\\n          description: d\\n
components:\\n  schemas:\\n    A: &a\\n      $ref: "#/components/schemas/A"\\n
channels:\\n
&a\\s
*a
<<: *a\\n
[
]
{
}
- \\s
? \\s
: \\s
|\\n
>-\\n
!!binary
!!js/function
\\s\\s
\\t
\\n
---\\n
...\\n
%YAML 1.2\\n
"
'
#
2026-11-21
.inf
`),
    ...URLS
  ],
  graphql: lines(`
type Query {
}
a(b: Int = 1): String!
schema { query: Q mutation: M }
extend type Query {
"""
"
[
]!
@deprecated(reason: "x")
directive @x on FIELD_DEFINITION
enum E { A B }
input I { a: [[[Int]]] }
union U = A | B
interface N implements N { a: N }
scalar S
{
(
:
\\n
#
subscription
fragment F on F { ...F }
`),
  warc: lines(`
WARC/1.1\\r\\n
WARC/1.0\\r\\n
WARC-Type: response\\r\\n
WARC-Type: request\\r\\n
WARC-Type: metadata\\r\\n
WARC-Type: warcinfo\\r\\n
WARC-Record-ID: <urn:uuid:1>\\r\\n
WARC-Concurrent-To: <urn:uuid:1>\\r\\n
WARC-Target-URI: https://docs.example.com/\\r\\n
WARC-Date: 2026-11-21T10:00:00Z\\r\\n
WARC-Truncated: length\\r\\n
WARC-JSON-Metadata: {"wireBytes":-1}\\r\\n
Content-Length: 0\\r\\n\\r\\n
Content-Length: 19\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\n\\r\\n
Content-Length: 99999999999\\r\\n\\r\\n
\\r\\n\\r\\n
\\r\\n
docgauge-run: {}\\r\\n
HTTP/1.1 200 OK\\r\\n
Content-Encoding: gzip\\r\\n
Transfer-Encoding: chunked\\r\\n
ffffffff\\r\\n
`),
  http: [
    ...lines(`
HTTP/1.1 200 OK\\r\\n
HTTP/1.1 999 \\r\\n
Content-Type: text/html; charset="utf-16
Content-Encoding: gzip, br, zstd
Transfer-Encoding: chunked\\r\\n
Content-Length: -1\\r\\n
Location:\\s
Retry-After: 99999999999999999999\\r\\n
Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\\r\\n
Link: </llms.txt>; rel="llms-txt"; type="text/plain"
<
>; rel="
"; title*=UTF-8''%e2
;
,
=
"
\\\\
\\r\\n
\\r\\n\\r\\n
\\t
\\s
5\\r\\nhello\\r\\n0\\r\\n\\r\\n
ffffffff;ext=1\\r\\n
base_url=
&
%
+
`),
    ...URLS
  ],
  text: [
    ...lines(`
*:443:127.0.0.1:8443
host:80:[::1]:1
2026-11-21
21 November 2026
11/21/26
W/"
gzip;q=0.5, br;q=1.000, *;q=0
text/markdown;q=0.9, text/html
127.0.0.1, ::1, [fe80::1%25lo]:80
npm install
\\s
\\n
.
:
/
%
@
#
?
;
,
\\u202e
ﷺ
İ
ß
`),
    ...URLS
  ]
}
