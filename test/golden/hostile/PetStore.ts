const pet = {
  type: "object",
  properties: { id: { type: "integer" }, name: { type: "string" }, tag: { type: "string" } }
}

const answers = { "200": { description: "ok", content: { "application/json": { schema: pet } } } }

/** The description that every generator ships as its example, left on a site that sells something else. */
export const petStore = {
  openapi: "3.0.3",
  info: { title: "Swagger Petstore", version: "1.0.0" },
  servers: [{ url: "https://petstore.swagger.io/v1" }],
  paths: {
    "/pets": {
      get: { operationId: "listPets", responses: answers },
      post: { operationId: "createPets", responses: answers }
    },
    "/pets/{petId}": {
      get: {
        operationId: "showPetById",
        parameters: [{ name: "petId", in: "path", required: true, schema: { type: "string" } }],
        responses: answers
      }
    }
  }
}
