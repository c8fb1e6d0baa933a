import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "@jest/globals";
import { mailProviders, readConfig, settings } from "../../config.ts";
import { NO_PROVIDERS, warnOfSecret } from "../../domain/mailboxes/provider.ts";

const SECRET_KEY = randomBytes(32).toString("base64");

const folder = mkdtempSync(join(tmpdir(), "settings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(text: string): string {
  const path = join(folder, randomBytes(6).toString("hex"));
  writeFileSync(path, text);
  return path;
}

test("every setting can be read from a file, without the line break at the end", () => {
  expect(readConfig({ SECRET_KEY_FILE: fileOf(`${SECRET_KEY}\n`) }).SECRET_KEY).toBe(SECRET_KEY);
  expect(readConfig({ SECRET_KEY_FILE: fileOf(`${SECRET_KEY}\r\n`), SECRET_KEY: "" }).SECRET_KEY).toBe(SECRET_KEY);
  expect(readConfig({ PORT_FILE: fileOf("4001") }).PORT).toBe(4001);
  expect(readConfig({ PORT_FILE: "" }).PORT).toBe(3000);
});

test("a setting's file that is missing, empty, invalid or given beside the variable is refused by name, without its content", () => {
  expect(() => readConfig({ SECRET_KEY_FILE: join(folder, "none") })).toThrow(
    /^SECRET_KEY_FILE cannot be read: .*\(ENOENT\)$/,
  );
  expect(() => readConfig({ SECRET_KEY_FILE: folder })).toThrow(/^SECRET_KEY_FILE cannot be read: .*\(EISDIR\)$/);
  expect(() => readConfig({ SECRET_KEY_FILE: fileOf("\n") })).toThrow("SECRET_KEY_FILE names an empty file");
  const both = () => readConfig({ SECRET_KEY, SECRET_KEY_FILE: fileOf(SECRET_KEY) });
  expect(both).toThrow("SECRET_KEY and SECRET_KEY_FILE are both set");
  expect(both).not.toThrow(SECRET_KEY);
  const wrong = () => readConfig({ SECRET_KEY_FILE: fileOf("hunter2") });
  expect(wrong).toThrow("SECRET_KEY cannot be used");
  expect(wrong).not.toThrow("hunter2");
});

test("an empty environment gives a complete, frozen configuration", () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    PORT: 3000,
    DATA_DIR: ".data",
    PUBLIC_URL: "http://localhost:3000",
    TRACK_URL: "http://localhost:3000",
  });
  expect(config.WORKER_QUEUES).toEqual(["engine", "smtp", "imap", "webhook", "feed", "jobs"]);
  expect(Object.isFrozen(config)).toBe(true);
});

test("every environment variable has a description", () => {
  for (const [name, schema] of Object.entries(settings.shape))
    expect([name, schema.description]).toEqual([name, expect.any(String)]);
});

test("PUBLIC_URL follows from PORT, and TRACK_URL from PUBLIC_URL, unless they are set", () => {
  expect(readConfig({ PORT: "4000" }).TRACK_URL).toBe("http://localhost:4000");
  expect(readConfig({ PUBLIC_URL: "https://a.test/" })).toMatchObject({
    PUBLIC_URL: "https://a.test",
    TRACK_URL: "https://a.test",
  });
});

test.each([
  ["PORT", "70000"],
  ["PORT", "http"],
  ["PUBLIC_URL", "a.test"],
  ["MONGODB_URI", "localhost"],
  ["TEMPORAL_ADDRESS", "localhost"],
  ["WORKER_QUEUES", "smtp,mail"],
  ["SECRET_KEY", "secret"],
  ["SECRET_KEY", Buffer.alloc(32).toString("base64")],
  ["SECRET_KEYS_RETIRED", `${SECRET_KEY},x`],
  ["EGRESS_ALLOW", "localhost"],
  ["ALLOW_INSECURE_MAIL", "yes"],
  ["DNS_SERVERS", "1.1.1.1"],
  ["PROVIDERA_MX", "google.com,.x y"],
  ["RESTORED_FROM", "yesterday"],
  ["LOG_LEVEL", "loud"],
])("%s=%s is refused by name, without its value", (name, value) => {
  const refusal = () => readConfig({ [name]: value });
  expect(refusal).toThrow(name);
  if (name.startsWith("SECRET")) expect(refusal).not.toThrow(value);
});

