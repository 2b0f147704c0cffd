import { describe, expect, test } from "vitest"
import {
  errorsIn as passageIn,
  type ErrorListing,
  isMeaning,
  listingOf
} from "../../../plugins/d-content/ErrorListing.ts"
import type { Language } from "../../../engine/text/languages/Language.ts"
import { english, type Reader, readerIn } from "../../../engine/text/languages/Vocabulary.ts"
import type { Passage } from "../../../plugins/d-content/Topic.ts"
import { cpuMs } from "../../harness/CpuTime.ts"

const passage = (parts: Partial<Passage>): Passage => ({
  text: "",
  sections: [],
  codeBlocks: [],
  tables: [],
  definitions: [],
  ...parts
})
const errorsIn = (one: Passage, own: string): ErrorListing => listingOf([passageIn(one, own, english)], english)
const table = (header: ReadonlyArray<string>, ...rows: ReadonlyArray<ReadonlyArray<string>>) => ({
  caption: "",
  header,
  rows,
  section: 0
})
const code = (text: string) => ({
  text,
  lines: 1,
  language: null,
  label: null,
  section: 0,
  line: null,
  lineByLine: false
})
const section = (heading: string, text: string) => ({ heading, text, level: 3 as const, anchor: null, path: [] })

describe("statuses after what is wrong", () => {
  test("are explained by it", () => {
    const text = [
      "Invalid requests, such as those with an unknown method, will result in 400 Bad Request.",
      "If the token has expired, the API returns a 401.",
      "The server returns 500."
    ].join("\n")
    expect(errorsIn(passage({ text }), "Errors")).toMatchObject({ listed: 2, explained: 2 })
  })
})

describe("statuses in sentences that begin with them", () => {
  test.each([
    [
      "English",
      "If you get an error 501 when you change an order, check the content type.\nA 409 or 422 error means that the body does not fit: correct it.",
      english
    ],
    [
      "English with their names",
      "If the API gives a 415 Unsupported Media Type error, make sure that the body is JSON.\nFor a 404 Not Found error check the id of the order.\nWith a 409 Conflict response, read the order again.",
      english
    ],
    [
      "French",
      "Si vous recevez une erreur 501 en modifiant une commande, vérifiez le type du contenu.\nUne erreur 409 ou 422 indique que le corps est mal formé : vérifiez-le.",
      readerIn("fr")
    ]
  ])("are explained by what follows in %s", (_, text, reader) =>
    expect(listingOf([passageIn(passage({ text }), "Errors", reader)], reader)).toEqual({
      listed: 3,
      explained: 3,
      advice: true
    })
  )

  test("say what to do where the only one does", () =>
    expect(
      errorsIn(
        passage({ text: "If you get a 415 Unsupported Media Type error, make sure that you send JSON." }),
        "Errors"
      )
    ).toEqual({ listed: 1, explained: 1, advice: true }))

  test("are no errors without a word for them", () =>
    expect(
      errorsIn(passage({ text: "In the first week we had 404 orders, and 409 in the second one." }), "Errors").listed
    ).toBe(0))
})

describe("statuses after a word for errors in another language", () => {
  test.each([
    ["a heading in French", "Erreur 423", "fr"],
    ["a heading in German with a colon", "Fehler: 423", "de"],
    ["a heading in Spanish with a longer word", "Código de error 423", "es"],
    ["a heading in Chinese", "错误码423", "zh"],
    ["a heading in Japanese", "エラー（423）", "ja"],
    ["a heading in Korean", "오류 코드 423", "ko"],
    ["a heading in Portuguese", "Erro 423", "pt"],
    ["a heading in Russian", "Ошибка 423", "ru"]
  ] as const)("%s names an error", (_, heading, language) => {
    const reader = readerIn(language)
    const text = "Creating orders is locked after unusual activity."
    const one = passageIn(passage({ text: `${heading}\n${text}`, sections: [section(heading, text)] }), "", reader)
    expect(listingOf([one], reader)).toMatchObject({ listed: 1, explained: 1 })
  })

  test("an item of a list names an error", () => {
    const reader = readerIn("fr")
    const one = passageIn(passage({ text: "- Erreur 423 : la création de commandes est bloquée" }), "", reader)
    expect(listingOf([one], reader)).toMatchObject({ listed: 1, explained: 1 })
  })

  test("another word before a number does not", () => {
    const reader = readerIn("fr")
    const one = passageIn(
      passage({
        text: "",
        sections: [section("Commande 423", "Une commande de plus."), section("Erreur des 423 commandes", "Plus.")]
      }),
      "",
      reader
    )
    expect(listingOf([one], reader)).toMatchObject({ listed: 0 })
  })
})

