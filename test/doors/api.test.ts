import { get } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { VERSION } from "../../api/version.ts";
import { AppError } from "../../domain/errors.ts";
import { choice } from "../../operations/choice.ts";
import type { Route } from "../../operations/declaration.ts";
import { freeForm } from "../../operations/fields.ts";
import { operation } from "../../operations/operation.ts";
import { uploadField } from "../../operations/upload.ts";
import { until } from "../fakes/wait.ts";
import { restOf } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const echo = operation({
  summary: "Answer what came in",
  scope: "leads:write",
  input: z.strictObject({
    id: z.string(),
    text: z.string().optional(),
    n: z.number().optional(),
    list: z.array(z.unknown()).optional(),
    free: freeForm.optional(),
  }),
  output: z.unknown(),
  run: async (_ctx, input) => input,
});
const listed = operation({
  summary: "Answer the query",
  scope: "leads:read",
  input: z.strictObject({ search: z.string().optional(), page: z.coerce.number().int().min(1).default(1) }),
  output: z.unknown(),
  run: async (_ctx, input) => input,
});
const crash = operation({
  summary: "Fail like a library",
  scope: "leads:read",
  input: z.strictObject({ search: z.string().optional() }),
  output: z.unknown(),
  run: async () => {
    throw new Error("secret of a library");
  },
});
const gone = operation({
  summary: "Refuse",
  scope: "leads:write",
  input: z.strictObject({}),
  output: z.unknown(),
  run: async () => {
    throw new AppError("LEAD_NOT_FOUND", "There is no such lead");
  },
});
const both = choice("leads:read", "Two verbs", {
  look: operation({ ...listed, scope: "leads:read" }),
  change: operation({ ...echo, scope: "leads:write" }),
});
const routes: Route[] = [
  [
    "get",
    "/whoami",
    operation({
      summary: "",
      scope: null,
      input: z.strictObject({}),
      output: z.unknown(),
      run: async ({ workspaceId }) => ({ workspaceId }),
    }),
  ],
  ["post", "/things/:id", echo, 201],
  ["get", "/things", listed],
  ["get", "/things/crash", crash],
  ["post", "/gone", gone],
  ["post", "/both", both],
  ["post", "/imports/:id", echo, 200, { isImport: true }],
  ["patch", "/settings/:id", echo, 200, { whole: "free" }],
];

const taken = { bytes: 0, discarded: 0, failed: 0, runs: 0 };
const MOST = 100_000;
const upload = operation({
  summary: "Take a file",
  scope: "leads:write",
  file: {
    maxBytes: MOST,
    async receive(_ctx, { name, bytes }) {
      taken.bytes = 0;
      const discard = async () => void taken.discarded++;
      try {
        for await (const part of bytes) taken.bytes += part.length;
      } catch (error) {
        taken.failed++;
        throw error;
      }
      if (name === "refused.csv") throw new AppError("SHEET_UNREADABLE", "The verb does not like it");
      return { content: name, discard };
    },
  },
  input: z.strictObject({ id: z.string(), file: uploadField<string>(), note: z.string().optional() }),
  output: z.unknown(),
  run: async (_ctx, { file, ...rest }) => {
    taken.runs++;
    return { ...rest, name: file.content, size: file.size };
  },
});
routes.push(["post", "/uploads/:id", upload]);

let world: World;
const lines: string[] = [];
beforeAll(async () => {
  world = await startWorld({ routes, onLog: (line) => lines.push(line) });
});
afterAll(() => world.close());

const anonymous = () => restOf(`${world.baseUrl}/api/v1`, null);

