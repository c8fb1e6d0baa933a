/**
 * An answer to an invitation (RFC 5546 3.2.3): the organizer, the attendee, and whether the attendee accepted. Addresses
 * are lower-case.
 */
export interface CalendarReply {
  organizer: string | null;
  attendee: string;
  isAccepted: boolean;
}

const MOST = 64 * 1024;

/** Reads a `text/calendar` part; null unless it is a reply of exactly one attendee about one event. */
export function readCalendarReply(text: string): CalendarReply | null {
  if (text.length > MOST) return null;
  const lines = text
    .replaceAll("\r\n", "\n")
    .replace(/\n[ \t]/g, "")
    .split("\n")
    .map(propertyIn);
  const events = lines.filter(({ name, value }) => name === "BEGIN" && value.toUpperCase() === "VEVENT");
  const method = lines.find(({ name }) => name === "METHOD")?.value.toUpperCase();
  const [attendee, ...others] = lines.filter(({ name }) => name === "ATTENDEE");
  if (method !== "REPLY" || events.length !== 1 || attendee === undefined || others.length > 0) return null;
  const address = addressIn(attendee.value);
  if (address === null) return null;
  const organizer = lines.find(({ name }) => name === "ORGANIZER");
  return {
    organizer: organizer === undefined ? null : addressIn(organizer.value),
    attendee: address,
    isAccepted: /(?:^|;)PARTSTAT=ACCEPTED(?:;|$)/i.test(attendee.parameters),
  };
}

/** `NAME;PARAMETER="a:b":value`: a colon within quotes does not end the parameters. */
function propertyIn(line: string): { name: string; parameters: string; value: string } {
  const [, name = "", parameters = "", value = ""] =
    /^([\w-]+)((?:;[\w-]+=(?:"[^"]*"|[^;:"]*))*):(.*)$/s.exec(line) ?? [];
  return { name: name.toUpperCase(), parameters, value: value.trim() };
}

function addressIn(value: string): string | null {
  const [, address = ""] = /^mailto:([^\s?]+@[^\s?]+)$/i.exec(value) ?? [];
  return address === "" ? null : address.toLowerCase();
}
