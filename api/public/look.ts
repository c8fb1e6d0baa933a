import { createHash } from "node:crypto";
import type { Response } from "express";
import type { Look } from "../../operations/sign-in/portals.ts";

type Palette = Look["light"];

/** The Content-Security-Policy source of the workspace's own style, to append to ours; empty without one. */
export function lookSource(res: Response): string {
  const look = lookOf(res);
  return look === null ? "" : ` 'sha256-${createHash("sha256").update(styleOf(look)).digest("base64")}'`;
}

/** The branding for the requested host name, as `tracking-hosts.ts` found it; null for our own branding. */
export function lookOf(res: Response): Look | null {
  return res.locals["look"] ?? null;
}

/** Colours are validated before they are stored, so no other text of a workspace can get into the style. */
export function styleOf({ light, dark }: Look): string {
  return `:root{${variablesOf(light)}}@media(prefers-color-scheme:dark){:root{${variablesOf(dark)}}}`;
}

function variablesOf({ accent, onAccent, link, background }: Palette): string {
  return `--act:${accent};--on-act:${onAccent};--link:${link};--paper:${background}`;
}
