import { readOneAddress } from "../values/address.ts";
import { readSettingDate } from "../values/setting-date.ts";
import { readZone } from "../values/zone.ts";

const DATES = { startAt: "START", endAt: "END" } as const;

const LISTS = ["ccList", "bccList"] as const;

/**
 * The patch with its addresses as they are stored, its time zone as IANA names it and its dates as instants, read in the zone that the campaign has after it, else in the
 * workspace's. What cannot be read stays as it is, and is refused by its schema.
 */
export function readSettings(
  patch: Readonly<Record<string, unknown>>,
  stored: Readonly<Record<string, unknown>>,
  workspaceZone: string,
): Record<string, unknown> {
  const timezone = typeof patch["timezone"] === "string" ? readZone(patch["timezone"]).zone : null;
  const own = timezone ?? ("timezone" in patch ? null : stored["timezone"]);
  const zone = typeof own === "string" ? own : workspaceZone;
  const dates = Object.entries(DATES).flatMap(([key, as]): [string, string][] => {
    const written = patch[key];
    const read = typeof written === "string" ? readSettingDate(written.trim(), zone, as) : null;
    return read === null ? [] : [[key, read]];
  });
  const lists = LISTS.flatMap((key): [string, unknown[]][] => {
    const written = patch[key];
    return Array.isArray(written)
      ? [[key, written.map((one) => (typeof one === "string" ? (readOneAddress(one)?.address ?? one) : one))]]
      : [];
  });
  return { ...patch, ...Object.fromEntries(lists), ...(timezone !== null && { timezone }), ...Object.fromEntries(dates) };
}
