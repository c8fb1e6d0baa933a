import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { accept, drop, refuse } from "../fakes/smtp-answers.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type Refusals, startRefusals } from "./refusal-parts.ts";

let here: Refusals;
beforeAll(async () => {
  here = await startRefusals();
});
afterAll(() => here.close());

const PEOPLE = ["a@one", "b@two", "c@three", "d@four", "e@five"];

test("a relay that accepts one email per connection gets each email over a new connection, and the first 421 is enough to learn the limit", async () => {
  const smtp = await here.newServer();
  smtp.setMailsPerConnection(1);
  const story = await here.story(PEOPLE, {}, { smtp });
  const startedAt = Date.now();
  await story.launch();
  await story.arrived(...PEOPLE);
  expect(Date.now() - startedAt).toBeLessThan(MINUTE_MS);
  const mailbox = await story.mailbox();
  expect(mailbox).toMatchObject({ status: "CONNECTED", rateRefusals: 0, coolDowns: 0 });
  expect(mailbox.nextAt?.getTime() ?? 0).toBeLessThan(Date.now() + MINUTE_MS);
  const sessions = smtp.ledger
    .filter(({ to }) => PEOPLE.some((name) => to.includes(story.address(name))))
    .map(({ session }) => session);
  expect(new Set(sessions).size).toBe(PEOPLE.length);
  expect(smtp.connectionsUsedUp).toBe(1);
});

test("a 421 on a new connection delays the next email of the mailbox", async () => {
  const smtp = await here.newServer();
  smtp.setSenders(() => refuse(421, "4.7.0 Try again later", "MAIL"));
  const story = await here.story(["a@one"], {}, { smtp });
  await story.launch();
  await until(async () => (await story.mailbox()).rateRefusals === 1, {
    ...MAIL_DEADLINE,
    what: "the mailbox to slow down",
  });
  expect(((await story.mailbox()).nextAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(14 * MINUTE_MS);
  expect(await story.mailbox()).toMatchObject({ status: "CONNECTED", coolDowns: 0 });
});

test("when a server hangs up on a used connection, the next email is sent once over a new connection", async () => {
  const smtp = await here.newServer();
  const story = await here.story(["a@one"], {}, { smtp });
  await story.launch();
  await story.arrived("a@one");
  let cuts = 0;
  smtp.setSenders(() => (cuts++ === 0 ? drop("MAIL") : accept));
  await story.rest.post(`${story.path}/recipients`, { action: "addManual", emails: [story.address("b@two")] });
  const startedAt = Date.now();
  await story.arrived("b@two");
  // A failed attempt would be made again after half a minute
  expect(Date.now() - startedAt).toBeLessThan(25_000);
  expect(cuts).toBe(2);
  expect(await story.mailbox()).toMatchObject({ status: "CONNECTED", hostFailures: 0 });
  expect(story.mailsTo("b@two")).toBe(1);
});

test("a 421 after the content on a used connection does not slow the mailbox down, and the email is retried and arrives once", async () => {
  const busy = refuse(421, "4.3.2 Closing transmission channel", "DOT");
  const smtp = await here.newServer();
  const story = await here.story(["a@one"], { "b@two": (attempt) => (attempt === 1 ? busy : accept) }, { smtp });
  await story.launch();
  await story.arrived("a@one");
  await story.rest.post(`${story.path}/recipients`, { action: "addManual", emails: [story.address("b@two")] });
  await story.arrived("b@two");
  expect(story.mailsTo("b@two")).toBe(1);
  expect(story.asked("b@two")).toBe(2);
  expect(await story.mailbox()).toMatchObject({ status: "CONNECTED", rateRefusals: 0 });
});
