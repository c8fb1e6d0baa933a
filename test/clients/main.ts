import { copyFile, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serviceIn } from "../demo/service.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { startSandbox } from "../fakes/sandbox.ts";
import { CALENDAR_CLIENTS, tryCalendars } from "./calendars.ts";
import { CRM_CLIENTS, tryCrms } from "./crm.ts";
import { MAIL_API_CLIENTS, tryMailApis } from "./mail-apis.ts";
import { MODEL_SERVER, tryModelServer } from "./model.ts";
import { tryPostbacks } from "./postback-receiver.ts";
import { missingOf, POSTBACK_LANGUAGES } from "./postbacks.ts";
import { GOOGLE_CLIENT, tryPostmaster } from "./postmaster.ts";
import { STRIPE_MOCK, tryStripe } from "./stripe.ts";
import { attempt, goProgram, npmFolder, pipFolder, runTool } from "./tools.ts";

/**
 * `npm run test:clients`: the guide's functions report conversions in five languages. Google's own client reads the
 * stand-in of Postmaster Tools as ours does, and the clients of three CRMs, two calendars and two mail providers read their stand-ins.
 * Stripe's own stand-in takes our requests to Stripe, and another model server takes our requests to a model. Clients
 * generated from the reference run the first campaign of the README. A program that is not available is no failure.
 */
const TYPESCRIPT = { "openapi-typescript": "7.13.0", "openapi-fetch": "0.17.0", typescript: "5.9.3" }; // this generator knows no TypeScript 7
const PYTHON = "openapi-python-client==0.29.0";
const MAILBOXES = { typescript: "ann@sandbox.test", python: "bob@sandbox.test" };
const WENT_OUT = "generated, compiled, and the first campaign went out";

for (const language of POSTBACK_LANGUAGES) {
  await attempt(
    `reports of conversions in ${language}`,
    async () => {
      const missing = missingOf(language);
      if (missing !== null) throw new Error(missing);
      return language;
    },
    tryPostbacks,
  );
}

await attempt("@hubspot/api-client, jsforce and pipedrive", () => npmFolder("client-crm", CRM_CLIENTS), tryCrms);

await attempt(
  "@googleapis/calendar and @microsoft/microsoft-graph-client",
  () => npmFolder("client-calendars", CALENDAR_CLIENTS),
  tryCalendars,
);

await attempt(
  "@googleapis/gmail and @microsoft/microsoft-graph-client",
  () => npmFolder("client-mail-apis", MAIL_API_CLIENTS),
  tryMailApis,
);

await attempt("stripe-mock", () => goProgram(STRIPE_MOCK), tryStripe);

await attempt("@copilotkit/aimock", () => npmFolder("client-model", MODEL_SERVER), tryModelServer);

await attempt("google-api-python-client", () => pipFolder("client-google", GOOGLE_CLIENT), tryPostmaster);

const folder = await mkdtemp(join(tmpdir(), "outreach-clients-"));
const certificate = await makeCertificate();
const ca = join(folder, "ca.pem");
await writeFile(ca, certificate.cert);
const sandbox = await startSandbox({ mailboxes: Object.values(MAILBOXES), certificate });
const service = await serviceIn(folder, { EGRESS_ALLOW: "localhost:*", EXTRA_CA_FILE: ca });
try {
  await service.start((line) => console.log(line));
  const document = await (await fetch(`${service.url}/api/v1/openapi.json`)).text();
  await attempt(
    "openapi-typescript with openapi-fetch",
    () => npmFolder("client-typescript", TYPESCRIPT),
    (tools) => inTypescript(tools, document),
  );
  await attempt(
    "openapi-python-client",
    () => pipFolder("client-python", PYTHON),
    (tools) => inPython(tools, document),
  );
} finally {
  await service.stop();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
}

async function inTypescript(tools: string, document: string): Promise<string> {
  await writeFile(join(tools, "openapi.json"), document);
  await copyFile(own("first-campaign.mts"), join(tools, "first-campaign.mts"));
  const bin = (name: string) => join(tools, "node_modules/.bin", name);
  await runTool(bin("openapi-typescript"), ["openapi.json", "-o", "api.d.ts"], tools);
  const strictly = [
    "--strict",
    "--noEmit",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--allowImportingTsExtensions",
  ];
  await writeFile(
    join(tools, "process.d.ts"),
    "declare const process: { env: Record<string, string>; exit(code: number): never };\n",
  );
  await runTool(bin("tsc"), [...strictly, "process.d.ts", "first-campaign.mts"], tools);
  await runTool(
    process.execPath,
    ["--no-warnings", "first-campaign.mts"],
    tools,
    await surroundings(MAILBOXES.typescript),
  );
  return WENT_OUT;
}

async function inPython(tools: string, document: string): Promise<string> {
  await writeFile(join(tools, "openapi.json"), document);
  const bin = (name: string) => join(tools, "venv/bin", name);
  const asked = ["generate", "--path", "openapi.json", "--output-path", "client", "--overwrite", "--fail-on-warning"];
  await runTool(bin("openapi-python-client"), asked, tools, {
    PATH: `${join(tools, "venv/bin")}:${process.env["PATH"] ?? ""}`,
  });
  const env = { ...(await surroundings(MAILBOXES.python)), PYTHONPATH: join(tools, "client") };
  await runTool(bin("python"), [own("first_campaign.py")], tools, env);
  return WENT_OUT;
}

function own(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

async function surroundings(mailbox: string): Promise<Record<string, string>> {
  return {
    API_URL: service.url,
    API_KEY: await service.apiKey(),
    SMTP_PORT: String(sandbox.smtpPort),
    IMAP_PORT: String(sandbox.imapPortOf(mailbox)),
    MAILBOX: mailbox,
    // Each run has its own people: a person who unsubscribed from one campaign gets no other
    DOMAIN: mailbox.replace("@sandbox", "-people"),
    PASSWORD: sandbox.password,
  };
}
