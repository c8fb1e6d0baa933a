import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createApp } from "../../api/app.ts";
import { oauthOf } from "../../api/oauth/mount.ts";
import { RateCount } from "../../models/access/rate-count.ts";
import { forgetRates } from "../../mongo/rate-limit.ts";
import { verbs } from "../../operations/declarations.ts";
import { type Listener, listen } from "../../runtime/listen.ts";
import { createLog } from "../../runtime/log.ts";
import { readinessOf } from "../../runtime/readiness.ts";
import { WEBHOOK_SECRET } from "../fakes/stripe.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Knock, SECRET_DOORS, type SecretDoor } from "./secret-doors.ts";

let world: World;
let mailing: Listener;
beforeAll(async () => {
  const billing = { plans: { plans: [], free: { limits: {} }, credits: null }, webhookSecret: WEBHOOK_SECRET };
  world = await startWorld({ apart: true, settings: { trustProxy: 1, allowSignUp: true, billing } });
  mailing = await appThatMails();
});
afterAll(async () => {
  await mailing.close();
  await world.close();
});

/**
 * The same service where addresses are confirmed by email, with the authorization server, and with a Temporal that
 * answers.
 */
function appThatMails(): Promise<Listener> {
  const { services } = world;
  const engine = { ...services.engine, isReachable: async () => true };
  const confirming = { ...services, engine, settings: { ...services.settings, hasSystemMail: true } };
  const ready = readinessOf(services.engine, { missing: [] });
  const also = [oauthOf(confirming, { egress: () => Promise.reject(new Error("No way outside")) })];
  return listen(createApp(confirming, { log: createLog("silent"), ready, also }), 0, { host: "127.0.0.1" });
}

/** The most tries that are made at a door. If a door allows more, its count is set so that these are its last. */
const WALKED = 10;

test.each(SECRET_DOORS.map((door): [string, SecretDoor] => [door.door, door]))(
  "%s: too many wrong tries get 429",
  async (_door, door) => {
    const { most, refusal, fromAnywhere = false, counted, prepare } = door;
    const place = SECRET_DOORS.indexOf(door);
    const addressOf = (tries: number) => (fromAnywhere ? `198.18.${place}.${tries + 1}` : `203.0.113.${place + 1}`);
    const knock = await prepare(world, `http://127.0.0.1:${mailing.port}`);
    await forgetRates();
    const tries = counted === undefined ? most : WALKED;
    const statuses = [await statusOf(knock, addressOf(0))];
    if (counted !== undefined) await skipTo(counted(addressOf(0)), most - WALKED + 1);
    for (let made = 1; made < tries; made++) statuses.push(await statusOf(knock, addressOf(made)));
    expect(statuses).toEqual(Array(tries).fill(refusal));
    const { status, headers } = await knock({ "X-Forwarded-For": addressOf(tries) });
    expect(status).toBe(429);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
  },
);

/** On a slow machine the minute in which the tries are counted must not end too soon. */
async function statusOf(knock: Knock, address: string): Promise<number> {
  await RateCount.updateMany({}, { $set: { expire: new Date(Date.now() + 60_000) } });
  return (await knock({ "X-Forwarded-For": address })).status;
}

/** Fails unless the one try that was made was counted under this name. */
async function skipTo(key: string, points: number): Promise<void> {
  expect((await RateCount.updateOne({ key, points: 1 }, { $set: { points } })).modifiedCount).toBe(1);
}

test("exactly the verbs in the table of secret doors declare that they check a secret", () => {
  const saying = Object.entries(verbs).flatMap(([name, verb]) => {
    const actions: [string, { checksSecret?: true }][] =
      "actions" in verb ? Object.entries(verb.actions) : [["", verb]];
    return actions.filter(([, { checksSecret }]) => checksSecret).map(([action]) => `${name} ${action}`.trim());
  });
  const doors = SECRET_DOORS.filter(({ at }) => at.some((place) => place.startsWith("operations/")));
  expect(saying).toEqual([...new Set(doors.map(({ door }) => door.split(",")[0]))]);
});