describe("errors in tables", () => {
  test("rows below a heading of errors are errors, successes are not", () => {
    const errors = errorsIn(
      passage({
        tables: [
          table(
            ["Status", "Meaning"],
            ["200", "All is well with it"],
            ["404", "There is no such order"],
            ["409", "Conflict"]
          )
        ]
      }),
      "Errors"
    )
    expect(errors).toEqual({ listed: 2, explained: 1, advice: false })
  })

  test("a cell may hold several statuses", () => {
    const errors = errorsIn(
      passage({ tables: [table(["Code", "Description"], ["500, 502, 503", "Something went wrong on our side"])] }),
      "Errors"
    )
    expect(errors.listed).toBe(3)
  })

  test("where statuses repeat, the column of codes beside them tells the errors apart", () => {
    const errors = errorsIn(
      passage({
        tables: [
          table(
            ["HTTP code", "Type", "Value", "Meaning"],
            ["403", "oauth", "token_expired", "Renew the token"],
            ["403", "oauth", "token_revoked", "Ask for another one"],
            ["400", "oauth", "app_unknown", "There is no such application"]
          )
        ]
      }),
      "Errors"
    )
    expect(errors).toMatchObject({ listed: 3, explained: 3 })
  })

  test("fields of an error object are no errors", () => {
    const errors = errorsIn(
      passage({
        tables: [
          table(
            ["Field", "Type", "Description"],
            ["error_code", "string", "A short code for machines"],
            ["message", "string", "A text for people"]
          )
        ]
      }),
      "Errors"
    )
    expect(errors.listed).toBe(0)
  })

  test("a column that says what to do is advice", () => {
    const errors = errorsIn(
      passage({ tables: [table(["Error", "Resolution"], ["invalid_input", "Correct the input that you send"])] }),
      "Errors"
    )
    expect(errors.advice).toBe(true)
  })
})

