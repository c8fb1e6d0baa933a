import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceIn } from "../demo/service.ts";
import { keyLegs } from "./key-legs.ts";
import { oauthLegs } from "./oauth.ts";
import { outcomes } from "./tools.ts";

/**
 * `npm run test:doors`: clients that others wrote connect by every door of agents. A client that is not available is no
 * failure.
 */
const folder = await mkdtemp(join(tmpdir(), "outreach-doors-"));
const service = await serviceIn(folder, {});
try {
  await service.start((line) => console.log(line));
  await keyLegs(service);
  await oauthLegs(service);
} finally {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}
console.log(`${outcomes.passed} passed, ${outcomes.failed} failed, ${outcomes.skipped} skipped`);