describe("credentials and scopes", () => {
  test("missing, malformed, unknown and wrong credentials get the same 401", async () => {
    const { key } = await world.workspace();
    const bodies = [];
    for (const header of [
      undefined,
      "Bearer x",
      `Bearer ${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`,
      `Basic ${key}`,
      `Bearer ${key} ${key}`,
      "Bearer ",
    ]) {
      const { status, body, headers } = await anonymous().get(
        "/whoami",
        header === undefined ? {} : { Authorization: header },
      );
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toBe("Bearer");
      bodies.push({ ...body, traceId: "" });
    }
    expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    expect(bodies[0]).toMatchObject({ code: "UNAUTHENTICATED" });
  });

  test("a key in the query string is not accepted", async () => {
    const { key } = await world.workspace();
    expect(await anonymous().get(`/whoami?key=${key}&access_token=${key}`)).toMatchObject({ status: 401 });
  });

  test("an unknown path and a wrong method get 401 without a key, and 404 and 405 with a key", async () => {
    const { rest } = await world.workspace();
    expect(await anonymous().get("/nothing")).toMatchObject({ status: 401 });
    expect(await rest.get("/nothing")).toMatchObject({ status: 404, body: { code: "ROUTE_NOT_FOUND" } });
    const refused = await rest.delete("/things");
    expect(refused).toMatchObject({ status: 405, body: { code: "METHOD_NOT_ALLOWED" } });
    expect(refused.headers.get("allow")).toBe("GET, HEAD");
  });

  test("a missing scope is refused before the body is read, whatever the body contains", async () => {
    const { rest } = await world.workspace("leads:read");
    const refused = { status: 403, body: { code: "INSUFFICIENT_SCOPE", details: { requiredScope: "leads:write" } } };
    expect(await rest.post("/things/1", "{not json")).toMatchObject(refused);
    expect(await rest.post("/things/1", "x".repeat(2_000_000))).toMatchObject(refused);
    expect(await rest.post("/both", { action: "change" })).toMatchObject(refused);
    expect(await rest.post("/both", { action: "look" })).toMatchObject({ status: 200 });
  });

  test("an endpoint with several actions answers 403 to a credential without a scope for any of them, even when the request names no action", async () => {
    const { rest } = await world.workspace("webhooks:read");
    expect(await rest.post("/both", {})).toMatchObject({ status: 403 });
    const { rest: reader } = await world.workspace("leads:read");
    expect(await reader.post("/both", {})).toMatchObject({
      status: 400,
      body: { details: { issues: [{ path: "action", code: "REQUIRED" }] } },
    });
  });
});

