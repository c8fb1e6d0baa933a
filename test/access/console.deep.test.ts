import { expect, test } from "@jest/globals";
import { ROLES } from "../../domain/access/roles.ts";
import { Membership } from "../../models/access/membership.ts";
import { invited, signedIn } from "../support/signed-in.ts";
import { useSetup, world } from "./console-setup.ts";

useSetup();

test("whatever owners do to each other simultaneously, at least one owner remains", async () => {
  for (let round = 0; round < 6; round++) {
    const owner = await signedIn(world);
    const people = [owner];
    for (const name of ["b", "c"]) {
      const other = await invited(world, owner, `${name}${round}@owners.test`, "ADMIN");
      const { items } = (await owner.rest.get("/members")).body;
      const { id } = items.find(({ userId }: { userId: string }) => userId === other.userId);
      await owner.rest.post("/members/manage", { action: "updateRole", memberId: id, role: "OWNER" });
      people.push(other);
    }
    const { items } = (await owner.rest.get("/members")).body;
    const deeds = people.flatMap(({ rest }) =>
      items.map(({ id }: { id: string }) => {
        const role = ROLES[1 + Math.floor(Math.random() * 3)];
        return Math.random() < 0.5
          ? () => rest.post("/members/manage", { action: "remove", memberId: id })
          : () => rest.post("/members/manage", { action: "updateRole", memberId: id, role });
      }),
    );
    const answers = await Promise.all(deeds.sort(() => Math.random() - 0.5).map((deed) => deed()));
    expect(await Membership.countDocuments({ workspaceId: owner.workspaceId, role: "OWNER" })).toBeGreaterThanOrEqual(
      1,
    );
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  }
}, 120_000);
