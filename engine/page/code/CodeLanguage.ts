import { trimEnd, trimStart } from "../../text/WhiteSpace.ts"

/** Programming languages with the names that pages use; one language per line, its canonical name first. */
const PROGRAMMING = `
shell sh bash bsh zsh fish ash ksh console terminal shellsession shell-session sh-session bash-session command-line commandline curl cli prompt
powershell ps1 pwsh posh
batch bat cmd dos winbatch
javascript js jsx mjs cjs node nodejs node.js ecmascript es6 reactjs
typescript ts tsx mts cts deno
python py python2 python3 py3 pycon python-console ipython ipython3 pytb jupyter
ruby rb irb jruby erb
php php5 php7 php8 phtml
java jsp
kotlin kt kts
scala sc
groovy gradle
go golang
rust rs rust,no_run
c h
cpp c++ cc cxx hpp cplusplus arduino
csharp cs c# dotnet .net
fsharp fs f#
vbnet vb visualbasic vb.net
objectivec objc objective-c obj-c
swift
dart flutter
elixir ex exs iex heex eex
erlang erl
clojure clj cljs clojurescript
haskell hs ghci
ocaml ml reasonml
r rlang rscript splus rconsole
julia jl
lua luau
perl pl perl5
raku perl6
matlab octave
lisp common-lisp commonlisp elisp emacs-lisp
scheme racket rkt
crystal cr
nim
zig
d dlang
v vlang
solidity sol
apex
pascal delphi
fortran
cobol
ada
tcl
awk
sql mysql postgresql postgres plsql tsql pgsql sqlite
graphql gql
vue vue-html
svelte
astro
assembly asm nasm
wasm wat
gdscript
coffeescript coffee
`

/** Contents of code blocks that are not code: data, markup, configuration, messages, output. */
const DATA = `
json json5 jsonc jsonl ndjson jsonld json-ld geojson hal+json json-doc
yaml yml
xml xsd xsl xslt wsdl svg rss atom
html htm xhtml html+erb handlebars hbs jinja jinja2 django twig liquid mustache ejs html5
css scss sass less stylus postcss
markdown md mdx gfm rst rest restructuredtext asciidoc adoc tex latex
toml
ini cfg conf config properties dotenv env editorconfig
csv tsv
diff patch udiff
http https http-request http-response httprequest rest-client
text txt plaintext plain plain-text none nohighlight no-highlight raw ascii tree
output out stdout stderr result results response console-output text-output log logs error errors
dockerfile docker containerfile
hcl terraform tf nix bicep
protobuf proto proto3 grpc thrift avro capnp idl
nginx apache apacheconf caddy caddyfile vcl
makefile make cmake mk ninja
regex regexp ebnf bnf abnf antlr
mermaid plantuml dot graphviz ascii-art
systemd crontab cron
cue jsonnet rego cel
gherkin cucumber
openapi swagger
`

const namesOf = (table: string): ReadonlyArray<ReadonlyArray<string>> =>
  table
    .trim()
    .split("\n")
    .map((line) => line.split(" "))

const CANONICAL: ReadonlyMap<string, string> = new Map(
  [...namesOf(PROGRAMMING), ...namesOf(DATA)].flatMap((names) => names.map((name) => [name, names[0] ?? name]))
)

const IS_DATA: ReadonlySet<string> = new Set(namesOf(DATA).flatMap((names) => names.slice(0, 1)))

/** Tab and button labels that name a language in other words. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ["command line", "shell"],
  ["shell session", "shell"],
  ["visual basic", "vbnet"],
  ["objective c", "objectivec"],
  ["node js", "javascript"],
  ["npm", "shell"],
  ["yarn", "shell"],
  ["pnpm", "shell"],
  ["bun", "shell"],
  ["pip", "shell"],
  ["uv", "shell"],
  ["poetry", "shell"],
  ["homebrew", "shell"],
  ["macos", "shell"],
  ["linux", "shell"],
  ["windows", "powershell"],
  ["plain text", "text"]
])

/** The canonical name of the language that a tag names; `null` for an unknown one. */
export const knownLanguage = (tag: string): string | null => CANONICAL.get(tidy(tag)) ?? null

/** The canonical name of the language that a tag names; an unknown one in lower case; `null` for an empty one. */
export const normaliseLanguage = (tag: string): string | null => {
  const name = tidy(tag)
  if (name === "" || name === "default" || name === "auto" || name === "undefined" || name === "null") return null
  return CANONICAL.get(name) ?? name
}

/** Slate distinguishes tabs of one language by a suffix: `javascript--nodejs`. */
const tidy = (tag: string): string => {
  const name = trimStart(trimEnd(tag.trim().toLowerCase(), "},:;"), "{.")
  const second = name.indexOf("--", 1)
  return (second < 0 ? name : name.slice(0, second)).slice(0, 40)
}

/** The language that a tab or caption such as `Python SDK`, `cURL` or `client.ts` names; `null` for none. */
export const languageOfLabel = (label: string): string | null => {
  const plain = label.trim().toLowerCase().slice(0, 80)
  const extension = /^[\w./@-]+\.([a-z0-9]{1,6})$/.exec(plain)?.[1]
  if (extension !== undefined) return CANONICAL.get(extension) ?? null
  if (RESULTS.has(plain)) return null
  const whole = LABELS.get(plain.replace(/[.-]/g, " ")) ?? CANONICAL.get(plain)
  if (whole !== undefined) return whole
  // Single letters ("C", "R", "D") and words of prose ("go", "make") name a language only if they are the whole label.
  return (
    plain
      .split(/[\s/(),]+/)
      .map((word) => (word.length < 3 || PROSE.has(word) ? undefined : CANONICAL.get(word)))
      .find((language) => language !== undefined) ?? null
  )
}

/** Labels that say what a block is for, not its language. */
const RESULTS = new Set([
  "response",
  "result",
  "results",
  "output",
  "out",
  "error",
  "errors",
  "log",
  "logs",
  "example",
  "request"
])

const PROSE = new Set(
  "response result results error errors output text plain raw log logs make config rest http https none tree command prompt default dot patch env swift dart node out idl d v conf docker cron prose".split(
    " "
  )
)

/** Code that can be run, as opposed to data, markup, messages and output. */
export const isProgramming = (language: string): boolean => !IS_DATA.has(language)