describe("requests", () => {
  const issue = (path: string, code: string) => ({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path, code }] } },
  });

  test("text that is not JSON in UTF-8 is MALFORMED_JSON", async () => {
    const { rest } = await world.workspace();
    for (const body of ["{", "{'a':1}", '{"a":1} x', new Uint8Array([0x22, 0xff, 0x22])]) {
      expect(await rest.post("/things/1", body)).toMatchObject({
        status: 400,
        body: { code: "MALFORMED_JSON", traceId: expect.any(String) },
      });
    }
  });

  test("a query parameter is refused where a body is expected", async () => {
    const { rest } = await world.workspace();
    expect(await rest.post("/things/1?listId=lst_1", { text: "a" })).toMatchObject(issue("listId", "UNKNOWN_FIELD"));
    expect(await rest.post("/things/1?text=a", { text: "a" })).toMatchObject(issue("text", "UNKNOWN_FIELD"));
  });

  test("unknown fields, wrong types and path parameters in the body are refused with the path of the field", async () => {
    const { rest } = await world.workspace();
    expect(await rest.post("/things/1", { txt: "a" })).toMatchObject(issue("txt", "UNKNOWN_FIELD"));
    expect(await rest.post("/things/1", { text: 5 })).toMatchObject(issue("text", "INVALID_TYPE"));
    expect(await rest.post("/things/1", { text: { $ne: "" } })).toMatchObject(issue("text", "INVALID_TYPE"));
    expect(await rest.post("/things/1", { id: "2" })).toMatchObject(issue("id", "UNKNOWN_FIELD"));
    for (const body of [[], "text", 5, null])
      expect(await rest.post("/things/1", JSON.stringify(body))).toMatchObject(issue("", "INVALID_TYPE"));
  });

  test("names that could reach a prototype or a MongoDB operator are refused at any depth", async () => {
    const { rest } = await world.workspace();
    expect(await rest.post("/things/1", '{"__proto__":{"text":"a"}}')).toMatchObject(issue("__proto__", "REFUSED_KEY"));
    expect(await rest.post("/things/1", '{"free":{"a":[{"__proto__":1}]}}')).toMatchObject(
      issue("free.a.0.__proto__", "REFUSED_KEY"),
    );
    expect(await rest.patch("/settings/1", '{"__proto__":1}')).toMatchObject(issue("__proto__", "REFUSED_KEY"));
    for (const name of ["$set", "a.b", "constructor", "prototype"]) {
      expect(await rest.post("/things/1", { free: { deep: { [name]: 1 } } })).toMatchObject({ status: 400 });
    }
  });

  test("text is returned exactly as it was sent, and text that cannot be stored is refused", async () => {
    const { rest } = await world.workspace();
    const text = "  Zoë\u{1F600}\u200f\r\n\u0007\ufeff ";
    expect(await rest.post("/things/1", { text })).toMatchObject({ status: 201, body: { id: "1", text } });
    expect(await rest.post("/things/1", { text: "a\0" })).toMatchObject(issue("text", "INVALID_TEXT"));
    expect(await rest.post("/things/1", '{"text":"\\ud800"}')).toMatchObject(issue("text", "INVALID_TEXT"));
    expect(await rest.post("/things/1", '{"n":9007199254740993}')).toMatchObject(issue("n", "UNSAFE_NUMBER"));
    expect(await rest.post("/things/1", '{"n":1e999}')).toMatchObject(issue("n", "UNSAFE_NUMBER"));
    expect(await rest.post("/things/%00", {})).toMatchObject(issue("id", "INVALID_TEXT"));
    expect(await rest.post("/things/%ff", {})).toMatchObject({ status: 400 });
  });

  test("a body is refused beyond the documented limits of depth, keys, items and characters", async () => {
    const { rest } = await world.workspace();
    const nested = (depth: number) => `{"list":${"[".repeat(depth - 1)}${"]".repeat(depth - 1)}}`;
    const keys = (count: number) => ({
      free: Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 1])),
    });
    expect((await rest.post("/things/1", nested(32))).status).toBe(201);
    expect(await rest.post("/things/1", nested(33))).toMatchObject(issue("", "TOO_DEEP"));
    expect(await rest.post("/things/1", "[".repeat(500_000))).toMatchObject(issue("", "TOO_DEEP"));
    expect((await rest.post("/things/1", keys(1_000))).status).toBe(201);
    expect(await rest.post("/things/1", keys(1_001))).toMatchObject(issue("free", "TOO_BIG"));
    expect((await rest.post("/things/1", { list: Array(10_000).fill(1) })).status).toBe(201);
    expect(await rest.post("/things/1", { list: Array(10_001).fill(1) })).toMatchObject(issue("list", "TOO_BIG"));
    expect((await rest.post("/imports/1", { list: Array(50_000).fill(1) })).status).toBe(200);
    expect((await rest.post("/things/1", { text: "é".repeat(32_768) })).status).toBe(201);
    expect(await rest.post("/things/1", { text: "é".repeat(32_769) })).toMatchObject(issue("text", "TOO_BIG"));
  });

  test("a body over the limit is 413, by its declared or its actual length, and the limit of an import is ten times higher", async () => {
    const { rest, key } = await world.workspace();
    const large = JSON.stringify({ list: Array(20).fill("x".repeat(60_000)) });
    expect(await rest.post("/things/1", large)).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
    expect((await rest.post("/imports/1", large)).status).toBe(200);
    const chunks = async function* () {
      for (let sent = 0; sent < 3_000_000; sent += 100_000) yield new Uint8Array(100_000).fill(0x20);
    };
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const stream = ReadableStream.from(chunks());
    const response = await fetch(`${world.baseUrl}/api/v1/things/1`, {
      method: "POST",
      headers,
      body: stream,
      duplex: "half",
    });
    expect(response.status).toBe(413);
  });

  test("a body is accepted only as uncompressed JSON", async () => {
    const { rest } = await world.workspace();
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=latin1",
      "multipart/form-data; boundary=x",
    ]) {
      expect(await rest.post("/things/1", "{}", { "Content-Type": type })).toMatchObject({
        status: 415,
        body: { code: "UNSUPPORTED_MEDIA_TYPE" },
      });
    }
    expect((await rest.post("/things/1", gzipSync("{}"), { "Content-Encoding": "gzip" })).status).toBe(415);
    expect((await rest.post("/things/1", "{}", { "Content-Type": 'Application/JSON; charset="UTF-8"' })).status).toBe(
      201,
    );
    expect((await rest.post("/things/1")).status).toBe(201);
  });

  test("query values are text: an unknown name is refused with a suggestion, and so are an operator and a repeated name", async () => {
    const { rest } = await world.workspace();
    expect(await rest.get("/things?page=3")).toMatchObject({ status: 200, body: { page: 3 } });
    expect(await rest.get("/things?search[$ne]=1&page=3")).toMatchObject(issue("search[$ne]", "UNKNOWN_FIELD"));
    expect(await rest.get("/things?serach=a")).toMatchObject({
      body: {
        details: {
          issues: [{ path: "serach", code: "UNKNOWN_FIELD", message: expect.stringContaining("is search meant?") }],
        },
      },
    });
    expect(await rest.get("/things?search=a&search=b")).toMatchObject(issue("search", "INVALID_TYPE"));
    expect((await rest.get("/things?page=0")).status).toBe(400);
    expect(await rest.get("/things?search=a%00")).toMatchObject(issue("search", "INVALID_TEXT"));
  });

  test("an address that is too long is 414 and headers that are too long are 431, each as an ApiError", async () => {
    const { rest } = await world.workspace();
    expect(await rest.get(`/things?search=${"a".repeat(8_200)}`)).toMatchObject({
      status: 414,
      body: { code: "URI_TOO_LONG" },
    });
    expect(await rest.get("/things", { "X-Long": "a".repeat(17_000) })).toMatchObject({
      status: 431,
      body: { code: expect.any(String) },
    });
  });
});

