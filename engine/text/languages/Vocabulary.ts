import { folded, type Language, LANGUAGES, languagesIn, type Words, type WrittenText } from "./Language.ts"
import { ON_ACCESS } from "./AccessWords.ts"
import { ON_BEHAVIOUR } from "./BehaviourWords.ts"
import { SUBJECTS_OF_CALLS } from "./CallSubjects.ts"
import { ON_ERRORS } from "./ErrorWords.ts"
import { ON_LIFECYCLE } from "./LifecycleWords.ts"
import { SUBJECTS_OF_PRODUCTS } from "./ProductSubjects.ts"
import { ON_TABLES } from "./TableWords.ts"

/** Subjects as headings, titles and links name them. */
const SUBJECTS = { ...SUBJECTS_OF_CALLS, ...SUBJECTS_OF_PRODUCTS }

/** What a text or a column says about a subject. */
const STATEMENTS = { ...ON_ERRORS, ...ON_ACCESS, ...ON_BEHAVIOUR, ...ON_LIFECYCLE, ...ON_TABLES }

export type Subject = keyof typeof SUBJECTS
export type Meaning = Subject | keyof typeof STATEMENTS

const TABLE: Readonly<Record<Meaning, Words>> = { ...SUBJECTS, ...STATEMENTS }

/** Meanings, in the order of the table. */
export const meanings = (): ReadonlyArray<Meaning> =>
  Object.keys(TABLE).filter((name): name is Meaning => Object.hasOwn(TABLE, name))

export const wordsFor = (meaning: Meaning, language: Language): ReadonlyArray<string> => TABLE[meaning][language] ?? []

/** Words of a heading that say nothing of its subject. */
export const FILLERS: ReadonlySet<string> = new Set(
  [
    "der die das den dem des ein eine einer und oder von vom zu zur zum mit fur bei beim im in am an auf uber aus ist sind wie was wo welche alle allgemein allgemeine ubersicht einfuhrung einleitung beschreibung verwendung umgang nutzung hinweise liste anfragen aufrufe schnittstelle referenz mogliche folgende folgenden zuruckgegeben zuruckgegebenen gibt es verfugbar verfugbare",
    "el la los las un una y o de del con en por para al que como cual cuales es son lista general generales descripcion uso introduccion informacion guia referencia solicitudes llamadas posibles siguientes devuelve devueltos hay existe existen disponible disponibles",
    "le les des et ou du avec dans par pour au aux que comment quels quelles est sont d l liste general generale generales presentation utilisation introduction informations guide reference requetes appels possibles qu ce suivants suivantes renvoie renvoyes existe t il ils y a disponible disponibles",
    "o os as uma e do da dos das em no na nos nas com por para ao que como qual quais lista geral gerais descricao uso introducao informacoes guia referencia requisicoes chamadas possiveis seguintes retorna retornados ha existe existem disponivel disponiveis",
    "и или в во на с со к по о об от до для при как что где какие список общие общая общий описание использование работа введение информация справочник запросов запросы возможные все такое такой такая такие это следующие возвращает возвращаемые сервер есть ли доступен доступна доступные"
  ].flatMap((words) => words.split(" "))
)

/** The same where there are no spaces. */
export const WIDE_FILLERS =
  /说明|介绍|相关|关于|概述|概览|一览|列表|详情|使用|方法|如何|什么|以及|常见|基本|信息|处理|规则|机制|文档|接口|参考|指南|公共|通用|服务器|返回|调用|以下|如下|について|に関する|とは|一覧|概要|説明|方法|使い方|利用|対応|処理|および|及び|情報|仕様|共通|どんな(?:時|とき)に?|使いますか|教えてください|何ですか|以下|サーバー?|返され?る|返す|安装|안내|설명|목록|개요|방법|사용|관련|대한|대하여|정보|처리|공통|기본|문서|가이드|하기|란|무엇(?:인가요|입니까)?|및|주요|다음|서버|반환(?:하는|되는)?/g