test("a configured MONGODB_URI requires a SECRET_KEY", () => {
  const MONGODB_URI = "mongodb://db/?replicaSet=rs0";
  expect(() => readConfig({ MONGODB_URI })).toThrow("SECRET_KEY");
  expect(readConfig({ MONGODB_URI, SECRET_KEY }).MONGODB_URI).toBe(MONGODB_URI);
});

test("with embedded servers HOST defaults to this machine only, and otherwise to all addresses", () => {
  const given = { MONGODB_URI: "mongodb://db/?replicaSet=rs0", SECRET_KEY };
  expect([readConfig({}).HOST, readConfig(given).HOST]).toEqual(["127.0.0.1", null]);
  expect([readConfig({ HOST: "::" }).HOST, readConfig({ ...given, HOST: "::1" }).HOST]).toEqual(["::", "::1"]);
});

test("credentials of Postmaster Tools are JSON or a file with JSON, and unusable ones are refused without their content", () => {
  const key = generateKeyPairSync("rsa", { modulusLength: 2_048 }).privateKey.export({ type: "pkcs8", format: "pem" });
  const account = {
    type: "service_account",
    client_email: "a@b.test",
    private_key: key,
    private_key_id: "1",
    project_id: "p",
  };
  const person = { type: "authorized_user", client_id: "id", client_secret: "hush-hush", refresh_token: "1//hush" };
  const read = (value: string) => readConfig({ POSTMASTER_CREDENTIALS: value }).POSTMASTER_CREDENTIALS;
  const token_uri = "https://oauth2.googleapis.com/token";
  const { project_id: _unused, ...kept } = account;
  expect(read(JSON.stringify(account))).toEqual({ ...kept, token_uri });
  expect(read(fileOf(JSON.stringify(person, null, 2)))).toEqual({ ...person, token_uri });
  expect(readConfig({ POSTMASTER_CREDENTIALS_FILE: fileOf(JSON.stringify(person)) }).POSTMASTER_CREDENTIALS).toEqual({
    ...person,
    token_uri,
  });
  expect(readConfig({ POSTMASTER_URL: "http://localhost:1/" }).POSTMASTER_URL).toBe("http://localhost:1");
  expect(readConfig({})).toMatchObject({
    POSTMASTER_CREDENTIALS: null,
    POSTMASTER_URL: "https://gmailpostmastertools.googleapis.com",
  });
  const wrong = [
    JSON.stringify({ ...account, private_key: "-----hush-----" }),
    JSON.stringify({ ...person, token_uri: "file:///hush" }),
    JSON.stringify({ ...person, refresh_token: undefined }),
    JSON.stringify({ ...person, type: "hush" }),
    '{"hush": 1',
    "/no/hush.json",
    fileOf("hush"),
  ];
  for (const value of wrong) {
    expect(() => read(value)).toThrow(/^POSTMASTER_CREDENTIALS cannot be used: /);
    expect(() => read(value)).not.toThrow(/hush/);
  }
});

test("Gmail's notices need a topic, a subscription and credentials, each in its form", () => {
  const person = { type: "authorized_user", client_id: "id", client_secret: "hush", refresh_token: "1//hush" };
  const all = {
    GMAIL_NOTICE_TOPIC: "projects/p/topics/gmail",
    GMAIL_NOTICE_SUBSCRIPTION: "projects/p/subscriptions/gmail",
    GMAIL_NOTICE_CREDENTIALS: JSON.stringify(person),
  };
  const gmail = { GOOGLE_CLIENT_ID: "id", GOOGLE_CLIENT_SECRET: "hush", PROVIDERA_TRANSPORT: "GMAIL_API" };
  expect(mailProviders(readConfig(gmail)).A.api).not.toHaveProperty("notices");
  expect(mailProviders(readConfig({ ...gmail, ...all })).A.api?.notices).toMatchObject({
    topic: all.GMAIL_NOTICE_TOPIC,
    subscription: all.GMAIL_NOTICE_SUBSCRIPTION,
    url: "https://pubsub.googleapis.com",
  });
  for (const name of Object.keys(all)) expect(() => readConfig({ ...all, [name]: "" })).toThrow(`${name} must be set`);
  expect(() => readConfig({ ...all, GMAIL_NOTICE_TOPIC: all.GMAIL_NOTICE_SUBSCRIPTION })).toThrow("/topics/<name>");
});

