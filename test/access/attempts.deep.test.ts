import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { freePort } from "../../embedded/ports.ts";
import { newBrowser } from "../support/person.ts";
import { runService, type Service } from "../support/service.ts";
import { PASSWORD, quicklySignedIn } from "../support/signed-in.ts";
import { SECRET_KEY, startWorld, type World } from "../support/world.ts";

let world: World;
const running: Service[] = [];
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(async () => {
  for (const service of running) await service.end("SIGKILL", 30_000);
  await world.close();
});

/** The API in a process of its own, on the database of the world. */
async function startApi(): Promise<Service> {
  const { mongodbUri: MONGODB_URI } = world;
  const servers = { MONGODB_URI, SECRET_KEY, TEMPORAL_ADDRESS: "127.0.0.1:1", API_METRICS_PORT: "0" };
  const service = runService({ ...servers, PORT: String(await freePort()) }, [], "api/main.ts");
  running.push(service);
  await service.says(/"msg":"ready"/);
  return service;
}

async function statusOfLogin({ url }: Service, email: string, password: string): Promise<number> {
  const browser = newBrowser(url);
  await browser.open("/login");
  await browser.submit({ email, password });
  return browser.page.status;
}

test("ten wrong passwords over two API processes block the account in both, and in a process that is killed and restarted", async () => {
  const { email } = await quicklySignedIn(world);
  const [one, two] = [await startApi(), await startApi()];
  for (let tries = 0; tries < 5; tries++)
    for (const service of [one, two]) expect(await statusOfLogin(service, email, "wrong horse battery")).toBe(422);
  for (const service of [one, two]) expect(await statusOfLogin(service, email, PASSWORD)).toBe(429);
  await one.end("SIGKILL", 30_000);
  expect(await statusOfLogin(await startApi(), email, PASSWORD)).toBe(429);
});
