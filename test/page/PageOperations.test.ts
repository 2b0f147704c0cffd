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
  ["nothing after another label", ["Folder", "/usr/notes"], []],
  ["nothing where a block lies between", ["Endpoint", "The path is:", "/v1/notes"], []]
])("an endpoint is %s", (_, blocks, expected) =>
  expect(shownOperations(blocks).map(({ method, path }) => `${method} ${path}`)).toEqual(expected)
)