test("Temporal's web pages can change workflows only where there are pages: TEMPORAL_UI_WRITES needs TEMPORAL_UI", () => {
  expect(readConfig({})).toMatchObject({ TEMPORAL_UI: false, TEMPORAL_UI_WRITES: false });
  expect(() => readConfig({ TEMPORAL_UI_WRITES: "1" })).toThrow("TEMPORAL_UI_WRITES needs TEMPORAL_UI=1");
  expect(readConfig({ TEMPORAL_UI: "1", TEMPORAL_UI_WRITES: "1" }).TEMPORAL_UI_WRITES).toBe(true);
});

test("a partly configured mail provider is refused with the missing setting", () => {
  expect(() => readConfig({ PROVIDERA_CLIENT_ID: "x" })).toThrow("PROVIDERA_TOKEN_URL");
});

test("a client id and a secret configure Google and Microsoft, and single settings override single values", () => {
  const google = { GOOGLE_CLIENT_ID: "g", GOOGLE_CLIENT_SECRET: "gs" };
  const microsoft = { MICROSOFT_CLIENT_ID: "m", MICROSOFT_CLIENT_SECRET: "ms", MICROSOFT_TENANT: "a.test" };
  const { A, B } = mailProviders(readConfig({ ...google, ...microsoft, PROVIDERA_SMTP: "relay.test:587" }));
  expect(A).toMatchObject({
    name: "Google",
    logo: expect.stringMatching(/^data:image\/svg/),
    servers: { smtp: { host: "relay.test", port: 587 }, imap: { host: "imap.gmail.com", port: 993 } },
    oauth: { clientId: "g", clientSecret: "gs", userinfoUrl: "https://openidconnect.googleapis.com/v1/userinfo" },
    mx: ["google.com", "googlemail.com"],
  });
  expect(B).toMatchObject({
    name: "Microsoft",
    servers: { smtp: { host: "smtp.office365.com", security: "STARTTLS" }, imap: { security: "SSL_TLS" } },
    oauth: {
      clientId: "m",
      authUrl: "https://login.microsoftonline.com/a.test/oauth2/v2.0/authorize",
      tokenUrl: "https://login.microsoftonline.com/a.test/oauth2/v2.0/token",
      userinfoUrl: null,
    },
  });
  expect(mailProviders(readConfig(google)).B).toEqual(NO_PROVIDERS.B);
  for (const [given, named] of [
    [{ GOOGLE_CLIENT_ID: "g" }, /^GOOGLE_CLIENT_SECRET must be set too/],
    [{ MICROSOFT_CLIENT_SECRET: "ms" }, /^MICROSOFT_CLIENT_ID must be set too/],
    [{ ...google, PROVIDERA_CLIENT_ID: "x" }, /^GOOGLE_CLIENT_ID and PROVIDERA_CLIENT_ID are both set/],
    [{ ...microsoft, MICROSOFT_TENANT: "a/b" }, /^MICROSOFT_TENANT cannot be used: /],
    [
      { MICROSOFT_CLIENT_SECRET_EXPIRES: "31.1.2027" },
      /^MICROSOFT_CLIENT_SECRET_EXPIRES cannot be used: must be a date/,
    ],
    [
      { PROVIDERB_CLIENT_SECRET_EXPIRES: "2027-02-30" },
      /^PROVIDERB_CLIENT_SECRET_EXPIRES cannot be used: must be a date/,
    ],
  ] as const)
    expect(() => readConfig(given)).toThrow(named);
});

