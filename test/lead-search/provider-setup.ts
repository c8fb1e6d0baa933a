import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import { grantCredits } from "../../store/credits.ts";
import { type FakeLeadSearch, startLeadSearch } from "../fakes/lead-search.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest, RestAnswer } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;

export let provider: FakeLeadSearch;

export let workspace: Awaited<ReturnType<World["workspace"]>>;

export let rest: Rest;

export const lines: string[] = [];

export const grant = (amount: number) =>
  grantCredits(workspace.workspaceId, { amount, reason: "test", actor: "test", key: randomUUID() }, 0);

export const reveal = (prospectId: string, fields?: string[]) =>
  rest.post("/lead-search/reveal", { prospectId, ...(fields && { fields }) });

/** Asks again after the answer that a reveal takes too long, which costs nothing more. */
export const revealAgain = async (prospectId: string): Promise<RestAnswer> => {
  const answer = await reveal(prospectId);
  return answer.status === 503 ? revealAgain(prospectId) : answer;
};

export const reveals = () => provider.asked.filter(({ path }) => path === "reveal");

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    provider = await startLeadSearch("right");
    const leadSearch = { url: provider.url, key: "right" };
    world = await startWorld({
      worker: realWorker({ leadSearch, onLog: (line) => lines.push(line) }),
      settings: { hasLeadSearchProvider: true },
      onLog: (line) => lines.push(line),
    });
  }, 120_000);
  afterAll(async () => {
    await world.close();
    await provider.close();
  }, 60_000);
  beforeEach(async () => {
    provider.people.clear();
    for (let n = 0; n < 120; n++) {
      const [email, phone] = [n % 4 === 3 ? null : `p${n}@a.example`, n % 2 === 0 ? `+1 ${n}` : null];
      provider.people.set(`p${n}`, { id: `p${n}`, title: n < 100 ? "CTO" : "CEO", email, phone });
    }
    provider.asked.length = 0;
    provider.charges.clear();
    provider.fault(() => false);
    workspace = await world.workspace();
    ({ rest } = workspace);
  });
}