describe("errors in lists and sections", () => {
  test("an item with a code and a text", () => {
    const errors = errorsIn(
      passage({
        text: "`rate_limit_exceeded` – you sent too much, wait a minute\nrequest_id – the number of the request\n404: no such thing here"
      }),
      "Errors"
    )
    expect(errors).toMatchObject({ listed: 2, explained: 2 })
  })

  test("a class on a line of its own is explained by the next", () => {
    const errors = errorsIn(
      passage({ text: "class lib.ReadTimeout(message)\nTimed out while receiving data." }),
      "Exceptions"
    )
    expect(errors).toMatchObject({ listed: 0 + 1, explained: 1 })
  })

  test("a status after a word for it, on a line of its own", () => {
    const errors = errorsIn(
      passage({
        text: "Error: 401 Unauthorized. Sign in before you call.\nHTTP/1.1 404 Not Found\nStatus code: 409 Conflict"
      }),
      "Common errors"
    )
    expect(errors).toMatchObject({ listed: 3, explained: 1 })
  })

  const FIELDS = "failed_rows – the rows that were not stored\nfailures_by_cause – the same by what went wrong"

  test.each<readonly [string, string, string, Reader]>([
    ["a heading", "Properties of the exception", FIELDS, english],
    ["a line before them", "Error handling", `The exception has these attributes:\n${FIELDS}`, english],
    ["a heading in Russian", "Свойства исключения", FIELDS, readerIn("ru")],
    ["a heading in German", "Attribute der Ausnahme", FIELDS, readerIn("de")],
    ["a heading in Chinese", "异常属性", FIELDS, readerIn("zh")],
    ["a line in French", "Exceptions", `L’exception a ces propriétés :\n${FIELDS}`, readerIn("fr")]
  ])("names in a list of fields are no errors: %s", (_, own, text, reader) =>
    expect(listingOf([passageIn(passage({ text }), own, reader)], reader).listed).toBe(0)
  )

  test.each<readonly [string, string, Reader]>([
    ["Invalid parameters", "Invalid parameters", english],
    ["errors after fields", "Fields:\nerror_text – a text for people\nCodes:", english],
    ["Ошибки в параметрах", "", readerIn("ru")],
    ["参数错误", "", readerIn("zh")]
  ])("but those in a list of errors are: %s", (own, before, reader) => {
    const text = `${before}\nrow_missing – a row has no number\namount_invalid – the amount is no number`
    expect(listingOf([passageIn(passage({ text }), own, reader)], reader).listed).toBe(2)
  })

  test("a heading that is a code", () => {
    const errors = errorsIn(
      passage({
        sections: [section("404 Not Found", "The order has been deleted."), section("Overview", "All about it.")]
      }),
      "Errors"
    )
    expect(errors).toMatchObject({ listed: 1, explained: 1 })
  })

  test("a heading with its code on the first line below it", () => {
    const errors = errorsIn(
      passage({
        sections: [
          section("Unknown channel", 'Code: 102\nMessage: "unknown channel"\nThere is no such channel.'),
          section("Expired", 'Code: 110 Message: "expired"\nThe connection is too old.')
        ]
      }),
      "Error codes"
    )
    expect(errors).toMatchObject({ listed: 2, explained: 2 })
  })

  test("a heading that names the answer to a call", () => {
    const errors = errorsIn(
      passage({
        sections: [
          section("Response (404 Not Found)", "When there is no such order."),
          section("Response (200 OK)", "The order itself.")
        ]
      }),
      "Orders"
    )
    expect(errors).toMatchObject({ listed: 1, explained: 1 })
  })

  test("the page of one exception", () => {
    expect(
      errorsIn(passage({ text: "Raised when the server cannot be reached." }), "Exception: Acme::Unreachable")
    ).toMatchObject({ listed: 1, explained: 1 })
  })

  test("what a sample catches is named, and catching it is handling", () => {
    expect(
      errorsIn(passage({ codeBlocks: [code("try:\n  run()\nexcept AcmeError as e:\n  print(e)")] }), "Error handling")
    ).toEqual({ listed: 1, explained: 0, advice: true })
  })

  test("numbers and words of running text are none", () => {
    expect(
      errorsIn(passage({ text: "We had 404 visitors and 429 of them came back. Error prone work is hard." }), "Errors")
        .listed
    ).toBe(0)
  })
})

test.each([
  ["Not Found", "404", false],
  ["Unauthorized: your key is wrong", "401", true],
  ["", "x", false],
  ["Forbidden - no", "403", false]
])("a meaning is more than the code's name: %s", (text, name, expected) =>
  expect(isMeaning(text, name, english)).toBe(expected)
)

test.each<readonly [Language, string, boolean]>([
  ["de", "Die Bestellung wurde storniert", true],
  ["de", "Interner Serverfehler", false],
  ["fr", "Requête incorrecte", false],
  ["ja", "パラメータ不正", true],
  ["ja", "サーバ内部エラー", false],
  ["ko", "주문이 없음", true],
  ["ko", "잘못된 요청", false],
  ["ru", "Заказ уже отменён", true],
  ["ru", "Не найдено", false],
  ["zh", "签名无效", true],
  ["zh", "未找到", false],
  ["es", "No encontrado", false],
  ["pt", "Requisição inválida", false]
])("a meaning in another language says as much as two words: %s, %s", (language, text, expected) =>
  expect(isMeaning(text, "400", readerIn(language))).toBe(expected)
)

test("a hostile text takes no time", () => {
  const started = cpuMs()
  errorsIn(
    passage({
      text: `${"A_".repeat(200_000)}\n${"a ( ".repeat(100_000)}`,
      codeBlocks: [code("catch ".repeat(20_000))]
    }),
    "E_".repeat(10_000)
  )
  expect(cpuMs() - started).toBeLessThan(1_000)
})
