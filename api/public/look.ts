import { createHash } from "node:crypto";
import type { Response } from "express";
import type { Look } from "../../operations/sign-in/portals.ts";

type Palette = Look["light"];

/** The source of the workspace's style for a content security policy, after ours; empty where there is none. */
export function lookSource(res: Response): string {
  const look = lookOf(res);
  return look === null ? "" : ` 'sha256-${createHash("sha256").update(styleOf(look)).digest("base64")}'`;
}

/** How a page looks under the name that was asked for, as `tracking-hosts.ts` found it; null: as ours. */
export function lookOf(res: Response): Look | null {
  return res.locals["look"] ?? null;
}

/** Colours were read by their form before they were stored: no other text of a workspace gets into a style. */
export function styleOf({ light, dark }: Look): string {
  return `:root{${variablesOf(light)}}@media(prefers-color-scheme:dark){:root{${variablesOf(dark)}}}`;
}

function variablesOf({ accent, onAccent, link, background }: Palette): string {
  return `--act:${accent};--on-act:${onAccent};--link:${link};--paper:${background}`;
}
