// The vendors' own clients ask a stand-in what our connector asks it. Its orders come by stdin; the last line it prints is what they found.
import { text } from "node:stream/consumers";
import { calendar, auth as google } from "@googleapis/calendar";
import { Client } from "@microsoft/microsoft-graph-client";

const { calendarUrl, tokenUrl, clientId, clientSecret, code, codeVerifier, redirectUri, from, to, address } =
  JSON.parse(await text(process.stdin));
/** With which status the client says that it was refused. */
const refusal = (call) =>
  call().then(
    () => null,
    (error) => Number(error?.response?.status ?? error?.statusCode ?? error?.status ?? 0),
  );

const auth = new google.OAuth2({ clientId, clientSecret, redirectUri, endpoints: { oauth2TokenUrl: tokenUrl } });
const first = await auth.getToken({ code, codeVerifier });
auth.setCredentials({ refresh_token: first.tokens.refresh_token });
const times = calendar({ version: "v3", auth, rootUrl: `${calendarUrl}/` });
const requestBody = { timeMin: from, timeMax: to, timeZone: "UTC", items: [{ id: "primary" }] };
const { data } = await times.freebusy.query({ requestBody });

const { token } = await auth.getAccessToken();
const graph = Client.init({ baseUrl: calendarUrl, authProvider: (done) => done(null, token) });
const at = (iso) => ({ dateTime: iso.slice(0, 19), timeZone: "UTC" });
const asked = { schedules: [address], startTime: at(from), endTime: at(to), availabilityViewInterval: 30 };
// To a place without TLS the client gives no token, and takes away the header that it knows by its own spelling
const headers = { Prefer: 'outlook.timezone="UTC"', authorization: `Bearer ${token}` };
const schedules = () => graph.api("/me/calendar/getSchedule").headers(headers).post(asked);
const { value } = await schedules();

const last = { ...requestBody, timeZone: "REFUSE" };
const refusals = {
  google: await refusal(() => times.freebusy.query({ requestBody: last }, { retry: false })),
  graph: await refusal(() => {
    asked.availabilityViewInterval = 5;
    return schedules();
  }),
};
console.log(JSON.stringify({ google: data.calendars.primary.busy, graph: value[0].scheduleItems, refusals }));
