import { z } from "zod";
import { type Brand, COLOR, LEAST_CONTRAST, whyNotReadable } from "../../domain/access/brand.ts";
import { invalid } from "../../domain/errors.ts";
import { name } from "../fields.ts";

const color = (of: string) =>
  z
    .string()
    .toLowerCase()
    .regex(COLOR, "must be a colour such as #1d5bb8")
    .nullable()
    .default(null)
    .describe(`The colour ${of}; null: the default colour`);

/** The name and the colours of pages under a workspace's own host names (rules/access 6.4). */
export const PortalBrand = z.strictObject({
  name: name.describe("The name shown at the top of each page"),
  accent: color("of buttons and links, such as #1d5bb8"),
  background: color("behind the page in light mode, such as #ffffff"),
});

export const ShownBrand = z.object({
  name: z.string().describe("The name shown at the top of each page"),
  accent: z.string().nullable().describe("The colour of buttons and links; null: the default colour"),
  background: z.string().nullable().describe("The colour behind the page; null: the default colour"),
});

/** Refuses colours with too little contrast for people with weak sight. @throws AppError VALIDATION_FAILED */
export function refuseUnreadable(brand: Brand): void {
  const which = whyNotReadable(brand);
  if (which === null) return;
  throw invalid(
    `patch.portal.${which}`,
    `has a contrast below ${LEAST_CONTRAST} to texts or their background, so it is not readable`,
    "LOW_CONTRAST",
  );
}
