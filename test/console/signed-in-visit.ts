import type { PersonBrowser } from "../support/person.ts";
import type { Chromium, Look, Visit } from "./chromium.ts";

/** A window in which someone is signed in, at an address of the console. */
export async function visitAs(
  { browser }: { browser: PersonBrowser },
  chromium: Chromium,
  address: string,
  look?: Look,
): Promise<Visit> {
  const opened = await chromium.open(look);
  const { origin } = new URL(address);
  await opened.context.addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: origin })));
  await opened.page.goto(address);
  return opened;
}
