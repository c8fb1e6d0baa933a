import type { ImapFlow } from "imapflow";
import { ensureFolder, type FoundMail, findMails, openToChange } from "../../connectors/imap/treat.ts";
import type { WarmupWaits } from "../../domain/warmup/engagement.ts";
import type { PlaceInMailbox } from "../../models/warmup/warmup-mail.ts";
import type { DueMail } from "../../store/warmup/engagements.ts";

/** A due email with its UID in the open folder. */
export type Sought = DueMail & { uid: number; uidValidity: string };

/** The connection and the folder into which warmup emails are moved. The folder is looked up once. */
export class Filing {
  readonly client: ImapFlow;
  readonly waits: WarmupWaits;
  readonly #name: string;
  #path: Promise<string | null> | null = null;
  constructor(client: ImapFlow, name: string, waits: WarmupWaits) {
    this.client = client;
    this.waits = waits;
    this.#name = name;
  }

  /** The path of the folder; null when emails must not be moved. */
  readonly path = (): Promise<string | null> => {
    this.#path ??= this.#name === "" ? Promise.resolve(null) : ensureFolder(this.client, this.#name);
    return this.#path;
  };
}

/** Opens a folder and finds those of the emails that are in it now; none if the folder does not exist. */
export async function findIn(
  client: ImapFlow,
  folder: string,
  mails: readonly Sought[],
): Promise<{ uidValidity: string; here: Map<Sought, FoundMail> }> {
  const opened = await openToChange(client, folder);
  if (opened === null) return { uidValidity: "0", here: new Map() };
  return { uidValidity: opened.uidValidity, here: await findMails(client, opened.uidValidity, mails) };
}

export function byFolder(
  due: readonly DueMail[],
  placeOf: (due: DueMail) => PlaceInMailbox | null = ({ mail }) => mail.place,
): Map<string, Sought[]> {
  const placed = due.map((one) => ({ one, place: placeOf(one) }));
  const sought = placed.map(({ one, place }) => ({
    ...one,
    uid: place?.uid ?? 0,
    uidValidity: place?.uidValidity ?? "0",
    folder: place?.folder ?? "INBOX",
  }));
  return Map.groupBy(sought, ({ folder }) => folder);
}
