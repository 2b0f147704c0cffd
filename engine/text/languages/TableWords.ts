import type { Words } from "./Language.ts"

/** What a table of parameters or changes says. */
export const ON_TABLES = {
  /** The heading of a column of names, which may be those of parameters. */
  nameColumn: {
    de: ["namen?", "bezeichnung"],
    es: ["nombres?"],
    fr: ["noms?"],
    ja: ["名前", "名称", "項目(?:名)?"],
    ko: ["이름", "명칭", "항목(?:명)?"],
    pt: ["nomes?"],
    ru: ["имя", "название", "наименование"],
    zh: ["名称", "名字", "名"]
  },
  /** The heading of a column that says whether something must be given; in a cell: it must. */
  requiredColumn: {
    de: ["pflicht(?:feld|parameter|angabe)?", "erforderlich", "obligatorisch", "notwendig"],
    es: ["obligatori[oa]s?", "requerid[oa]s?"],
    fr: ["obligatoires?", "requise?s?"],
    ja: ["必須(?:項目)?", "必要"],
    ko: ["필수(?: ?여부)?"],
    pt: ["obrigatori[oa]s?", "requerid[oa]s?", "obrigatoriedade"],
    ru: ["обязател~"],
    zh: ["(?:是否)?(?:必选|必填|必须|必需|必传|必要)"]
  },
  /** The heading of a column of what holds if nothing is given. */
  defaultColumn: {
    de: ["standard(?:wert)?", "vorgabe(?:wert)?", "voreinstellung"],
    es: ["(?:valor )?(?:por )?defecto", "predeterminad[oa]"],
    fr: ["(?:valeur )?(?:par )?defaut"],
    ja: ["(?:デフォルト|既定|初期)(?:値)?"],
    ko: ["기본(?: ?값)?"],
    pt: ["(?:valor )?padrao", "predefinid[oa]"],
    ru: ["(?:значение )?по умолчанию"],
    zh: ["(?:默认|預設|默認)(?:值)?"]
  },
  /** The heading of a column of types. */
  typeColumn: {
    de: ["typ", "datentyp"],
    es: ["tipos?(?: de datos?)?"],
    fr: ["types?(?: de donnees?)?"],
    ja: ["(?:データ)?型", "タイプ"],
    ko: ["타입", "유형", "자료형", "형식"],
    pt: ["tipos?(?: de dados?)?"],
    ru: ["тип(?: данных)?"],
    zh: ["(?:数据)?类型", "類型"]
  },
  /** Yes, as a cell says it. */
  affirmed: {
    de: ["ja"],
    es: ["si"],
    fr: ["oui"],
    ja: ["はい", "○", "◯"],
    ko: ["예"],
    pt: ["sim"],
    ru: ["да"],
    zh: ["是"]
  },
  /** No, or not needed, as a cell says it. */
  denied: {
    de: ["nein", "optional"],
    es: ["no", "opcional"],
    fr: ["non", "facultatif", "facultative", "optionnelle?"],
    ja: ["いいえ", "任意", "省略可能?", "×"],
    ko: ["아니[오요]", "선택", "옵션"],
    pt: ["nao", "opcional"],
    ru: ["нет", "необязател~", "опционал~"],
    zh: ["否", "可选", "选填", "非必[填须需选]"]
  },
  /** What follows is what an API answers. */
  aboutAnswers: {
    de: ["antwort~", "ruckgabe~", "ergebnis~"],
    es: ["respuestas?", "resultados?", "devuelve", "retorno"],
    fr: ["reponses?", "resultats?", "retour(?:s|ne)?", "renvoie"],
    ja: ["レスポンス", "応答", "戻り値", "返り値", "出力", "結果"],
    ko: ["응답", "반환", "결과"],
    pt: ["respostas?", "resultados?", "retorn[oa]s?"],
    ru: ["ответ~", "результат~", "возвраща~"],
    zh: ["响应", "返回", "应答", "出参", "结果"]
  },
  /** What follows is what a caller sends. */
  aboutRequests: {
    de: ["~parameter", "anfrage~", "argument~"],
    es: ["parametros?", "peticion", "solicitud", "argumentos?"],
    fr: ["parametres?", "requete", "arguments?"],
    ja: ["パラメータ", "リクエスト", "引数", "入力"],
    ko: ["파라미터", "매개 ?변수", "요청"],
    pt: ["parametros?", "requisicao", "argumentos?"],
    ru: ["параметр~", "запрос~", "аргумент~"],
    zh: ["参数", "请求", "入参"]
  },
  /** The heading of a column of dates. */
  dateColumn: {
    de: ["datum", "veroffentlicht(?: am)?", "erschienen(?: am)?"],
    es: ["fecha(?: de (?:publicacion|lanzamiento))?"],
    fr: ["date(?: de (?:publication|sortie))?", "publiee? le"],
    ja: ["日付", "(?:更新|公開|リリース|改訂|変更)日"],
    ko: ["날짜", "일자", "(?:배포|변경|업데이트|수정) ?일"],
    pt: ["data(?: de (?:publicacao|lancamento))?"],
    ru: ["дата(?: (?:выпуска|релиза|публикации|изменения))?"],
    zh: ["日期", "时间", "(?:发布|更新|变更)(?:日期|时间)"]
  }
} satisfies Readonly<Record<string, Words>>
