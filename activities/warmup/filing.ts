import type { WarmupWaits } from "../../domain/warmup/engagement.ts";
import type { PlaceInMailbox } from "../../models/warmup/warmup-mail.ts";
import type { DueMail } from "../../store/warmup/engagements.ts";
import type { Sought, TreatedMailbox } from "./treated-mailbox.ts";

/** The mailbox and the folder into which warmup emails are moved. The folder is looked up once. */
export class Filing {
  readonly mailbox: TreatedMailbox;
  readonly waits: WarmupWaits;
  readonly #name: string;
  #path: Promise<string | null> | null = null;
  constructor(mailbox: TreatedMailbox, name: string, waits: WarmupWaits) {
    this.mailbox = mailbox;
    this.waits = waits;
    this.#name = name;
  }

  /** The path of the folder; null when emails must not be moved. */
  readonly path = (): Promise<string | null> => {
    this.#path ??= this.#name === "" ? Promise.resolve(null) : this.mailbox.ensureFolder(this.#name);
    return this.#path;
  };
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