describe("uploads", () => {
  const issue = (path: string, code: string) => ({
    status: 400,
    body: { code: "VALIDATION_FAILED", details: { issues: [{ path, code }] } },
  });

  /** The answer to a form, as clients send one. */
  async function send(
    key: string,
    parts: [name: string, value: string | File][],
    headers: Record<string, string> = {},
  ) {
    const body = new FormData();
    for (const [name, value] of parts) body.append(name, value);
    const init = { method: "POST", headers: { Authorization: `Bearer ${key}`, ...headers }, body };
    const response = await fetch(`${world.baseUrl}/api/v1/uploads/1`, init);
    return { status: response.status, body: await response.json(), headers: response.headers };
  }
  const file = (text = "some bytes", name = "leads.csv"): [string, File] => ["file", new File([text], name)];
  /** A body written by hand, and its declared type. */
  const raw = async (text: string, type = "multipart/form-data; boundary=x") => {
    const { rest } = await world.workspace();
    return rest.post("/uploads/1", text, { "Content-Type": type });
  };
  const part = (head: string, text: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${text}\r\n`;

  test("the verb receives the uploaded file, the fields before and after the file, and the file name without folders", async () => {
    const { key } = await world.workspace();
    expect(await send(key, [file(), ["note", "Zoë"]])).toMatchObject({
      status: 200,
      body: { id: "1", note: "Zoë", name: "leads.csv", size: 10 },
    });
    expect(await send(key, [["note", "a"], file("", "dir/Zoë.csv")])).toMatchObject({
      body: { note: "a", name: "Zoë.csv", size: 0 },
    });
    expect(await raw(`${part('name="file"; filename="C:\\a\\b.csv"', "1,2")}--x--`)).toMatchObject({
      body: { name: "b.csv", size: 3 },
    });
  });

  test("a file over the limit is 413, by its declared or its actual length, and nothing of the file is kept", async () => {
    const { key } = await world.workspace();
    expect(await send(key, [file("x".repeat(MOST))])).toMatchObject({ status: 200 });
    const failed = taken.failed;
    expect(await send(key, [file("x".repeat(MOST + 1))])).toMatchObject({
      status: 413,
      body: { code: "PAYLOAD_TOO_LARGE", details: { limit: MOST } },
    });
    expect(taken.failed).toBe(failed + 1);
    expect(await send(key, [file("x".repeat(5_000_000))])).toMatchObject({
      status: 413,
      body: { code: "PAYLOAD_TOO_LARGE" },
    });
    const chunks = async function* () {
      yield Buffer.from(part('name="file"; filename="a.csv"', "").slice(0, -2));
      for (let sent = 0; sent < 5_000_000; sent += 100_000) yield Buffer.alloc(100_000, 0x20);
    };
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "multipart/form-data; boundary=x" };
    const body = ReadableStream.from(chunks());
    const response = await fetch(`${world.baseUrl}/api/v1/uploads/1`, {
      method: "POST",
      headers,
      body,
      duplex: "half",
    });
    expect(response.status).toBe(413);
  });

  test("an upload that is not a form, ends early or has no file is refused with the reason", async () => {
    const { rest, key } = await world.workspace();
    const whole = part('name="file"; filename="a.csv"', "1,2");
    const runs = taken.runs;
    for (const broken of [whole, whole.slice(0, 30), whole.slice(0, -4), "nothing", "", part('name="file"', "1,2")]) {
      expect(await raw(broken)).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    }
    expect(await raw(whole)).toMatchObject(issue("", "MALFORMED_MULTIPART"));
    expect(await raw(`${part('name="file"', "1,2")}--x--`)).toMatchObject(issue("file", "INVALID_TYPE"));
    expect(await raw("--x--")).toMatchObject(issue("file", "REQUIRED"));
    expect(await send(key, [["note", "a"]])).toMatchObject(issue("file", "REQUIRED"));
    expect(await rest.post("/uploads/1", {})).toMatchObject({ status: 415, body: { code: "UNSUPPORTED_MEDIA_TYPE" } });
    for (const type of ["multipart/form-data", "multipart/mixed; boundary=x", "application/x-www-form-urlencoded"]) {
      expect(await raw(whole, type)).toMatchObject({ status: 415, body: { code: "UNSUPPORTED_MEDIA_TYPE" } });
    }
    expect(await send(key, [file()], { "Content-Encoding": "gzip" })).toMatchObject({ status: 415 });
    expect(taken.runs).toBe(runs);
  });

  test("a second file, a file in another field, and repeated, unknown, large or malformed fields are refused, and the file is discarded", async () => {
    const { key } = await world.workspace();
    const { discarded, failed, runs } = { ...taken };
    expect(await send(key, [file(), file()])).toMatchObject(issue("file", "TOO_BIG"));
    expect(await send(key, [["leads", new File(["a"], "a.csv")]])).toMatchObject(issue("leads", "UNKNOWN_FIELD"));
    expect(await send(key, [file(), ["note", "a"], ["note", "b"]])).toMatchObject(issue("note", "DUPLICATE"));
    expect(await send(key, [file(), ["note", "x".repeat(65_537)]])).toMatchObject(issue("note", "TOO_BIG"));
    expect(await send(key, [file(), ["note", "a\0"]])).toMatchObject(issue("note", "INVALID_TEXT"));
    expect(await send(key, [file(), ["__proto__", "a"]])).toMatchObject(issue("__proto__", "REFUSED_KEY"));
    expect(await send(key, [file(), ["id", "2"]])).toMatchObject(issue("id", "UNKNOWN_FIELD"));
    expect(await send(key, [file(), ["wrong", "a"]])).toMatchObject(issue("wrong", "UNKNOWN_FIELD"));
    expect(
      await send(
        key,
        Array.from({ length: 101 }, (_, at) => [`f${at}`, "a"]),
      ),
    ).toMatchObject(issue("", "TOO_BIG"));
    const encoded = `Content-Disposition: form-data; name="file"; filename="a"\r\nContent-Transfer-Encoding: base64`;
    expect(await raw(`--x\r\n${encoded}\r\n\r\nMSwy\r\n--x--`)).toMatchObject(issue("file", "INVALID_FORMAT"));
    expect(await send(key, [file("a", "refused.csv")])).toMatchObject({
      status: 422,
      body: { code: "SHEET_UNREADABLE" },
    });
    expect(taken.discarded + taken.failed).toBe(discarded + failed + 7);
    expect(taken.runs).toBe(runs);
  });

  test("a missing scope is refused before the file is read", async () => {
    const { key } = await world.workspace("leads:read");
    taken.bytes = -1;
    expect(await send(key, [file("x".repeat(50_000))])).toMatchObject({ status: 403 });
    expect(taken.bytes).toBe(-1);
  });

  test("an upload with a repeated idempotency key returns the stored result, and another file under that key is refused", async () => {
    const { key } = await world.workspace();
    const { discarded, runs } = { ...taken };
    const named = { "Idempotency-Key": "one-upload" };
    const first = await send(key, [file(), ["note", "a"]], named);
    const again = await send(key, [file(), ["note", "a"]], named);
    expect([again.status, again.body, again.headers.get("idempotency-replayed")]).toEqual([200, first.body, "true"]);
    expect(await send(key, [file("other"), ["note", "a"]], named)).toMatchObject({
      status: 409,
      body: { code: "IDEMPOTENCY_KEY_REUSED" },
    });
    expect([taken.runs - runs, taken.discarded - discarded]).toEqual([1, 3]);
  });

  test("when the connection breaks during an upload, the verb does not run and the upload fails", async () => {
    const { key } = await world.workspace();
    const { failed, runs } = { ...taken };
    taken.bytes = 0;
    const abort = new AbortController();
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(Buffer.from(part('name="file"; filename="a.csv"', "x".repeat(20_000)))),
    });
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "multipart/form-data; boundary=x" };
    const init = { method: "POST", headers, body, duplex: "half", signal: abort.signal } as const;
    const answer = fetch(`${world.baseUrl}/api/v1/uploads/1`, init).catch(() => null);
    await until(() => taken.bytes > 0, { deadlineMs: 30_000, what: "the first bytes" });
    abort.abort();
    expect(await answer).toBeNull();
    await until(() => taken.failed > failed, { deadlineMs: 30_000, what: "the end of the verb" });
    expect([taken.failed, taken.runs]).toEqual([failed + 1, runs]);
  });
});

describe("responses", () => {
  test("an error of a library is logged under its trace id, and the response contains only the trace id", async () => {
    const { rest, key } = await world.workspace();
    const { status, body, headers } = await rest.get("/things/crash?search=private");
    expect(status).toBe(500);
    expect(body).toEqual({
      code: "INTERNAL_ERROR",
      message: expect.not.stringContaining("library"),
      traceId: headers.get("x-trace-id"),
    });
    const line = lines.find((text) => text.includes(body.traceId)) ?? "";
    expect(JSON.parse(line)).toMatchObject({
      route: "/things/crash",
      status: 500,
      code: "INTERNAL_ERROR",
      err: { type: "Error" },
    });
    expect(lines.join("")).not.toMatch(new RegExp(`${key}|private|127\\.0\\.0\\.1`));
  });

  test("responses carry security headers and do not name the framework", async () => {
    const { rest } = await world.workspace();
    const { headers } = await rest.get("/whoami");
    expect(headers.get("x-powered-by")).toBeNull();
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cache-control")).toBe("no-store");
  });

  test("liveness and readiness have separate endpoints, and readiness names each server that is unreachable", async () => {
    expect(await (await fetch(`${world.baseUrl}/healthz`)).json()).toEqual({ status: "ok" });
    const ready = await fetch(`${world.baseUrl}/readyz`);
    const missing = [{ code: "ENGINE_UNREACHABLE", message: expect.any(String) }];
    expect(ready.status).toBe(200);
    const counts = { recipientsOverdue: expect.any(Number), emailsHeldBack: expect.any(Number) };
    expect(await ready.json()).toEqual({ status: "ready", mongodb: "up", engine: "down", ...counts, missing });
  });
});

describe("the front page", () => {
  const BROWSER = { Accept: "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8" };

  /** The front page, or another path, asked for by this name. */
  function frontAs(host: string, headers: Record<string, string> = {}, path = "/") {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; type: string; text: string }>();
    get(`${world.baseUrl}${path}`, { headers: { Host: host, ...headers } }, (answer) => {
      text(answer).then((body) => {
        resolve({ status: answer.statusCode ?? 0, type: answer.headers["content-type"] ?? "", text: body });
      }, reject);
    }).on("error", reject);
    return promise;
  }

  test("a browser gets a page that describes the service, links the reference and lists what is missing, without scripts or other files", async () => {
    const answer = await fetch(`${world.baseUrl}/`, { headers: BROWSER });
    const html = await answer.text();
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("vary")]).toEqual([
      200,
      "text/html; charset=utf-8",
      expect.stringContaining("Accept"),
    ]);
    expect(answer.headers.get("content-security-policy")).toMatch(/^default-src 'none'; form-action 'none'/);
    expect(html).toContain("An open outreach platform");
    expect(html).toContain(`Version ${VERSION}`);
    for (const [, link = ""] of html.matchAll(/<a href="([^"]+)"/g)) {
      expect([link, (await fetch(new URL(link, `${world.baseUrl}/`))).status]).toEqual([link, 200]);
    }
    // This world has no Temporal
    expect(html).toContain("Requests are served, but something is missing:");
    expect(html).not.toMatch(/<script|mongodb:|127\.0\.0\.1/);
  });

  test("a program gets the content of the front page as JSON", async () => {
    const answer = await fetch(`${world.baseUrl}/`);
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(await answer.json()).toEqual({
      name: "Outreach",
      about: expect.stringContaining("outreach platform"),
      version: VERSION,
      status: "ready",
      missing: [{ code: "ENGINE_UNREACHABLE", message: expect.any(String) }],
      reference: "http://localhost:3000/api/v1/reference/",
      openapi: "http://localhost:3000/api/v1/openapi.json",
      readyz: "http://localhost:3000/readyz",
    });
    expect((await fetch(`${world.baseUrl}/`, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${world.baseUrl}/`, { method: "POST" })).status).toBe(404);
  });

  test.each([
    ["localhost:3000", 200],
    ["127.0.0.1", 200],
    ["[::1]:3000", 200],
    ["outreach:3000", 200],
    ["track.customer.test", 404],
    ["click.service.example:443", 404],
  ])(
    "the front page requested for the host %s answers %d, and is not shown under a tracking domain",
    async (host, status) => {
      const answer = await frontAs(host, BROWSER);
      expect([answer.status, answer.text.includes("outreach platform")]).toEqual([status, status === 200]);
    },
  );

  test("requests that ask whether a certificate may be issued are limited to 600 a minute", async () => {
    const ask = async () => {
      const answer = await fetch(`${world.baseUrl}/internal/tls?domain=`);
      return [answer.status, Number(answer.headers.get("retry-after")) > 0, await answer.text()] as const;
    };
    const answers = await Promise.all(Array.from({ length: 610 }, ask));
    expect(answers.filter(([status]) => status === 404)).toHaveLength(600);
    const refused = answers.find(([status]) => status === 429);
    expect(refused).toEqual([429, true, expect.stringContaining("RATE_LIMITED")]);
    expect(refused?.[2]).not.toMatch(/\.ts|at /);
  });

  test("a tracking domain serves the links of emails, and no API, sign-in, reference or health page", async () => {
    const { key } = await world.workspace();
    const as = (path: string, host = "track.customer.test") => frontAs(host, { Authorization: `Bearer ${key}` }, path);
    const closed = [
      "/api/v1/whoami",
      "/console/api/v1/account",
      "/login",
      "/sign-in/x",
      "/api/v1/reference/",
      "/api/v1/openapi.json",
    ];
    for (const path of [
      ...closed,
      "/readyz",
      "/healthz",
      "/oauth/authorize",
      "/files/x",
      "/T/../login",
      "//login",
      "/t",
      "/svc.js/x",
    ]) {
      const { status, text } = await as(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toMatch(/outreach platform|password|openapi/);
    }
    // The tool server refuses such names itself, as its clients expect
    expect((await as("/mcp")).status).toBe(403);
    expect((await as("/api/v1/whoami", "localhost")).status).toBe(200);
    const page = await as("/u/not-a-token");
    expect([page.status, page.type]).toEqual([200, "text/html; charset=utf-8"]);
  });
});
