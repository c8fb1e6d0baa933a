import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listen } from "../../runtime/listen.ts";

/** What was asked, without the token. */
interface AskedOfCalendar {
  path: string;
  prefer: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: a body as it came
  body: any;
}

/** Google's free and busy times and Graph's schedules on loopback, as their documents describe them. */
export interface FakeCalendars {
  url: string;
  /** Busy times as ISO instants, with Graph's word for them. */
  busy: { start: string; end: string; status?: string }[];
  asked: AskedOfCalendar[];
  /** Answers in the place of the calendar when it returns true. */
  fault(fault: (asked: AskedOfCalendar, res: ServerResponse) => boolean): void;
  close(): Promise<void>;
}

/** `knows` says whether a token is good. */
export async function startCalendars(knows: (token: string) => boolean): Promise<FakeCalendars> {
  const [busy, asked]: [FakeCalendars["busy"], AskedOfCalendar[]] = [[], []];
  let fault: (asked: AskedOfCalendar, res: ServerResponse) => boolean = () => false;
  const graph = (iso: string) => ({ dateTime: `${new Date(iso).toISOString().slice(0, 19)}.0000000`, timeZone: "UTC" });

  async function serve(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of req) parts.push(part);
    const body = JSON.parse(Buffer.concat(parts).toString() || "{}");
    const one = { path: req.url ?? "", prefer: [req.headers["prefer"]].flat()[0], body };
    asked.push(one);
    const say = (status: number, answer: object) =>
      res.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
    if (!knows((req.headers.authorization ?? "").replace("Bearer ", "")))
      return void say(401, { error: { code: 401 } });
    if (fault(one, res)) return;
    if (one.path === "/calendar/v3/freeBusy") {
      const times = busy.map(({ start, end }) => ({ start, end }));
      return void say(200, { kind: "calendar#freeBusy", calendars: { primary: { busy: times } } });
    }
    if (one.path !== "/v1.0/me/calendar/getSchedule") return void say(404, {});
    const scheduleItems = busy.map(({ start, end, status = "busy" }) => ({
      status,
      start: graph(start),
      end: graph(end),
    }));
    say(200, { value: [{ scheduleId: body.schedules[0], availabilityView: "0", scheduleItems }] });
  }

  const server = createServer((req, res) => void serve(req, res));
  const { port, close } = await listen((req, res) => server.emit("request", req, res), 0, { host: "127.0.0.1" });
  return {
    url: `http://127.0.0.1:${port}`,
    busy,
    asked,
    close,
    fault(next) {
      fault = next;
    },
  };
}