test("an organisation's permission is configured without an OAuth client of Google, and one that could open no mailbox is refused", () => {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
  const account = { type: "service_account", client_email: "outreach@project.test", private_key: pem };
  const google = { GOOGLE_SERVICE_ACCOUNT: JSON.stringify(account) };
  const microsoft = { MICROSOFT_APP_ONLY: "1", PROVIDERB_TRANSPORT: "GRAPH" };
  const client = { MICROSOFT_CLIENT_ID: "m", MICROSOFT_CLIENT_SECRET: "ms" };
  const person = { type: "authorized_user", client_id: "i", client_secret: "s", refresh_token: "r" };
  const tenant = { ...microsoft, ...client, MICROSOFT_TENANT: "a.test" };
  const { A, B } = mailProviders(readConfig({ ...google, PROVIDERA_TRANSPORT: "GMAIL_API", ...tenant }));
  expect(A).toMatchObject({
    name: "Google",
    oauth: null,
    delegation: { kind: "GOOGLE", account },
    servers: { imap: {} },
  });
  expect(B).toMatchObject({ delegation: { kind: "MICROSOFT" }, api: { transport: "GRAPH" } });
  for (const [given, named] of [
    [google, "GOOGLE_SERVICE_ACCOUNT needs PROVIDERA_TRANSPORT=GMAIL_API"],
    [{ GOOGLE_SERVICE_ACCOUNT: JSON.stringify(person) }, "must be the JSON of a service account"],
    [{ MICROSOFT_APP_ONLY: "1", ...client }, "MICROSOFT_APP_ONLY needs PROVIDERB_TRANSPORT=GRAPH"],
    [microsoft, "MICROSOFT_APP_ONLY needs MICROSOFT_CLIENT_ID"],
    [{ ...microsoft, ...client }, "MICROSOFT_APP_ONLY needs MICROSOFT_TENANT"],
    [{ ...tenant, MICROSOFT_TENANT: "organizations" }, "MICROSOFT_APP_ONLY needs MICROSOFT_TENANT"],
  ] as const)
    expect(() => readConfig(given)).toThrow(named);
});

test("the day on which a client secret expires is read for Microsoft and for each other provider", () => {
  const microsoft = { MICROSOFT_CLIENT_ID: "m", MICROSOFT_CLIENT_SECRET: "ms" };
  const given = { MICROSOFT_CLIENT_SECRET_EXPIRES: "2027-01-31", PROVIDERA_CLIENT_SECRET_EXPIRES: "2027-03-01" };
  const { A, B } = mailProviders(readConfig({ ...microsoft, ...given }));
  expect([A.secretExpires, B.secretExpires]).toEqual([new Date("2027-03-01T00:00Z"), new Date("2027-01-31T00:00Z")]);
  const at = (day: string) => warnOfSecret(B, Date.parse(`${day}T00:00Z`));
  expect(at("2026-12-31")).toBeNull();
  expect(at("2027-01-01")).toMatch(/^The client secret of Microsoft expires on 2027-01-31\. /);
  expect(at("2027-02-01")).toMatch(/expired on 2027-01-31/);
  expect(warnOfSecret(NO_PROVIDERS.B, Date.now())).toBeNull();
});

test("the operator's name and logo of a provider are used, and a logo that pages cannot load is refused at start", () => {
  const logo = "data:image/png;base64,iVBORw0KGgo=";
  const { A, B } = mailProviders(readConfig({ PROVIDERA_NAME: " Google ", PROVIDERA_LOGO: logo }));
  expect([A, B]).toMatchObject([
    { name: "Google", logo },
    { name: "Provider B", logo: null },
  ]);
  for (const wrong of [
    "https://example.com/logo.png",
    "data:text/html;base64,PGI+",
    "data:image/png,raw",
    `${logo}" onerror="x`,
  ])
    expect(() => readConfig({ PROVIDERA_LOGO: wrong })).toThrow(/^PROVIDERA_LOGO cannot be used: /);
  for (const wrong of [" ", "two\nlines", "x".repeat(41), "turned\u202e"])
    expect(() => readConfig({ PROVIDERB_NAME: wrong })).toThrow(/^PROVIDERB_NAME cannot be used: /);
});

test("the MX host names of a provider are read as a lower-case list, even if nothing else of the provider is set", () => {
  const config = readConfig({ PROVIDERA_MX: "A-mail.test, in.other-a.test" });
  expect(mailProviders(config)).toEqual({
    ...NO_PROVIDERS,
    A: { ...NO_PROVIDERS.A, mx: ["a-mail.test", "in.other-a.test"] },
  });
});
