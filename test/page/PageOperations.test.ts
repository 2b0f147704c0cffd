import { expect, it } from "vitest"
import { shownOperations } from "../../engine/page/PageOperations.ts"

it.each<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]>([
  ["the block after a label", ["Endpoint", "/v1/notes", "Lists notes."], [" /v1/notes"]],
  [
    "the block after a label with a colon",
    ["Endpoint:", "https://api.example.com/v1/notes"],
    [" https://api.example.com/v1/notes"]
  ],
  ["the block after a label in another language", ["终结点：", "/new_order"], [" /new_order"]],
  ["one block with a label", ["Endpoint: /v1/notes"], [" /v1/notes"]],
  ["a method in the block after a label, once", ["Endpoint", "GET /v1/notes"], ["GET /v1/notes"]],
  ["whole with parameters in angle brackets", ["Use GET /notes/<note id>/tags here."], ["GET /notes/<note id>/tags"]],
  ["the path after a label with its method", ["Method: POST", "/v1/{notes}"], ["POST /v1/{notes}"]],
  [
    "the path before a label with its method, and another label",
    ["/v1/notes", "O caminho acima é relativo.", "Tipo: POST Body (JSON):"],
    ["POST /v1/notes"]
  ],
  [
    "the path that a heading is, with the methods below it",
    ["/notes", "获取笔记", "请求方法：GET / WS", "更新笔记", "请求方法：PATCH", "Fin"],
    ["GET /notes", "PATCH /notes"]
  ],
  ["no path of long ago", ["/etc/notes", "a", "b", "c", "d", "e", "f", "Method: GET"], []],
  ["nothing of a sentence about methods", ["/notes", "Allowed are two methods: GET and POST are fine."], []],
  ["nothing after another label", ["Folder", "/usr/notes"], []],
  ["nothing where a block lies between", ["Endpoint", "The path is:", "/v1/notes"], []]
])("an endpoint is %s", (_, blocks, expected) =>
  expect(shownOperations(blocks).map(({ method, path }) => `${method} ${path}`)).toEqual(expected)
)
