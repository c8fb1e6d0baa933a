import { expect, test } from "@jest/globals";
import type { ClaimRequest } from "../../store/sending/claim-conditions.ts";
import { createClaimQueue } from "../../store/sending/claim-queue.ts";
import { randomFrom } from "../system/killed-worker.ts";

interface Claim {
  name: string;
  request: ClaimRequest;
}
let made = 0;

/** A claim of a campaign email, or of a reply that a person waits for, from the mailbox with that number. */
function claimOf(workspaceId: string, { mailbox = ++made, kind = "CAMPAIGN" } = {}): Claim {
  const name = `${workspaceId} ${kind === "REPLY" ? "reply" : "email"}`;
  const send = { _id: `snd_${++made}`, workspaceId, recipientId: `rcp_${made}`, kind, to: `p${made}@b.test` };
  const campaign = kind === "REPLY" ? null : { campaignId: "cmp_1" };
  const request = { send, campaign, mailbox: { _id: `mbx_${mailbox}` } } as unknown as ClaimRequest; // the read part
  return { name, request };
}

const queueOf = (claims: Claim[]) => {
  const queue = createClaimQueue<Claim>();
  for (const one of claims) queue.add(one);
  return queue;
};
const many = (workspaceId: string, count: number) => Array.from({ length: count }, () => claimOf(workspaceId));
const namesOf = (group: Claim[]) => [...new Set(group.map(({ name }) => name))];

test("the claim of a workspace waits for at most one group of each other workspace", () => {
  const queue = queueOf([...many("wsp_1", 40), ...many("wsp_2", 40)]);
  expect(namesOf(queue.next(8))).toEqual(["wsp_1 email"]);
  queue.add(claimOf("wsp_3"));
  expect(namesOf(queue.next(8))).toEqual(["wsp_2 email"]);
  expect(namesOf(queue.next(8))).toEqual(["wsp_1 email"]);
  expect(namesOf(queue.next(8))).toEqual(["wsp_3 email"]);
  expect(namesOf(queue.next(8))).toEqual(["wsp_2 email"]);
});

test("a workspace with many claims has its turn also while others never cease to bring single ones", () => {
  const queue = queueOf(many("wsp_1", 40));
  let ofMany = 0;
  for (let turn = 0; turn < 10; turn++) {
    queue.add(claimOf("wsp_2"));
    queue.add(claimOf("wsp_3"));
    for (let group = 0; group < 2; group++) ofMany += Number(namesOf(queue.next(8))[0] === "wsp_1 email");
  }
  expect(ofMany).toBe(5);
});

test("an email that a person waits for is claimed before all campaign emails", () => {
  const queue = queueOf([...many("wsp_1", 20), claimOf("wsp_2", { kind: "REPLY" })]);
  expect(namesOf(queue.next(8))).toEqual(["wsp_2 reply"]);
  queue.add(claimOf("wsp_1", { kind: "REPLY" }));
  queue.add(claimOf("wsp_1", { kind: "REPLY" }));
  const names = queue.next(8).map(({ name }) => name);
  expect(names).toEqual([...Array(2).fill("wsp_1 reply"), ...Array(6).fill("wsp_1 email")]);
});

test("campaign emails have every second turn while emails that persons wait for never cease", () => {
  const queue = queueOf(many("wsp_1", 40));
  let ofCampaign = 0;
  for (let turn = 0; turn < 10; turn++) {
    queue.add(claimOf("wsp_2", { kind: "REPLY" }));
    queue.add(claimOf("wsp_3", { kind: "REPLY" }));
    ofCampaign += Number(namesOf(queue.next(8))[0] === "wsp_1 email");
  }
  expect(ofCampaign).toBeGreaterThanOrEqual(1);
  expect(ofCampaign).toBeLessThanOrEqual(5);
});

test("in any order of arrivals each claim is taken once, and no group shares a mailbox, mixes workspaces or is too large", () => {
  const random = randomFrom(20_261_130);
  const queue = createClaimQueue<Claim>();
  const added: Claim[] = [];
  const taken: Claim[] = [];
  const takeGroup = () => {
    const most = 1 + Math.floor(random() * 8);
    const group = queue.next(most);
    expect(group.length).toBeLessThanOrEqual(most);
    expect(new Set(group.map(({ request }) => request.send.workspaceId)).size).toBeLessThanOrEqual(1);
    expect(new Set(group.map(({ request }) => request.mailbox._id)).size).toBe(group.length);
    taken.push(...group);
    return group.length;
  };
  for (let round = 0; round < 500; round++) {
    for (let count = Math.floor(random() * 6); count > 0; count--) {
      const workspace = Math.floor(random() * 4);
      const options = {
        mailbox: workspace * 10 + Math.floor(random() * 5),
        kind: random() < 0.1 ? "REPLY" : "CAMPAIGN",
      };
      const one = claimOf(`wsp_${workspace}`, options);
      added.push(one);
      queue.add(one);
    }
    takeGroup();
  }
  while (takeGroup() > 0);
  expect(taken).toHaveLength(added.length);
  expect(new Set(taken)).toEqual(new Set(added));
});
