import { type Base, counter, flag, globalModel, required, text } from "../mongo/schema.ts";

export interface Workspace extends Base {
  name: string;
  ownerEmail: string;
  ownerId: string;
  /** Appears in the footer of campaign mail (rules/mail 4.8). */
  postalAddress: string | null;
  timezone: string;
  /** ISO 4217. The currency of its deals. */
  currency: string;
  /** The kill switch (rules/states 2.4). */
  isSuspended: boolean;
  /**
   * Counts the changes that open a campaign. When an opening and the kill switch happen at the same time, one of them conflicts with the
   * other's write here.
   */
  openings: number;
}

export const Workspace = globalModel<Workspace>("Workspace", "workspaces", {
  name: required,
  ownerEmail: required,
  ownerId: required,
  postalAddress: text,
  timezone: { type: String, required: true, default: "UTC" },
  currency: { type: String, required: true, default: "USD" },
  isSuspended: flag,
  openings: counter,
});
