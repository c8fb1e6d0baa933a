import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import type { Inbox } from "../inbox/inbox-parts.ts";
import { begin, type Deed, does, useSetup } from "./recount-setup.ts";
import { expectRecounted, rollUpAll } from "./reported.ts";

useSetup();

test.each<[news: string, before: Partial<Deed>[], deed: Partial<Deed>]>([
  ["a reply that was read late", [], { what: "reply" }],
  ["an automatic reply that was read late", [], { what: "autoReply" }],
  [
    "a reply that turns out to be automatic",
    [{ what: "reply" }, { what: "categorise", minutes: 4 }],
    { what: "categorise", minutes: 2 },
  ],
  [
    "one that turns out to be none",
    [{ what: "reply" }, { what: "categorise", minutes: 2 }],
    { what: "categorise", minutes: 0 },
  ],
  ["an answer that is called positive", [{ what: "reply" }], { what: "categorise", minutes: 0 }],
  [
    "a meeting that a later message tells of",
    [{ what: "reply" }, { what: "reply", minutes: 4_000 }],
    { what: "categorise", minutes: 3 },
  ],
  ["a hit that is settled late", [], { what: "hit" }],
  ["an earlier hit", [{ what: "hit", minutes: 4_000 }], { what: "hit", minutes: 10 }],
  ["hits that turn out to be a robot's", [{ what: "hit", choice: 2 }], { what: "reclassify" }],
  [
    "hits that turn out to be a person's",
    [{ what: "hit", choice: 2 }, { what: "reclassify" }],
    { what: "reclassify", choice: 1 },
  ],
  ["a mail that came back", [], { what: "bounce" }],
  ["a mail that came back and is sent again", [], { what: "softBounce" }],
  ["a mail of unknown outcome that was sent", [], { what: "confirm", who: 1 }],
  ["an outcome of an earlier day", [], { what: "outcome", choice: 0 }],
  [
    "an outcome that is taken back",
    [
      { what: "reply", minutes: 4_000 },
      { what: "categorise", minutes: 3 },
    ],
    { what: "outcome", choice: 3 },
  ],
  ["a lead that is deleted", [{ what: "hit" }, { what: "reply" }], { what: "erase" }],
  ["a workspace that moves", [{ what: "reply" }], { what: "moveZone", minutes: 1 }],
])("%s changes the stored days immediately", async (_, before, deed) => {
  const { inbox, written } = await begin(deed.who === undefined ? 1 : 2);
  const usual: Deed = { what: "reply", who: 0, minutes: 100, choice: 0 };
  for (const one of before) await does(inbox, written, { ...usual, ...one });
  await rollUpAll(inbox.workspaceId);
  const was = await stored(inbox);
  await does(inbox, written, { ...usual, ...deed });
  await expectRecounted(inbox.workspaceId, ["VARIANT", "DAY"]);
  await rollUpAll(inbox.workspaceId);
  await expectRecounted(inbox.workspaceId, ["VARIANT", "DAY"]);
  expect(await stored(inbox)).not.toEqual(was);
  expect(await scoped(inbox.workspaceId).ChangedDay.count()).toBe(0);
});

async function stored({ workspaceId }: Inbox) {
  const { ReportDay, ReportLink } = scoped(workspaceId);
  const days = await ReportDay.find({}, { sort: { _id: 1 }, select: { lists: 1 } });
  return [
    days,
    (await ReportLink.find()).map(({ day, url, clicks, uniqueClicks }) => [day, url, clicks, uniqueClicks]),
  ];
}
