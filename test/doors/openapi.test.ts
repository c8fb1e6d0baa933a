import SwaggerParser from "@apidevtools/swagger-parser";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { openapiOf } from "../../api/openapi.ts";
import { routes } from "../../api/routes.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test("the OpenAPI document is valid for version 3.1 and is served without a key", async () => {
  const response = await fetch(`${world.baseUrl}/api/v1/openapi.json`);
  const document = JSON.parse(await response.text());
  expect(document.openapi).toBe("3.1.0");
  await SwaggerParser.validate(document);
});

test("the reference loads nothing from another server, and only the files of the reference are served under its address", async () => {
  const page = await fetch(`${world.baseUrl}/api/v1/reference/`);
  const html = await page.text();
  expect(page.headers.get("content-security-policy")).toMatch(/default-src 'self'/);
  const parts = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  expect(parts).toHaveLength(3);
  for (const part of parts) {
    const response = await fetch(new URL(part, page.url));
    expect([part, response.status, response.headers.get("content-type")]).toEqual([
      part,
      200,
      expect.stringMatching(/^text\/(css|javascript)/),
    ]);
  }
  expect(await (await fetch(new URL("swagger-ui-bundle.js", page.url))).text()).toContain("SwaggerUIBundle");
  for (const other of ["index.html", "package.json", "../../../package.json"]) {
    expect((await fetch(new URL(other, page.url))).ok).toBe(false);
  }
});

test("the document describes every route with its scope, its success status and its refusals", () => {
  const document: unknown = openapiOf(routes, "https://a.test");
  for (const [method, path, operation, status = 200] of routes) {
    const template = path.replaceAll(/:([A-Za-z]+)/g, "{$1}");
    const isScoped = "actions" in operation || operation.scope !== null;
    const responses = [String(status), "400", "401", ...(isScoped ? ["403"] : []), "429", "503"];
    expect(document).toHaveProperty(["paths", template, method, "x-scopes"]);
    for (const code of responses) expect(document).toHaveProperty(["paths", template, method, "responses", code]);
  }
});

test("path parameters are described as such, and without a body the plan parameters are described in the query", () => {
  const document = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));
  const { parameters, requestBody } = document.paths["/block-list/{entryId}"].delete;
  const named = parameters.map((one: { in: string; name: string }) => [one.in, one.name]);
  expect(named).toEqual([
    ["path", "entryId"],
    ["query", "planOnly"],
    ["query", "planToken"],
    ["header", "Idempotency-Key"],
  ]);
  expect(requestBody).toBeUndefined();
});

test("an upload is described as a form with a binary file, without error codes of JSON bodies", () => {
  const document = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));
  const { requestBody, responses } = document.paths["/leads/import/file"].post;
  expect(Object.keys(requestBody.content)).toEqual(["multipart/form-data"]);
  expect(requestBody).toMatchObject({
    required: true,
    content: {
      "multipart/form-data": {
        schema: {
          required: ["file", "action"],
          properties: {
            file: { type: "string", format: "binary" },
            fieldMapping: { type: "object" },
            action: { enum: ["dryRun", "commit"] },
          },
        },
      },
    },
  });
  const codes = Object.values(responses).flatMap((one) => (one as { "x-codes"?: string[] })["x-codes"] ?? []);
  expect(codes).toEqual(expect.arrayContaining(["PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE"]));
  expect(codes).not.toContain("MALFORMED_JSON");
});

test("an endpoint with several actions has one request schema for each action", () => {
  const document = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));
  const { oneOf } = document.paths["/lead-lists/manage"].post.requestBody.content["application/json"].schema;
  expect(oneOf).toHaveLength(4);
  for (const { $ref } of oneOf) {
    const form = document.components.schemas[$ref.split("/").at(-1)];
    expect(form).toMatchObject({
      properties: { action: { const: expect.any(String) } },
      required: expect.arrayContaining(["action"]),
    });
  }
});

test("every file of the reference comes from this server", async () => {
  const page = await fetch(`${world.baseUrl}/api/v1/reference`);
  expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'self'");
  const files = [...(await page.text()).matchAll(/(?:src|href)="([^"]+)"/g)].map(
    ([, file = ""]) => new URL(file, page.url),
  );
  expect(files.length).toBeGreaterThan(2);
  for (const file of files) expect((await fetch(file)).status).toBe(200);
});
