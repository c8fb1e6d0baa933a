import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { type FakeTcp, startTcp } from "../fakes/tcp.ts";
import { realWorker } from "../support/real-worker.ts";
import { invited, type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { visitAs } from "./signed-in-visit.ts";

const [ANN, BOB] = ["ann@a.test", "bob@a.test"] as const;

let world: World;
let sandbox: Sandbox;
let silent: FakeTcp;
let chromium: Chromium;

beforeAll(async () => {
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: [ANN, BOB], certificate });
  silent = await startTcp(() => {});
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert }),
    settings: { egressAllow: "localhost:*" },
    console: await builtConsole(),
  });
  chromium = await startChromium();
}, 120_000);

afterAll(async () => {
  await chromium?.close();
  await world?.close();
  await Promise.all([sandbox?.close(), silent?.close()]);
}, 60_000);

const visit = (person: SignedIn, path = "/mailboxes/import", look?: Look) =>
  visitAs(person, chromium, `${world.baseUrl}/w/${person.workspaceId}${path}`, look);

const fileOf = (lines: readonly string[], name = "boxes.csv") => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(`${lines.join("\r\n")}\r\n`, "latin1"),
});

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 380 },
])(
  "mailboxes of a CSV file are tested and connected, and each row that was not says why: %p",
  async (look) => {
    const person = await signedIn(world);
    const { rest, workspaceId } = person;
    const { page, check } = await visit(person, "/mailboxes", look);
    await page.getByRole("link", { name: "Connect many by CSV" }).click();
    await page.getByRole("heading", { name: "Choose a file" }).waitFor();
    await check("no file");
    // As a spreadsheet on Windows in Germany saves it
    const lines = [
      "Email;Password;SMTP Host;smtp_port;IMAP.Host;imap-port;Name;Shoe size",
      `${ANN};${sandbox.password};localhost;${sandbox.smtpPort};localhost;${sandbox.imapPortOf(ANN)};Änn;42`,
      `${BOB};marked-secret;localhost;${sandbox.smtpPort};localhost;${sandbox.imapPortOf(BOB)};Bob;43`,
      `${ANN};x;localhost;1;localhost;1;Again;44`,
      "nobody;x;;;;;;",
    ];
    await page.getByLabel("CSV file").setInputFiles(fileOf(lines));
    await page.getByText("4 mailboxes in the file.").waitFor();
    await page.getByText("1 column is not used: Shoe size.").waitFor();
    await page.getByText("Änn").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("marked-secret");
    expect(await page.getByText("••••••").count()).toBe(4);
    await check("the rows of a file");
    await page.getByRole("button", { name: "Test 4 mailboxes" }).click();
    await page.getByText("1 of 4 sign-ins work.").waitFor();
    await check("tested rows");
    expect((await rest.get("/mailboxes")).body).toEqual([]);
    await page.getByRole("button", { name: "Connect 4 mailboxes" }).click();
    await page.getByRole("heading", { name: "Some mailboxes could not be connected" }).waitFor();
    await page.getByText("1 mailbox connected, 0 updated.").waitFor();
    await page.getByText("1 row repeats an earlier address.").waitFor();
    await page.getByText("2 rows were not connected:").waitFor();
    await check("the result");
    expect((await rest.get("/mailboxes")).body).toMatchObject([{ email: ANN, name: "Änn", status: "CONNECTED" }]);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download these rows" }).click();
    const text = await readFile(await (await saved).path(), "utf8");
    expect(text).toContain(`"2","${BOB}"`);
    expect(text).not.toContain("marked-secret");
    expect(page.url()).not.toContain("marked-secret");
    const kept = await page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])");
    expect(kept).not.toContain("marked-secret");
    // The page can be opened again by its address
    await page.reload();
    await page.getByText("2 rows were not connected:").waitFor();
    await page.getByRole("link", { name: "See mailboxes" }).click();
    await page.getByRole("link", { name: ANN }).waitFor();
    const [{ id }] = (await rest.get("/mailboxes")).body;
    await rest.post(`/mailboxes/${id}/disconnect`, { action: "delete" });
    expect(await scoped(workspaceId).JobChunk.count()).toBe(0);
  },
  180_000,
);

test("a file that cannot be used says why, and nothing is sent", async () => {
  const person = await signedIn(world);
  const { page } = await visit(person);
  const many = Array.from({ length: 2_001 }, (_, index) => `m${index}@a.test,x`);
  const files: [file: ReturnType<typeof fileOf>, why: string][] = [
    [fileOf(["email,password"]), "The file has no rows below the column names."],
    [fileOf(["address,password", "ada@a.test,x"]), "The file has no column “email”."],
    [fileOf(["email,name", "ada@a.test,Ada"]), "The file has no column “password” or “app_password”."],
    [fileOf(["email,login,user", "ada@a.test,a,b"]), "Two columns are read as “username”."],
    [fileOf(["email,password", ...many]), "The file has more than 2,000 rows."],
    [fileOf(["PK\u0003\u0004\0\0\0"], "boxes.xlsx"), "This is not a CSV file."],
    [fileOf(["email,password", 'ada@a.test,"x']), "This is not a CSV file."],
    [fileOf(["x".repeat(5_000_001)]), "This file is too large for a list of mailboxes."],
  ];
  for (const [file, why] of files) {
    await page.getByLabel("CSV file").setInputFiles(file);
    await page.getByRole("alert").getByText(why).waitFor();
  }
  expect((await person.rest.get("/jobs")).body.items).toEqual([]);
});

test("a running import can be cancelled, its passwords are deleted, and roles that may not connect mailboxes see why", async () => {
  const owner = await signedIn(world);
  const { rest, workspaceId } = owner;
  const slow = Array.from(
    { length: 60 },
    (_, at) => `slow-${at}@a.test,marked-secret,localhost,${silent.port},localhost,${silent.port}`,
  );
  const { page } = await visit(owner);
  await page
    .getByLabel("CSV file")
    .setInputFiles(fileOf(["email,password,smtp_host,smtp_port,imap_host,imap_port", ...slow]));
  await page.getByRole("button", { name: "Connect 60 mailboxes" }).click();
  await page.getByRole("button", { name: "Cancel import" }).click();
  const asked = page.getByRole("dialog", { name: "Cancel import" });
  await asked.getByText("their passwords are deleted").waitFor();
  await asked.getByRole("button", { name: "Cancel import" }).click();
  await page.getByRole("heading", { name: "The import was cancelled" }).waitFor();
  expect(await scoped(workspaceId).JobChunk.count()).toBe(0);
  expect((await rest.get("/mailboxes")).body).toEqual([]);
  await page.goto(`${world.baseUrl}/w/${workspaceId}/mailboxes/import?job=job_unknown`);
  await page.getByText("This import is not known.").waitFor();

  const viewer = await invited(world, owner, `viewer-${owner.userId}@acme.test`.toLowerCase(), "VIEWER");
  const seen = await visit(viewer, "/mailboxes");
  await seen.page.getByText("No mailboxes yet.").waitFor();
  expect(await seen.page.getByRole("link", { name: "Connect many by CSV" }).count()).toBe(0);
  await seen.page.goto(`${world.baseUrl}/w/${workspaceId}/mailboxes/import`);
  await seen.page.getByText("Your role here does not let you connect, import and disconnect mailboxes.").waitFor();
  expect(await seen.page.getByLabel("CSV file").count()).toBe(0);
}, 120_000);