/** Months as dates name them, in the languages that write them as words. */
export const MONTHS: ReadonlyArray<readonly [Language, ReadonlyArray<string>]> = [
  [
    "de",
    [
      "jan(?:uar|ner)?",
      "feb(?:ruar)?",
      "marz|mrz",
      "apr(?:il)?",
      "mai",
      "juni?",
      "juli?",
      "aug(?:ust)?",
      "sept?(?:ember)?",
      "okt(?:ober)?",
      "nov(?:ember)?",
      "dez(?:ember)?"
    ]
  ],
  [
    "es",
    [
      "ene(?:ro)?",
      "feb(?:rero)?",
      "mar(?:zo)?",
      "abr(?:il)?",
      "may(?:o)?",
      "jun(?:io)?",
      "jul(?:io)?",
      "ago(?:sto)?",
      "sep(?:t|tiembre)?|setiembre",
      "oct(?:ubre)?",
      "nov(?:iembre)?",
      "dic(?:iembre)?"
    ]
  ],
  [
    "fr",
    [
      "janv(?:ier)?",
      "fevr?(?:ier)?",
      "mars",
      "avr(?:il)?",
      "mai",
      "juin",
      "juil(?:let)?",
      "aout",
      "sept(?:embre)?",
      "oct(?:obre)?",
      "nov(?:embre)?",
      "dec(?:embre)?"
    ]
  ],
  [
    "pt",
    [
      "jan(?:eiro)?",
      "fev(?:ereiro)?",
      "mar(?:co)?",
      "abr(?:il)?",
      "maio?",
      "jun(?:ho)?",
      "jul(?:ho)?",
      "ago(?:sto)?",
      "set(?:embro)?",
      "out(?:ubro)?",
      "nov(?:embro)?",
      "dez(?:embro)?"
    ]
  ],
  [
    "ru",
    [
      "янв(?:ар[ьяе])?",
      "февр?(?:ал[ьяе])?",
      "март[ае]?|мар",
      "апр(?:ел[ьяе])?",
      "ма[йяе]",
      "июн[ьяе]?",
      "июл[ьяе]?",
      "авг(?:уст[ае]?)?",
      "сент?(?:ябр[ьяе])?",
      "окт(?:ябр[ьяе])?",
      "ноя(?:бр[ьяе])?",
      "дек(?:абр[ьяе])?"
    ]
  ]
]

/** Finds meanings in texts of some languages; English is not among them. */
export interface Reader {
  readonly languages: ReadonlySet<Language>
  readonly says: (meaning: Meaning, text: string) => boolean
  /** The text, folded, without any words that say it. */
  readonly without: (meaning: Meaning, text: string) => string
}

/** Letters of Latin, Greek and Cyrillic, folded. */
const LETTERS = "a-z\\xDF-\\u04FF"

const WITHOUT_SPACES: ReadonlySet<Language> = new Set(["ja", "ko", "zh"])

/** The source of a pattern that finds a meaning in a language; `null` if the table has no words for it. */
export const patternSource = (meaning: Meaning, language: Language): string | null => {
  const words = wordsFor(meaning, language)
  if (words.length === 0) return null
  const among = words.map((word) => word.replaceAll("~", `[${LETTERS}]*`).replaceAll(" ", "[ -]")).join("|")
  // A Korean word has its particles at its end.
  if (WITHOUT_SPACES.has(language)) return language === "ko" ? `(?:${among})[가-힣]{0,6}` : `(?:${among})`
  return `(?<![${LETTERS}\\d_$@#:./])(?:${among})(?![${LETTERS}\\d_(]|[.:/][${LETTERS}\\d])`
}

const NOTHING: Reader = { languages: new Set(), says: () => false, without: (_, text) => text }

/** A reader of the given languages. */
export const readerIn = (...languages: ReadonlyArray<Language>): Reader => {
  const compiled = new Map<Meaning, RegExp | null>()
  /** One pattern for all languages, compiled when it is first asked for. */
  const patternOf = (meaning: Meaning): RegExp | null => {
    const known = compiled.get(meaning)
    if (known !== undefined) return known
    const sources = languages.flatMap((language) => patternSource(meaning, language) ?? [])
    const pattern = sources.length === 0 ? null : new RegExp(sources.join("|"), "g")
    compiled.set(meaning, pattern)
    return pattern
  }
  return {
    languages: new Set(languages),
    says: (meaning, text) => {
      const pattern = patternOf(meaning)
      return pattern !== null && folded(text).search(pattern) >= 0
    },
    without: (meaning, text) => {
      const pattern = patternOf(meaning)
      return pattern === null ? folded(text) : folded(text).replace(pattern, " ")
    }
  }
}

/** A reader of the languages that some of the texts are in. In English it finds nothing, and costs nothing. */
export const readerOf = (texts: Iterable<WrittenText>): Reader => {
  const languages = new Set<Language>()
  for (const text of texts) for (const language of languagesIn(text)) languages.add(language)
  return languages.size === 0 ? NOTHING : readerIn(...LANGUAGES.filter((language) => languages.has(language)))
}

/** A reader that knows English only. */
export const english: Reader = NOTHING
