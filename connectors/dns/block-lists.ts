import {
  type BlockList,
  isFit,
  type ListAnswer,
  type ListedSubject,
  listingOf,
  questionOf,
  testEntries,
} from "../../domain/deliverability/block-lists.ts";
import type { Ask } from "../net/records.ts";
import { orUnanswered, recordsOf } from "./answers.ts";

/**
 * Asks every block list about the domain or the addresses, after the list has passed its self-test (RFC 5782 5). Never
 * rejects: a list that does not answer is UNKNOWN.
 */
export async function askBlockLists(
  ask: Ask,
  lists: readonly BlockList[],
  { domain, addresses }: { domain: string; addresses: readonly string[] },
): Promise<ListedSubject[]> {
  const answers = await Promise.all(
    lists.map(async (list) => {
      const subjects = list.of === "DOMAIN" ? [domain] : addresses;
      if (subjects.length === 0) return [];
      const test = testEntries(list);
      const [listed, clear] = await Promise.all([askList(ask, list, test.listed), askList(ask, list, test.clear)]);
      const mayAnswer = isFit({ listed, clear });
      const rows = subjects.map(async (subject) => {
        const status = mayAnswer ? listingOf(await askList(ask, list, subject)) : ("UNKNOWN" as const);
        return { list, subject, status };
      });
      return Promise.all(rows);
    }),
  );
  return answers.flat();
}

async function askList(ask: Ask, list: BlockList, subject: string): Promise<ListAnswer> {
  const name = questionOf(list, subject);
  if (name === null) return null;
  return orUnanswered(async () => (await recordsOf(ask, name, "A")).map(String));
}
