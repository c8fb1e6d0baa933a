import { dropIndex } from "./indexes.ts";
import type { Migration } from "./migrate.ts";

/** In the order of their numbers. One that has been released stays as it is; what was wrong with it is put right by the next. */
export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: "an address is one mailbox of each workspace, and no more of the whole installation",
    run: (db) => dropIndex(db, "mailboxes", "email_1"),
  },
];
