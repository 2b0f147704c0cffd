import type { Words } from "./Language.ts"

/** What a text says about events, setting up, and what holds beside the signature of a call. */
export const ON_BEHAVIOUR = {
  /** Words of a text on events that are delivered to programs, not to people. */
  toPrograms: {
    de: ["endpunkt~", "ruckruf~", "nutzdaten"],
    es: ["puntos? (?:de (?:enlace|acceso)|final)", "carga util"],
    fr: ["points? (?:d'acces|de terminaison)", "charge utile"],
    ja: ["エンドポイント", "コールバック", "ペイロード", "購読"],
    ko: ["엔드포인트", "콜백", "페이로드", "구독"],
    pt: ["pontos? (?:de (?:acesso|extremidade)|final)", "carga util"],
    ru: ["эндпо[ий]нт~", "колб[эе]к~", "обратн~ вызов~", "подписк~"],
    zh: ["回调", "端点", "推送", "订阅"]
  },
  aboutEvents: {
    de: ["send~", "gesendet", "empfang~", "abonn~", "signatur~", "ubertrag~", "nutzdaten", "zustell~", "zugestellt"],
    es: ["envi~", "recib~", "firma~", "suscri~", "notific~"],
    fr: ["envo~", "recoi~", "recev~", "signature~", "abonn~", "notifi~"],
    ja: ["送信", "受信", "署名", "購読", "通知", "接続", "配信"],
    ko: ["전송", "수신", "서명", "구독", "알림", "연결", "발송"],
    pt: ["envi~", "receb~", "assinatur~", "assin(?:ar|e)", "notific~"],
    ru: ["отправ~", "получ~", "подпис~", "уведом~", "доставк~", "событи~"],
    zh: ["推送", "接收", "发送", "签名", "订阅", "通知", "连接"]
  },
  aboutSandbox: {
    de: ["test~", "produktiv~", "produktion~", "echte?n?"],
    es: ["pruebas?", "produccion", "reales"],
    fr: ["test~", "production", "reelle?s?", "fictif~"],
    ja: ["テスト", "本番", "検証", "実際", "動作確認"],
    ko: ["테스트", "운영", "실제", "상용", "검증"],
    pt: ["testes?", "producao", "homologacao", "reais"],
    ru: ["тест~", "боев~", "продакшн~", "реальн~", "рабоч~"],
    zh: ["[测測][试試]", "生产", "真实", "正式", "模拟"]
  },
  /** Headings of what is read by those who install, run, change or buy the product. */
  setUp: {
    de: [
      "installation~",
      "installieren",
      "einrichtung",
      "konfiguration~",
      "konfigurieren",
      "voraussetzungen",
      "systemanforderungen",
      "bereitstellung",
      "aktualisierung",
      "migration",
      "versionshinweise",
      "preise",
      "datenschutz~",
      "impressum"
    ],
    es: [
      "instal~",
      "configur~",
      "requisitos",
      "despliegue",
      "actualizacion(?:es)?",
      "migracion",
      "novedades",
      "precios",
      "privacidad"
    ],
    fr: [
      "install~",
      "configur~",
      "prerequis",
      "deploiement",
      "mise a (?:jour|niveau)",
      "migration",
      "notes de version",
      "tarifs?",
      "confidentialite",
      "mentions legales"
    ],
    ja: [
      "インストール",
      "セットアップ",
      "環境構築",
      "前提条件",
      "動作環境",
      "デプロイ",
      "アップグレード",
      "移行",
      "リリースノート",
      "料金",
      "プライバシー"
    ],
    ko: [
      "설치",
      "환경 ?설정",
      "사전 ?준비",
      "배포",
      "업그레이드",
      "마이그레이션",
      "릴리스 ?노트",
      "요금",
      "개인 ?정보"
    ],
    pt: [
      "instal~",
      "configur~",
      "requisitos",
      "implantacao",
      "atualizacao",
      "migracao",
      "notas de versao",
      "precos",
      "privacidade"
    ],
    ru: [
      "установк~",
      "настройк~",
      "конфигураци~",
      "требовани~",
      "развертывани~",
      "обновлени~",
      "миграци~",
      "цены",
      "тариф~",
      "конфиденциальност~"
    ],
    zh: ["安装", "部署", "环境(?:准备|搭建|配置)", "前置条件", "升级", "迁移", "发布说明", "更新日志", "价格", "隐私"]
  },
  /** One call must come before another, or something must be there already. */
  callOrder: {
    de: [
      "(?:muss|mussen)[^.\\n]{0,80}(?:zuerst|zunachst|vorher|zuvor|bereits (?:existieren|vorhanden|angelegt))",
      "(?:bevor|ehe)[^.\\n]{0,80}(?:muss|mussen)",
      "(?:muss|mussen)[^.\\n]{0,80},? (?:bevor|ehe)",
      "erst (?:nach|nachdem|wenn)[^.\\n]{0,80}(?:kann|konnen|darf|moglich)",
      "in (?:dieser|folgender|der folgenden) reihenfolge",
      "(?:setzt|setzen) voraus"
    ],
    es: [
      "(?:debe|deben|debes|hay que|es necesario)[^.\\n]{0,60}(?:antes de|primero|previamente)",
      "antes de[^.\\n]{1,60}(?:debe|deben|debes|hay que|es necesario)",
      "primero (?:debe|deben|debes|hay que|se debe)",
      "(?:solo|unicamente)[^.\\n]{0,40}(?:despues de|una vez)",
      "en (?:este|el siguiente) orden",
      "requiere (?:que )?[^.\\n]{0,40}previamente"
    ],
    fr: [
      "(?:doit|doivent|devez|il faut)[^.\\n]{0,60}(?:avant (?:de|d'~|que|tout)|d'abord|au prealable|prealablement)",
      "avant (?:de|d'~|que)[^.\\n]{1,60}(?:doit|doivent|devez|il faut)",
      "(?:seulement|uniquement|qu')[^.\\n]{0,20}(?:apres|une fois)",
      "dans (?:cet|l') ?ordre(?: suivant)?",
      "necessite (?:que|d'avoir)[^.\\n]{0,40} (?:au prealable|prealablement)"
    ],
    ja: [
      "(?:する|呼び出す|実行する|送信する|作成する|利用する)前に[^。\\n]{0,60}(?:必要|ください|なければ)",
      "事前に[^。\\n]{0,40}(?:必要|ください|なければ|おく)",
      "(?:した|取得した|作成した|完了した)後(?:に|で)(?:のみ|しか|だけ)",
      "(?:次|以下|この)の?順(?:序|番|)で",
      "先に[^。\\n]{0,40}(?:必要|ください|なければ)"
    ],
    ko: [
      "(?:하기|호출|요청|사용|생성) ?전에[^.\\n]{0,60}(?:야|필요|하세요|하십시오)",
      "(?:먼저|사전에|미리)[^.\\n]{0,60}(?:야|필요|하세요|하십시오)",
      "(?:한|된|완료) ?(?:후|이후|뒤)에만",
      "(?:다음|아래) ?순서(?:로|대로)"
    ],
    pt: [
      "(?:deve|devem|e preciso|e necessario|precisa)[^.\\n]{0,60}(?:antes d[eo]|primeiro|previamente)",
      "antes d[eo][^.\\n]{1,60}(?:deve|devem|e preciso|e necessario|precisa)",
      "primeiro (?:deve|e preciso|e necessario|crie|obtenha)",
      "(?:somente|apenas|so)[^.\\n]{0,40}(?:apos|depois)",
      "n(?:esta|a seguinte) ordem"
    ],
    ru: [
      "(?:нужно|необходимо|следует|должен|должна|должно|должны|надо)[^.\\n]{0,60}(?:прежде чем|перед тем|до того|предварительно|сначала)",
      "(?:прежде чем|перед тем как|сначала|предварительно)[^.\\n]{1,60}(?:нужно|необходимо|следует|должен|должна|должно|должны|надо)",
      "только после",
      "в (?:следующем|таком|этом|указанном) порядке"
    ],
    zh: [
      "(?:调用|请求|使用|下单|提交|创建)(?:[^。\\n]{0,20})(?:之前|前)[^。\\n]{0,6}(?:需|须|必须|应|请(?!求))",
      "(?:必须|需要|须|需|请)(?:首)?先[^。\\n]{0,60}(?:再|才|然后|之后|后)",
      "(?:必须|需要|须|请)(?:首)?先(?:调用|创建|获取|申请|订阅|登录|授权|开通|绑定)",
      "(?:成功|完成|通过|创建)(?:之)?后(?:才|方)",
      "按(?:照)?(?:以下|如下|此|下列)(?:的)?(?:顺序|步骤)调用"
    ]
  },
  /** What holds if something is left out. */
  leftOut: {
    de: [
      "standard(?:massig|wert~|einstellung)",
      "voreingestellt",
      "vorgabewert~",
      "default(?:wert)?",
      "(?:wenn|falls|wird)[^.\\n]{0,60}(?:weggelassen|nicht (?:angegeben|gesetzt|ubergeben))",
      "ohne angabe"
    ],
    es: ["por defecto", "por omision", "predeterminad[oa]s?", "si (?:no )?se (?:omite|especifica|indica|envia)"],
    fr: [
      "par defaut",
      "si (?:elle|il|ce|le|la|l')[^.\\n]{0,40}(?:omise?|absente?|(?:n'est )?pas (?:fournie?|specifiee?|indiquee?|renseignee?))"
    ],
    ja: [
      "デフォルト",
      "既定値?",
      "初期値",
      "省略(?:時|した場合|すると|された場合)",
      "指定(?:しない|がない|されない)場合",
      "未指定"
    ],
    ko: [
      "기본 ?값",
      "기본적으로",
      "디폴트",
      "생략(?:하면|시|할 ?경우|된 ?경우)",
      "(?:지정|입력|설정)하지 ?않(?:으면|을)",
      "미(?:입력|지정|설정)"
    ],
    pt: [
      "por padrao",
      "valor padrao",
      "por omissao",
      "se (?:nao (?:for|forem|seja) (?:informad|especificad|enviad|preenchid)|omitid)~"
    ],
    ru: [
      "по умолчанию",
      "(?:если|когда)[^.\\n]{0,40}не (?:указ|передан|задан|заполн)~",
      "при отсутствии (?:параметр|пол|значени)~"
    ],
    zh: [
      "默认(?:值|为|是|返回|使用|按)?",
      "缺省",
      "預設",
      "不(?:填|传|指定|设置)(?:则|时|,)",
      "若(?:未|不)(?:填|传|指定)",
      "如(?:果)?(?:未|不)(?:填|传|指定)"
    ]
  },
  /** Something fails or changes, and no error says so. */
  silentEffect: {
    de: [
      "stillschweigend~",
      "(?:wird|werden) (?:[a-z]{1,20} ){0,2}(?:ignoriert|verworfen|abgeschnitten|gekurzt|gerundet|uberschrieben)",
      "(?:kann|konnen) (?:[a-z]{1,20} ){0,4}(?:sekunden|minuten|stunden) dauern",
      "nicht (?:gepruft|validiert|garantiert)",
      "ohne fehler(?:meldung)?",
      "kein(?:en)? fehler",
      "letztlich konsistent",
      "auch wenn[^.\\n]{0,60}200"
    ],
    es: [
      "silenciosamente",
      "se (?:ignor|descart|trunc|redonde|sobrescrib)~",
      "(?:es|son|sera|seran) (?:ignorad|descartad|truncad)[oa]s?",
      "(?:puede|pueden) (?:tardar|demorar)",
      "no se (?:valid|verific|comprueb|garantiz)~",
      "sin (?:devolver |generar |mostrar )?(?:ningun )?error",
      "eventualmente consistente",
      "aunque[^.\\n]{0,60}200"
    ],
    fr: [
      "silencieusement",
      "(?:est|sont|sera|seront) (?:alors |simplement )?(?:ignore|tronque|arrondi|ecrase)(?:e|s|es)?",
      "(?:peut|peuvent) prendre (?:[a-z']{1,20} ){0,3}(?:secondes|minutes|heures|temps)",
      "(?:n'est|ne sont|n'est|ne sera) pas (?:valide|verifie|controle|garanti)~",
      "sans (?:renvoyer |retourner |lever )?(?:d'|une |aucune )?erreur",
      "coherence a terme",
      "meme si[^.\\n]{0,60}200"
    ],
    ja: [
      "無視され(?:ます|る)",
      "切り(?:捨て|詰め)られ(?:ます|る)",
      "丸められ(?:ます|る)",
      "上書きされ(?:ます|る)",
      "反映(?:される)?(?:まで|に)[^。\\n]{0,20}(?:かかる|かかり|要)",
      "エラー(?:に|と)は?なりません",
      "エラーは(?:返|発生)[^。\\n]{0,6}ません",
      "(?:検証|チェック|保証)(?:さ|し)れ?(?:ません|ない)",
      "結果整合"
    ],
    ko: [
      "무시(?:됩니다|된다|되며|됨)",
      "(?:잘립니다|잘려|절삭|절사)",
      "반올림(?:됩니다|된다|되며)",
      "덮어(?:씁니다|쓰)",
      "반영(?:되기)?까지[^.\\n]{0,20}(?:걸|소요)",
      "(?:오류|에러)(?:가|를) (?:발생하지|반환하지) 않",
      "(?:검증|확인|보장)(?:하지|되지) 않"
    ],
    pt: [
      "silenciosamente",
      "(?:e|sao|sera|serao) (?:ignorad|descartad|truncad|arredondad|sobrescrit)[oa]s?",
      "(?:pode|podem) (?:levar|demorar)",
      "nao (?:e|sao|sera|serao) (?:validad|verificad|garantid)[oa]s?",
      "sem (?:retornar |gerar |nenhum )?erro",
      "eventualmente consistente",
      "mesmo (?:que|se)[^.\\n]{0,60}200"
    ],
    ru: [
      "игнориру(?:ется|ются)",
      "(?:будет|будут) (?:проигнорирован|отброшен|обрезан|округлен|перезаписан)~",
      "(?:обрезает|обрезают|отбрасывает|отбрасывают|округляет|округляют|перезаписывает|перезаписывают)ся",
      "(?:может|могут) занять",
      "не (?:провер|валидиру|гарантиру)~",
      "без (?:возврата |сообщения об )?ошиб(?:ки|ке)",
      "ошибк(?:а|и) не (?:возвраща|генериру)~",
      "даже если[^.\\n]{0,60}200"
    ],
    zh: [
      "(?:会被|将被|被)(?:忽略|截断|丢弃|舍弃|覆盖|四舍五入)",
      "(?:自动|直接)(?:忽略|截断|丢弃|覆盖)",
      "忽略(?:该|此)(?:参数|字段|值)",
      "不(?:会|做)?(?:校验|验证|保证)",
      "不(?:会)?(?:报错|返回错误)",
      "(?:可能|最多|会)(?:有|存在)[^。\\n]{0,10}延迟",
      "最终一致",
      "即使[^。\\n]{0,40}(?:也|仍)(?:会)?(?:返回|成功)"
    ]
  }
} satisfies Readonly<Record<string, Words>>
