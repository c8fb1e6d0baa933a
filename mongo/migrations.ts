import { hashAddresses } from "./address-hashes.ts";
import { foldWords } from "./fold-words.ts";
import { noteHadSteps } from "./had-steps.ts";
import { dropIndex } from "./indexes.ts";
import type { Migration } from "./migrate.ts";
import { makeOwnersPeople } from "./owners.ts";
import { indexThreadTexts, type ThreadWords } from "./thread-words.ts";

/**
 * All migrations in the order of their numbers, by the rules of the domain that they apply. A migration that was released is never changed;
 * the next one corrects its errors.
 */
export function migrationsBy({
  threadWords,
  addressHash,
  foldWord,
}: {
  threadWords: ThreadWords;
  addressHash: (email: string) => string;
  foldWord: (word: string) => string;
}): readonly Migration[] {
  return [
    {
      number: 1,
      name: "an address is one mailbox of each workspace, and no more of the whole installation",
      run: (db) => dropIndex(db, "mailboxes", "email_1"),
    },
    {
      number: 2,
      name: "threads are found by the words of their mails",
      run: (db) => indexThreadTexts(db, threadWords),
    },
    {
      number: 3,
      name: "owners are people and members",
      run: (db) => makeOwnersPeople(db),
    },
    {
      number: 4,
      name: "recipients are found by the hash of their address",
      run: (db) => hashAddresses(db, addressHash),
    },
    {
      number: 5,
      name: "recipients know the steps that they have had",
      run: (db) => noteHadSteps(db),
    },
    {
      number: 6,
      name: "leads and recipients are found whatever accents their names have",
      run: (db) => foldWords(db, foldWord),
    },
  ];
}
