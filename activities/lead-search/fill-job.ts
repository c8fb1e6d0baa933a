import { z } from "zod";
import { leadSearchProvider } from "../../connectors/lead-search.ts";
import type { ProspectPerson } from "../../domain/lead-search/prospect.ts";
import type { JobKind } from "../../store/jobs.ts";
import { queryFor, readPeople } from "../../store/lead-search/dataset.ts";
import { fillParametersOf, fillResultOf, fillSumsOf } from "../../store/lead-search/job-parameters.ts";
import { addToList, whileKnowing } from "../../store/lead-search/known.ts";
import { assertWorkspaceStands } from "../../store/workspace-stands.ts";
import type { RevealJobDeps } from "./reveal-job.ts";

/** A page of the search, and how many people to take from it. */
const Row = z.object({ page: z.number().int().min(1), wanted: z.number().int().min(1) });

/** Adds everyone that a search finds to a list, page by page, without revealing contact data. */
export function fillJob({ egress, leadSearch }: Pick<RevealJobDeps, "egress" | "leadSearch">): JobKind {
  return {
    async open(job) {
      const { workspaceId } = job;
      const { listId, filters, pageSize } = fillParametersOf(job);
      const query = leadSearch === null ? await queryFor(filters) : null;

      async function peopleAt(page: number, signal: AbortSignal): Promise<ProspectPerson[]> {
        if (query !== null) return readPeople(query, { skip: (page - 1) * pageSize, limit: pageSize });
        if (leadSearch === null) return [];
        return (await leadSearchProvider(egress, leadSearch, signal).browse(filters, { page, pageSize })).items;
      }

      return async ({ rows, state, signal }, record) => {
        await assertWorkspaceStands(workspaceId);
        const { page, wanted } = Row.parse(rows[0]);
        const people = (await peopleAt(page, signal)).slice(0, wanted);
        const before = fillSumsOf(state);
        await whileKnowing(async () => {
          const { added, alreadyPresent } = await addToList(workspaceId, listId, people);
          const sums = { added: before.added + added, alreadyPresent: before.alreadyPresent + alreadyPresent };
          await record({ succeeded: wanted, failed: 0, items: [], state: sums });
        });
      };
    },
    resultOf: fillResultOf,
  };
}
