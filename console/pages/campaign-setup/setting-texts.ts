import type { KINDS, SettingPath } from "./setting-kinds.ts";

type Kind = (typeof KINDS)[SettingPath]["kind"];

const PERCENT = 100;
/** Decimal places of a percentage, so that a share of 0.035 is shown as 3.5 and not as 3.5000000000000004. */
const PLACES = 4;

/** The value of a setting as the text of its field. A time is a local time of the campaign's zone. */
export function textOf(kind: Kind, value: unknown, zone: string): string {
  if (value === null || value === undefined) return "";
  if (kind === "share" && typeof value === "number") return String(Number((value * PERCENT).toFixed(PLACES)));
  if (kind === "moment") return localTimeOf(String(value), zone);
  if (Array.isArray(value)) return value.join("\n");
  if (typeof value === "object")
    return Object.entries(value)
      .map(([name, text]) => `${name} = ${text}`)
      .join("\n");
  return String(value);
}

/** The value that the text of a field means. Null restores the default. The server checks the value. */
export function readValue(kind: Kind, text: string): unknown {
  const typed = text.trim();
  if (kind === "list") return linesOf(typed);
  if (kind === "pairs") return Object.fromEntries(linesOf(typed).map(pairOf));
  if (typed === "") return null;
  if (kind === "share") return Number((Number(typed) / PERCENT).toFixed(PLACES + 2));
  if (kind === "number") return Number(typed);
  return typed;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function pairOf(line: string): [string, string] {
  const [name = "", ...rest] = line.split("=");
  return [name.trim(), rest.join("=").trim()];
}

/** An instant as the local time that a field of the type `datetime-local` takes. */
function localTimeOf(instant: string, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  }).formatToParts(new Date(instant));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}T${part("hour")}:${part("minute")}`;
}
