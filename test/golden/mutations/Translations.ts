import { GERMAN_URL, germanPages, germanSite } from "../german/Site.ts"
import { JAPANESE_URL, japanesePages, japaneseSite } from "../japanese/Site.ts"
import type { MarkdownPage } from "../MarkdownPage.ts"
import { RUSSIAN_URL, russianPages, russianSite } from "../russian/Site.ts"
import type { FakeSite } from "../../../engine/testing/FakeSite.ts"

/** One thing broken in the pages of a site that is not in English, and the criterion that must fall, alone. */
export interface TranslatedMutation {
  readonly language: string
  readonly name: string
  readonly url: string
  readonly site: FakeSite
  readonly costs: string
}

type Change = (pages: ReadonlyArray<MarkdownPage>) => ReadonlyArray<MarkdownPage>
type Case = readonly [name: string, costs: string, change: Change]

const inText =
  (path: string, from: string | RegExp, to: string): Change =>
  (pages) =>
    pages.map((page) => (page.path === path ? { ...page, text: replacedIn(page, from, to) } : page))

const replacedIn = ({ path, text }: MarkdownPage, from: string | RegExp, to: string): string => {
  const changed = text.replaceAll(from, to)
  if (changed === text) throw new Error(`nothing to change on ${path}: ${String(from)}`)
  return changed
}

const withText =
  (path: string, title: string, text: string): Change =>
  (pages) =>
    pages.map((page) => (page.path === path ? { ...page, title, text: `# ${title}\n\n${text}\n` } : page))

const without =
  (...paths: ReadonlyArray<string>): Change =>
  (pages) =>
    pages.filter(({ path }) => !paths.includes(path))

const both =
  (...changes: ReadonlyArray<Change>): Change =>
  (pages) =>
    changes.reduce((changed, change) => change(changed), pages)

const inReference =
  (from: RegExp, to: string): Change =>
  (pages) =>
    pages.map((page) =>
      page.path.startsWith("reference/") || page.path.startsWith("referenz/")
        ? { ...page, text: replacedIn(page, from, to) }
        : page
    )

/** Code is the same in every language. */
const INCOMPLETE: Case = ["calls have no full address", "D1", inReference(/https:\/\/api\.[a-z-]+\.(?:de|jp|ru)/g, "")]
const ONE_LANGUAGE: Case = ["examples come in curl only", "D2", inReference(/^```python\n[\s\S]*?^```\n/gm, "")]

const GERMAN: ReadonlyArray<Case> = [
  INCOMPLETE,
  ONE_LANGUAGE,
  ["errors come without what to do", "D3", inText("fehler", / \| (?:Was zu tun ist|---|[^|\n]+) \|$/gm, " |")],
  [
    "errors are only said to exist",
    "D3",
    withText(
      "fehler",
      "Fehlercodes",
      "Ein Fehler hat einen Code und einen Text. Schreiben Sie uns, wenn Sie einen sehen."
    )
  ],
  [
    "keys come from nowhere",
    "D4",
    inText(
      "anmeldung",
      "Erstellen Sie den Schlüssel in der Konsole unter „Zugänge“; er gilt, bis Sie ihn dort löschen.",
      "Er ist lang."
    )
  ],
  ["there is a limit without a number", "D5", inText("grenzen", "120 Anfragen pro Minute", "nicht zu viele Anfragen")],
  [
    "nothing is said of what lies beyond a limit",
    "D5",
    inText("grenzen", "Wird das Limit überschritten, wird die Anfrage abgelehnt.", "Das ist viel.")
  ],
  [
    "lists and the test environment are documented nowhere",
    "D6",
    both(
      without("testumgebung"),
      withText("listen", "Lange Listen", "Manche Listen sind lang. Nehmen Sie sich Zeit, sie zu lesen."),
      inText("index", "eine Liste der", "die Liste der")
    )
  ],
  ["the changelog ends two years ago", "D7", inText("aenderungen", "2026", "2024")],
  ["neither policy nor glossary", "D7", without("versionierung", "glossar")]
]

const JAPANESE: ReadonlyArray<Case> = [
  INCOMPLETE,
  ONE_LANGUAGE,
  ["errors come without what to do", "D3", inText("p02", / \| (?:対処方法|---|[^|\n]+) \|$/gm, " |")],
  [
    "errors are only said to exist",
    "D3",
    withText(
      "p02",
      "エラーコード一覧",
      "エラーにはコードと文が付きます。見つけたときは、その時刻を添えてお知らせください。"
    )
  ],
  [
    "keys come from nowhere",
    "D4",
    inText(
      "p01",
      "APIキーは管理画面の「鍵」で発行できます。発行したキーは、そこで消すまで有効です。",
      "キーは長い文字列です。"
    )
  ],
  [
    "there is a limit without a number",
    "D5",
    inText("p03", "1分間に60回まで送ることができます。", "多くは送れません。")
  ],
  [
    "nothing is said of what lies beyond a limit",
    "D5",
    inText("p03", "上限を超えた場合は、次の1分が始まるまで拒否します。", "十分な回数です。")
  ],
  [
    "lists and the test environment are documented nowhere",
    "D6",
    both(without("p07"), withText("p04", "長い一覧", "一覧は長いことがあります。ゆっくりお読みください。"))
  ],
  ["the changelog ends two years ago", "D7", inText("p08", "2026年", "2024年")],
  ["neither policy nor glossary", "D7", without("p09", "p10")]
]

const RUSSIAN: ReadonlyArray<Case> = [
  INCOMPLETE,
  ONE_LANGUAGE,
  ["errors come without what to do", "D3", inText("oshibki", / \| (?:Что делать|---|[^|\n]+) \|$/gm, " |")],
  [
    "errors are only said to exist",
    "D3",
    withText("oshibki", "Коды ошибок", "У ошибки есть код и текст. Напишите нам, когда увидите её, и назовите время.")
  ],
  [
    "keys come from nowhere",
    "D4",
    inText(
      "avtorizaciya",
      "Создайте ключ в личном кабинете, в разделе «Доступ»; он действует, пока вы его не удалите.",
      "Он длинный."
    )
  ],
  [
    "there is a limit without a number",
    "D5",
    inText("limity", "не больше 90 запросов в минуту", "не слишком много запросов")
  ],
  [
    "nothing is said of what lies beyond a limit",
    "D5",
    inText("limity", "При превышении запрос отклоняется до начала следующей минуты.", "Этого хватает.")
  ],
  [
    "lists and the test environment are documented nowhere",
    "D6",
    both(
      without("pesochnica"),
      withText(
        "spiski",
        "Длинные списки",
        "Бывают длинные списки. Читайте их не торопясь и не перечитывайте без нужды."
      )
    )
  ],
  ["the changelog ends two years ago", "D7", inText("istoriya", "2026", "2024")],
  ["neither policy nor glossary", "D7", without("versii", "slovar")]
]

const broken = (
  language: string,
  url: string,
  cases: ReadonlyArray<Case>,
  pages: ReadonlyArray<MarkdownPage>,
  build: (pages: ReadonlyArray<MarkdownPage>) => FakeSite
): ReadonlyArray<TranslatedMutation> =>
  cases.map(([name, costs, change]) => ({ language, name, url, costs, site: build(change(pages)) }))

export const translatedMutations: ReadonlyArray<TranslatedMutation> = [
  ...broken("german", GERMAN_URL, GERMAN, germanPages(), germanSite),
  ...broken("japanese", JAPANESE_URL, JAPANESE, japanesePages(), japaneseSite),
  ...broken("russian", RUSSIAN_URL, RUSSIAN, russianPages(), russianSite)
]
