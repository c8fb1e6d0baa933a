import { dropIndex } from "./indexes.ts";
import type { Migration } from "./migrate.ts";

/** All migrations in the order of their numbers. A migration that was released is never changed; the next one corrects its errors. */
export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: "an address is one mailbox of each workspace, and no more of the whole installation",
    run: (db) => dropIndex(db, "mailboxes", "email_1"),
  },
];
